#include "output/folder/trace_files.h"

#include "methods/resumable.h"
#include "output/folder/restored_table.h"

namespace raak {
namespace {

constexpr const char* rows_name = "trace.csv";
constexpr const char* partitions_name = "partitions.csv";

void append_matrix(std::vector<std::string>& names, const std::string& stem, Eigen::Index rows, Eigen::Index columns) {
  for (Eigen::Index i = 1; i <= rows; ++i) append_numbered(names, stem + "." + std::to_string(i), columns);
}

void append(std::vector<double>& row, const Vector& values) {
  row.insert(row.end(), values.begin(), values.end());
}

void append(std::vector<double>& row, const Matrix& matrix) {
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push_back(matrix(i, j));
}

}  // namespace

std::vector<std::string> trace_columns(const ConstrainedSystem& system, Trace trace) {
  const Eigen::Index n = system.coordinates(), m = system.position_rows();
  std::vector<std::string> names{"t"};
  for (const char* kind : {"z", "zd", "zdd"}) append_numbered(names, kind, n - m);
  append_matrix(names, "V", n - m, n);
  append_matrix(names, "now", n - m, n);
  append_numbered(names, "sigma", m);
  names.emplace_back("outside");
  if (trace == Trace::matrices) {
    append_matrix(names, "U", m, m);
    append_matrix(names, "D", m, n);
    append_matrix(names, "VD", m, n);
  }
  return names;
}

void append_trace(std::vector<double>& row, const ConstrainedSystem& system, const State& state,
                  const IndependentCoordinates& independent, Trace trace) {
  const Matrix& basis = independent.VI;
  ConstraintSvd svd(system, state.t, state.q);
  const double outside = svd.share_outside(basis, state.v);
  BasisTurn(basis.rows(), basis.cols()).turn(svd.VI, basis);
  row.push_back(state.t);
  append(row, Vector(basis * state.q));
  append(row, Vector(basis * state.v));
  append(row, Vector(basis * state.a));
  append(row, basis);
  append(row, svd.VI);
  append(row, svd.sigma);
  row.push_back(outside);
  if (trace != Trace::matrices) return;
  append(row, svd.U);
  append(row, svd.diagonal());
  append(row, svd.VD);
}

void TraceFiles::add(const State& state, const IndependentCoordinates& independent) {
  if (independent.VI.rows() == 0) return;  // all is driven
  if (!rows_) rows_.emplace(folder_ / rows_name, trace_columns(system_, trace_));
  row_.clear();
  append_trace(row_, system_, state, independent, trace_);
  for (const double number : row_) rows_->add(number);
  rows_->end_row();
}

void TraceFiles::add(const PartitionRecord& partition) {
  if (!partitions_) partitions_.emplace(folder_ / partitions_name, std::vector<std::string>{"t", "outside", "reason"});
  partitions_->add(partition.t);
  partitions_->add(partition.outside);
  partitions_->add_text(reason_text(partition.reason));
  partitions_->end_row();
}

void TraceFiles::seal(const std::string& note,
                      const std::function<void(const std::string&, const std::function<void()>&)>& seal) {
  if (rows_) seal(rows_name, [&] { rows_->seal(note); });
  if (partitions_) seal(partitions_name, [&] { partitions_->seal(note); });
}

void TraceFiles::visit_table(Archive& archive, const std::string& name, std::optional<CsvFile>& table) {
  bool there = table.has_value();
  CsvFile::Extent extent = there ? table->sync() : CsvFile::Extent{};
  archive(there, extent);
  if (archive.is_loading() && there) {
    restore_table(folder_ / name, extent);
    table.emplace(folder_ / name, extent);
  }
  if (table) table->leave();
}

void TraceFiles::visit_state(Archive& archive) {
  visit_table(archive, rows_name, rows_);
  visit_table(archive, partitions_name, partitions_);
  scratch(folder_, system_, trace_, row_);
}

}  // namespace raak
