#include "system/constrained_system.h"

#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/text/text.h"

namespace raak {

std::optional<std::string> velocity_of_rate(const ReportedNames& names, const std::string& rate) {
  for (const auto& [ending, coordinate] : {std::pair{".vx", ".x"}, {".vy", ".y"}, {".omega", ".angle"}}) {
    if (!rate.ends_with(ending)) continue;
    std::string of = rate.substr(0, rate.size() - std::string_view(ending).size()) + coordinate;
    if (holds(names.velocities, of)) return of;
  }
  return std::nullopt;
}
namespace {

template <typename Named>
void fill_names(std::vector<Named>& names, int size, const char* letter, const char* what) {
  if (names.empty())
    for (int i = 1; i <= size; ++i) names.emplace_back(letter + std::to_string(i));
  if (static_cast<int>(names.size()) != size) {
    throw Error(ErrorKind::request, "a system with " + std::to_string(size) + " " + what + " was described with " +
                                        std::to_string(names.size()) + " names");
  }
}

}  // namespace

ConstrainedSystem::ConstrainedSystem(int coordinates, int position_rows, int velocity_rows, Description description)
    : coordinates_(coordinates),
      position_rows_(position_rows),
      velocity_rows_(velocity_rows),
      description_(std::move(description)) {
  fill_names(description_.coordinates, coordinates_, "q", "coordinates");
  fill_names(description_.constraints, rows(), "constraint ", "constraints");
  reported_ = {description_.coordinates, description_.coordinates, description_.constraints, description_.units};
  for (const std::string& unit : description_.units) reported_.velocity_units.push_back(unit + "/s");
  row_units_ = Vector::Ones(rows());
  follow_length(description_.length);
}

void ConstrainedSystem::follow_length(double length) const {
  description_.length = length;
  coordinate_scales_ = Vector::Ones(coordinates_);
  for (std::size_t i = 0; i < description_.units.size(); ++i)
    if (description_.units[i] == "m") coordinate_scales_[static_cast<Eigen::Index>(i)] = length;
  row_scales_ = Vector::Ones(rows());
  for (std::size_t i = 0; i < description_.constraints.size(); ++i)
    if (description_.constraints[i].unit == "m") row_scales_[static_cast<Eigen::Index>(i)] = length;
}

double ConstrainedSystem::correct_state(double t, double* q, double* v) const {
  const double residual = correct_position(t, q);
  correct_velocity(t, q, v);
  return residual;
}

void ConstrainedSystem::mass_diagonal(double t, const Vector& q, Vector& diagonal) const {
  Matrix M(coordinates_, coordinates_);
  mass(t, q, M);
  diagonal = M.diagonal();
}

double update_accelerations(const ConstrainedSystem& system, State& state) {
  return system.accelerate(state.t, state.q.data(), state.v.data(), state.a.data(), state.lambda.data());
}

}  // namespace raak
