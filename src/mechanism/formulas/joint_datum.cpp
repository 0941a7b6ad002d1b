#include "mechanism/formulas/joint_datum.h"

#include <numeric>

#include "mechanism/formulas/maximal.h"
#include "mechanism/joints/catalogue.h"
#include "system/recorded/recorded_system.h"

namespace raak {
namespace {

// What joints measure at a configuration, in the place of constraints.
class Measures final : public Formulas {
 public:
  explicit Measures(std::shared_ptr<const Instance> instance) : instance_(std::move(instance)) {
    // Recorded once to count them.
    Tape tape;
    const Tape::Recording recording(tape);
    Reals q, measures;
    for (int i = 0; i < instance_->coordinates(); ++i) q.push_back(tape.new_input(1));
    counts_ = measure(tape.new_input(0), q, measures);
  }
  void mass(const Recorded& /*t*/, const Reals& /*q*/, SymmetricEntries& /*M*/) const override {}
  void force(const Recorded& /*t*/, const Reals& /*q*/, const Reals& /*v*/, Reals& /*f*/) const override {}
  void constraint(const Recorded& t, const Reals& q, Reals& g) const override { measure(t, q, g); }
  // By joint.
  const std::vector<std::size_t>& counts() const { return counts_; }

 private:
  std::vector<std::size_t> measure(const Recorded& t, const Reals& q, Reals& g) const {
    const RecordedState state{t, q, {}, {}, {}};
    const Scene scene(*instance_, state);
    std::vector<std::size_t> counts;
    for (const Element& joint : instance_->mechanism().joints) {
      const JointInfo& info = info_of_joint(joint);
      const Reals values = info.datum == nullptr ? Reals{} : info.datum(ElementScene(scene, joint));
      counts.push_back(values.size());
      g.insert(g.end(), values.begin(), values.end());
    }
    return counts;
  }

  std::shared_ptr<const Instance> instance_;
  std::vector<std::size_t> counts_;
};

}  // namespace

bool wants_joint_data(const Instance& instance) {
  for (const Element& joint : instance.mechanism().joints)
    if (info_of_joint(joint).datum != nullptr) return !instance.planar() && !instance.has_joint_data();
  return false;
}

std::shared_ptr<const Instance> take_joint_data(const std::shared_ptr<const Instance>& instance, double t,
                                                const Vector& q) {
  const auto measures = std::make_shared<Measures>(instance);
  const std::vector<std::size_t>& counts = measures->counts();
  const auto rows = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  Description description;
  description.constraints.resize(rows);
  const RecordedSystem measuring(measures, instance->coordinates(), static_cast<int>(rows), 0, description);
  Vector values(static_cast<Eigen::Index>(rows));
  measuring.constraint(t, q, values);
  std::map<std::string, std::vector<double>> decided;
  const double* next = values.data();
  for (std::size_t i = 0; i < counts.size(); next += counts[i++])
    decided[instance->mechanism().joints[i].name].assign(next, next + counts[i]);
  return std::make_shared<const Instance>(instance->with_joint_data(std::move(decided)));
}

}  // namespace raak
