#include "mechanism/large/element_formulas.h"

#include <cstring>
#include <utility>

namespace raak {
namespace {

Reals new_inputs(Tape& tape, int count, int block) {
  Reals inputs;
  for (int i = 0; i < count; ++i) inputs.push_back(tape.new_input(block));
  return inputs;
}

}  // namespace

void record_formulas(const Instance& instance, const Draw& draw, ElementFormulas& recorded) {
  recorded.tape.clear();
  recorded.tape.keep_parameters(parameter_block);
  recorded.bodies.clear();
  recorded.kinds.clear();
  recorded.counters.clear();
  recorded.position.clear();
  recorded.velocity.clear();
  recorded.velocity_at_rest.clear();
  recorded.sink = {};
  const Tape::Recording recording(recorded.tape);
  recorded.t = recorded.tape.new_input(time_block);
  const auto meet = [&](int body) -> BodyVariables {
    const Body& met = instance.bodies()[static_cast<std::size_t>(body)];
    const int block = first_body_block + static_cast<int>(recorded.bodies.size());
    BodyVariables variables{body, new_inputs(recorded.tape, met.size, block), {}};
    variables.v = new_inputs(recorded.tape, met.size, block);
    recorded.bodies.push_back(variables);
    recorded.kinds.push_back(met.kind);
    recorded.counters.push_back(met.counter);
    return variables;
  };
  draw(Scene(instance, recorded.t, meet), recorded);
  if (recorded.velocity.empty()) return;
  const auto at_rest = [&](int body) -> BodyVariables {
    for (const BodyVariables& known : recorded.bodies)
      if (known.body == body) return {body, known.q, Reals(known.q.size(), Real(0.0))};
    return meet(body);
  };
  // Into the same memory: a tape of its own for each element would cost more than what is recorded on it.
  Reals position = std::exchange(recorded.position, {});
  Reals velocity = std::exchange(recorded.velocity, {});
  ForceSink sink = std::exchange(recorded.sink, {});
  draw(Scene(instance, recorded.t, at_rest), recorded);
  recorded.velocity_at_rest = std::exchange(recorded.velocity, std::move(velocity));
  recorded.position = std::move(position);
  recorded.sink = std::move(sink);
}

std::vector<Live> ElementFormulas::parameters() const {
  std::vector<Live> result;
  for (std::size_t i = 0; i < tape.parameters().size(); ++i) {
    const int node = tape.parameter_nodes()[i];
    result.push_back(node < 0 ? Live(tape.parameters()[i]) : tape.live_numbers()->live_number(node));
  }
  return result;
}

Reals ElementFormulas::all(Reals BodyVariables::*part) const {
  Reals result;
  for (const BodyVariables& body : bodies) result.insert(result.end(), (body.*part).begin(), (body.*part).end());
  return result;
}

std::pair<int, int> ElementFormulas::place(int number) const {
  int body = 0;
  while (number >= static_cast<int>(bodies[static_cast<std::size_t>(body)].q.size()))
    number -= static_cast<int>(bodies[static_cast<std::size_t>(body++)].q.size());
  return {body, number};
}

std::vector<int> ElementFormulas::keys() const {
  std::vector<int> result;
  const auto add = [&](const Reals& values) {
    result.push_back(static_cast<int>(values.size()));
    for (const Real& value : values) result.push_back(value.key());
  };
  for (const Reals* part : {&position, &velocity, &velocity_at_rest, &sink.measures, &sink.along}) add(*part);
  // What takes energy and what puts it in are booked apart, whatever their formulas.
  for (std::size_t i = 0; i < sink.measures.size(); ++i) result.push_back(sink.is_damping(i) ? 1 : 0);
  result.push_back(sink.potential.key());
  for (const ForceSink::Direct& direct : sink.direct) {
    std::size_t body = 0;
    while (bodies[body].body != direct.body) ++body;
    const int damping = direct.damping ? 1 : 0;
    result.insert(result.end(), {static_cast<int>(body), direct.coordinate, direct.force.key(), damping});
  }
  for (const BodyKind* const kind : kinds) result.push_back(kind->identifier);
  for (const bool counts : counters) result.push_back(counts ? 1 : 0);
  return result;
}

std::uint64_t ElementFormulas::hash() const {
  std::uint64_t h = 1469598103934665603ULL;
  const auto mix = [&](std::uint64_t x) { h = (h ^ x) * 1099511628211ULL; };
  for (const Instruction& i : tape.instructions()) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &i.value, sizeof bits);
    mix(static_cast<std::uint64_t>(i.op));
    mix(static_cast<std::uint64_t>(i.a) << 32 ^ static_cast<std::uint64_t>(i.b));
    mix(static_cast<std::uint64_t>(i.c) ^ bits);
  }
  for (const int key : keys()) mix(static_cast<std::uint64_t>(key));
  return h;
}

bool ElementFormulas::same_formulas(const ElementFormulas& other) const {
  const auto same = [](const Instruction& x, const Instruction& y) {
    return x.op == y.op && x.a == y.a && x.b == y.b && x.c == y.c && x.value == y.value;
  };
  return std::equal(tape.instructions().begin(), tape.instructions().end(), other.tape.instructions().begin(),
                    other.tape.instructions().end(), same) &&
         keys() == other.keys();
}

}  // namespace raak
