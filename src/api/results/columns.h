// The columns of results by their names, and a moment made of them.
#pragma once
#include <raak/result.h>

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/core.h"
#include "system/constrained_system.h"

namespace raak_v0::detail {

class Columns {
 public:
  explicit Columns(std::shared_ptr<const core::ConstrainedSystem> system);
  const std::vector<std::string>& names() const { return names_; }
  // A column, a coordinate by its name alone, or a rate. Throws RequestError with the nearest name.
  std::size_t find(std::string_view name) const;

 private:
  std::shared_ptr<const core::ConstrainedSystem> system_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> places_;
};

// One row: a state with its outputs, as result.csv has it.
void append_columns(std::vector<double>& row, const core::ConstrainedSystem& system, const core::State& state,
                    const core::Vector& outputs);

}  // namespace raak_v0::detail
