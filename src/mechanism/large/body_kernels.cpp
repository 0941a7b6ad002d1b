#include "mechanism/large/body_kernels.h"

#include "base/linear/index.h"

namespace raak {
namespace {

enum class Unknowns { accelerations, forces, positions, velocities };

// Parameters: gravity in three components, then the numbers of the kind, of which the first is the mass.
std::unique_ptr<Kernel> record_body(const BodyKind& kind, Unknowns unknowns) {
  Tape tape;
  const Tape::Recording recording(tape);
  const auto new_inputs = [&](int count, int block) {
    Reals inputs;
    for (int i = 0; i < count; ++i) inputs.push_back(tape.new_input(block));
    return inputs;
  };
  const Reals q = new_inputs(kind.size(), 0);
  const Reals v = new_inputs(kind.size(), 1);
  const Reals gravity = new_inputs(3, 2);
  const Reals numbers = new_inputs(kind.numbers_size, 2);
  const Reals inverse_mass = kind.inverse_mass(numbers, q.data());
  Reals x = unknowns == Unknowns::positions ? q : v;
  if (unknowns == Unknowns::forces || unknowns == Unknowns::accelerations) {
    const auto d = z(kind.dimensions());
    const Reals own = kind.gyroscopic(numbers, q.data(), v.data());
    x.assign(z(kind.size()), Real(0.0));
    for (std::size_t i = 0; i < d; ++i) x[i] = numbers[0] * gravity[i];
    std::copy(own.begin(), own.end(), x.begin() + kind.dimensions());
    if (unknowns == Unknowns::accelerations) {
      if (!own.empty() || !kind.falls_freely) x = kind.times_inverse_mass(inverse_mass, x);
      // Gravity as it is given, not first times and then divided by the mass.
      if (kind.falls_freely) std::copy(gravity.begin(), gravity.begin() + kind.dimensions(), x.begin());
    }
  }
  const Reals shared = kind.shared_functions(q.data());
  for (const Reals* part : {&q, &v, &inverse_mass, static_cast<const Reals*>(&x), &shared})
    for (const Real& number : *part) tape.add_output(0, number);
  return std::make_unique<Kernel>(tape);
}

std::unique_ptr<Kernel> record_division(const BodyKind& kind) {
  Tape tape;
  const Tape::Recording recording(tape);
  for (int i = 0; i < 2 * kind.size(); ++i) tape.new_input(0);
  const BodyInputs body = read_record(tape, kind, 0);
  for (const Real& number : kind.times_inverse_mass(body.inverse_mass, body.x)) tape.add_output(0, number);
  return std::make_unique<Kernel>(tape);
}

}  // namespace

BodyLayout::BodyLayout(const BodyKind& kind)
    : size(kind.size()),
      v(size),
      inverse_mass(2 * size),
      x(inverse_mass + kind.inverse_mass_size),
      shared(x + size),
      total(shared + kind.shared_size) {}

BodyInputs read_record(Tape& tape, const BodyKind& kind, int block) {
  const BodyLayout layout(kind);
  BodyInputs inputs;
  for (int i = layout.inverse_mass; i < layout.x; ++i) inputs.inverse_mass.push_back(tape.new_input(block));
  for (int i = layout.x; i < layout.shared; ++i) inputs.x.push_back(tape.new_input(block));
  return inputs;
}

void read_shared_functions(Tape& tape, const BodyKind& kind, const Reals& q, int block) {
  int number = BodyLayout(kind).shared;
  for (const Real& function : kind.shared_functions(q.data())) tape.read_instead(function, block, number++);
}

std::vector<Live> body_parameters(const Instance& instance, const Body& body) {
  const Vec3n& g = instance.gravity();
  std::vector<Live> result = body.counter ? std::vector<Live>{0.0, 0.0, 0.0} : std::vector<Live>{g.x, g.y, g.z};
  const std::vector<Live> numbers = body.kind->numbers(body);
  result.insert(result.end(), numbers.begin(), numbers.end());
  return result;
}

BodyKernels::BodyKernels(const BodyKind& of)
    : layout(of),
      accelerations(record_body(of, Unknowns::accelerations)),
      forces(record_body(of, Unknowns::forces)),
      at_positions(record_body(of, Unknowns::positions)),
      at_velocities(record_body(of, Unknowns::velocities)),
      divide(record_division(of)),
      free{accelerations.get(), at_positions.get(), at_velocities.get()},
      loaded{forces.get(), at_positions.get(), at_velocities.get()},
      after_forces{divide.get(), nullptr, nullptr} {}

}  // namespace raak
