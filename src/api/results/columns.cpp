#include "api/results/columns.h"

#include <raak/errors.h>

#include <utility>

#include "output/column_choice.h"
#include "output/formats/csv.h"
#include "output/recording.h"

namespace raak_v0 {
namespace detail {

Columns::Columns(std::shared_ptr<const core::ConstrainedSystem> system)
    : system_(std::move(system)), names_(core::result_columns(*system_)) {
  for (std::size_t i = 0; i < names_.size(); ++i) places_.emplace(names_[i], i);
}

std::size_t Columns::find(std::string_view name) const {
  const std::string asked(name);
  for (const std::string& column : {asked, "q." + asked, "v." + asked})
    if (const auto place = places_.find(column); place != places_.end()) return place->second;
  if (const auto velocity = core::velocity_of_rate(system_->reported(), asked)) return places_.at("v." + *velocity);
  throw RequestError(core::unknown_column(asked, names_));
}

void append_columns(std::vector<double>& row, const core::ConstrainedSystem& system, const core::State& state,
                    const core::Vector& outputs) {
  const core::ReportedNames& names = system.reported();
  const auto rates = static_cast<Eigen::Index>(names.velocities.size());
  core::State shown{0.0, core::Vector(names.positions.size()), core::Vector(rates), core::Vector(rates),
                    core::Vector(names.rows.size())};
  system.report(state, shown);
  core::append_row(row, shown, outputs);
}

}  // namespace detail

Moment::Moment(std::shared_ptr<const detail::Columns> columns, std::vector<double> values)
    : columns_(std::move(columns)), values_(std::move(values)) {}

double Moment::operator[](std::string_view name) const {
  return values_[columns_->find(name)];
}

const std::vector<std::string>& Moment::names() const {
  return columns_->names();
}

}  // namespace raak_v0
