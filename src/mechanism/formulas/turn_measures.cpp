#include "mechanism/formulas/turn_measures.h"

#include <algorithm>

#include "base/tape/kernel.h"
#include "mechanism/forces/catalogue.h"

namespace raak {
namespace {

// Reads the rotations of the bodies that the forces speak of, which every form of the equations keeps as they are.
class TurnMeasures final : public TurnGauge {
 public:
  TurnMeasures(const Instance& instance, const std::vector<int>* coordinates) {
    Tape tape;
    const Tape::Recording recording(tape);
    const auto place_of = [&](int coordinate) {
      if (coordinates == nullptr) return coordinate;
      const auto found = std::find(coordinates->begin(), coordinates->end(), coordinate);
      return found == coordinates->end() ? -1 : static_cast<int>(found - coordinates->begin());
    };
    const auto meet = [&](int index) -> BodyVariables {
      const Body& body = instance.bodies()[static_cast<std::size_t>(index)];
      BodyVariables variables{index, {}, Reals(static_cast<std::size_t>(body.size), Real(0.0))};
      for (int i = 0; i < body.size; ++i) {
        variables.q.push_back(tape.new_input(1));
        read_.push_back(place_of(body.first + i));
      }
      return variables;
    };
    const Scene scene(instance, tape.new_input(0), meet);
    std::vector<Vector3> tilts;
    for (const Element& force : instance.mechanism().forces) {
      const ForceInfo& info = info_of_force(force);
      if (info.turn == nullptr) continue;
      const ElementScene element(scene, force);
      const auto counter = instance.turn_counter(force.name);
      const Real value = info.turn(element);
      if (value.is_zero()) continue;
      Angle angle{force.name};
      if (counter) {
        const Body& body = instance.bodies()[static_cast<std::size_t>(counter->body)];
        angle.centre = place_of(body.first + counter->component);
        angle.rest = element.number("angle").value();
      }
      const Vector3 tilt = info.tilt == nullptr ? Vector3{} : info.tilt(element);
      if (!tilt.z.is_zero()) {
        angle.tilt = static_cast<int>(3 * tilts.size());
        tilts.push_back(tilt);
      }
      angles_.push_back(std::move(angle));
      tape.add_output(0, value);
    }
    for (Angle& angle : angles_)
      if (angle.tilt >= 0) angle.tilt += static_cast<int>(angles_.size());
    for (const Vector3& tilt : tilts)
      for (int i = 0; i < 3; ++i) tape.add_output(0, tilt[i]);
    values_ = angles_.size() + 3 * tilts.size();
    coordinates_ = instance.coordinates() - instance.coordinates_of_file();
    if (!angles_.empty()) kernel_ = std::make_unique<Kernel>(tape);
  }

  void offsets(const Vector& q, Vector& values) const override {
    std::vector<double> read(read_.size());
    for (std::size_t i = 0; i < read.size(); ++i) read[i] = read_[i] < 0 ? 0.0 : q[read_[i]];
    values.resize(static_cast<Eigen::Index>(values_));
    const double t = 0.0;
    const double* const in[4] = {&t, read.data(), nullptr, nullptr};
    double* const out[3] = {values.data(), nullptr, nullptr};
    kernel_->run_one(in, out);
  }

 private:
  std::vector<int> read_;  // places in q of what the kernel reads; -1: a position that does not matter
  std::size_t values_ = 0;
  std::unique_ptr<Kernel> kernel_;
};

}  // namespace

std::shared_ptr<const TurnGauge> make_turn_gauge(const Instance& instance, const std::vector<int>* coordinates) {
  const auto& forces = instance.mechanism().forces;
  const auto reads_angle = [](const Element& force) {
    const ForceInfo* const info = find_force(force.type);
    return info != nullptr && info->turn != nullptr;
  };
  if (instance.planar() || std::none_of(forces.begin(), forces.end(), reads_angle)) return nullptr;
  auto gauge = std::make_shared<TurnMeasures>(instance, coordinates);
  return gauge->angles().empty() ? nullptr : std::move(gauge);
}

}  // namespace raak
