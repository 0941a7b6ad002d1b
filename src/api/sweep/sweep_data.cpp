#include "api/sweep/sweep_data.h"

#include <raak/errors.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "study/sweep/sweep_files.h"

namespace raak_v0::detail {
namespace {

core::SweepRequest request_of(const SweepOptions& options) {
  if (options.shard < 1 || options.shard > options.shards)
    throw RequestError("a shard is a part from 1 to N of N, found " + std::to_string(options.shard) + " of " +
                       std::to_string(options.shards));
  core::SweepRequest request{.exact = options.exact,
                             .threads = options.threads,
                             .shard = {options.shard, options.shards},
                             .stop = options.stop,
                             .case_done = options.case_done,
                             .complain = options.warning};
  if (request.threads == 0) request.threads = std::max(1U, std::thread::hardware_concurrency());
  return request;
}

}  // namespace

void SweepData::run(const SweepOptions& options) {
  const core::SweepRequest request = request_of(options);
  exact_ = options.exact;
  if (options.begins) options.begins(core::blocks_of(swept_).cases / options.shards);
  if (options.folder.empty()) {
    if (options.resume) throw RequestError("there is nothing to go on with in memory: name the folder of the sweep");
    store_ = std::make_unique<core::BlocksInMemory>(core::blocks_of(swept_));
    core::run_sweep(swept_, *store_, request);
    return gather();
  }
  auto folder =
      std::make_unique<core::SweepFolder>(options.folder, swept_, options.exact, options.resume || options.shards > 1);
  core::run_sweep(swept_, *folder, request);
  const core::SweepFolder& done = *folder;
  store_ = std::move(folder);
  gather();
  if (cases.size() == store_->blocks().cases)
    core::write_sweep_files(core::SweepResults(swept_, done), done, options.exact);
}

void SweepData::find(const std::filesystem::path& folder, bool exact) {
  exact_ = exact;
  store_ = std::make_unique<core::SweepFolder>(folder, swept_, exact);
  gather();
}

void SweepData::gather() {
  for (const core::Factor& factor : swept_.design.factors()) {
    varied.push_back({.name = factor.name, .unit = ""});
    for (const core::Parameter& parameter : swept_.base.all())
      if (parameter.name == factor.name) varied.back().unit = parameter.unit;
    if (swept_.plan.design == core::DesignKind::grid) shape.push_back(factor.levels);
  }
  for (const core::KeptColumn& column : swept_.kept) kept.push_back({column.name, column.unit, column.width});
  values.resize(varied.size() + kept.size());
  const core::Blocks& blocks = store_->blocks();
  for (std::uint64_t b = 0; b < blocks.count(); ++b) {
    core::ReadBlock read = store_->read(b);
    if (!read.block) read = store_->read_begun(b);
    if (read.block) add(*read.block);
  }
  if (shape.empty() || cases.size() < blocks.cases) shape = {cases.size()};
}

void SweepData::add(const core::Block& block) {
  std::vector<double> numbers(varied.size());
  for (std::uint64_t i = 0; i < block.cases(); ++i) {
    cases.push_back(block.first + i);
    outcomes.push_back(outcome_of(block, i));
    swept_.design.numbers(block.first + i, numbers);
    for (std::size_t k = 0; k < numbers.size(); ++k) values[k].push_back(numbers[k]);
    const double* next = block.values.data() + i * block.width;
    for (std::size_t k = 0; k < kept.size(); next += kept[k++].width)
      values[numbers.size() + k].insert(values[numbers.size() + k].end(), next, next + kept[k].width);
  }
}

std::uint8_t SweepData::outcome_of(const core::Block& block, std::uint64_t i) {
  const core::BlockCause* const cause = block.cause_of(i);
  if (cause == nullptr) return 0;
  auto known = std::find_if(causes.begin(), causes.end(), [&](const auto& each) { return each.cause == cause->cause; });
  if (known == causes.end()) known = causes.insert(causes.end(), {cause->cause, cause->message, 0, block.first + i});
  ++known->cases;
  return static_cast<std::uint8_t>(known - causes.begin() + 1);
}

}  // namespace raak_v0::detail
