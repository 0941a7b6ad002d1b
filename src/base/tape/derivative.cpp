#include "base/tape/derivative.h"

#include "base/code/program.h"
#include "base/error.h"

namespace raak {

// One sweep over the instructions that lie between the variables and the values.
class Differentiation {
 public:
  explicit Differentiation(const std::vector<Recorded>& values)
      : values_(values), gradient_(Tape::current().instructions().size()), state_(gradient_.size(), 0) {}

  void seed(const Recorded& variable, Gradient gradient) {
    if (variable.is_constant()) return;
    const auto id = static_cast<std::size_t>(variable.id_);
    gradient_[id] = variable.negative_ ? scaled(gradient, Recorded(-1.0)) : std::move(gradient);
    state_[id] = known;
  }

  std::vector<Gradient> run() {
    mark();
    for (std::size_t id = 0; id < state_.size(); ++id)
      if (state_[id] == wanted) gradient_[id] = differentiate(static_cast<int>(id));
    std::vector<Gradient> result;
    for (const Recorded& value : values_) {
      const Gradient& g = gradient_[static_cast<std::size_t>(value.id_)];
      result.push_back(value.negative_ ? scaled(g, Recorded(-1.0)) : g);
    }
    return result;
  }

 private:
  enum : char { untouched, wanted, known };

  static Instruction instruction(int id) { return Tape::current().instructions()[static_cast<std::size_t>(id)]; }

  void mark() {
    for (const Recorded& value : values_) want(value.id_);
    for (auto id = static_cast<int>(state_.size()) - 1; id >= 0; --id)
      if (state_[static_cast<std::size_t>(id)] == wanted)
        for_each_dependency(instruction(id), [&](int operand) { want(operand); });
  }
  void want(int id) {
    char& state = state_[static_cast<std::size_t>(id)];
    if (state == untouched) state = wanted;
  }

  const Gradient& of(int id) const { return gradient_[static_cast<std::size_t>(id)]; }
  static Recorded value(int id) { return {id, false}; }

  static Gradient scaled(const Gradient& g, const Recorded& factor) {
    Gradient result;
    result.reserve(g.size());
    for (const auto& [variable, partial] : g) {
      const Recorded product = partial * factor;
      if (!product.is_zero()) result.emplace_back(variable, product);
    }
    return result;
  }
  static Gradient sum(const Gradient& a, const Gradient& b) {
    Gradient result;
    result.reserve(a.size() + b.size());
    auto i = a.begin();
    auto j = b.begin();
    while (i != a.end() || j != b.end()) {
      if (j == b.end() || (i != a.end() && i->first < j->first)) result.push_back(*i++);
      else if (i == a.end() || j->first < i->first) result.push_back(*j++);
      else {
        const Recorded total = i->second + j->second;
        if (!total.is_zero()) result.emplace_back(i->first, total);
        ++i, ++j;
      }
    }
    return result;
  }
  // Keeps the slope of a root or an angle finite at 0, where it is multiplied by 0; too small to change any other.
  static constexpr double tiny = 1e-150;
  // x / |x|, and 0 at 0.
  static Recorded sign(const Recorded& x) { return x / (abs(x) + 1e-300); }

  Gradient differentiate(int id) const {
    const Instruction i = instruction(id);
    const auto one = [&](const auto& slope) { return of(i.a).empty() ? Gradient{} : scaled(of(i.a), slope()); };
    switch (i.op) {
      case Op::constant:
      case Op::input:
        return {};
      case Op::add:
        return sum(of(i.a), of(i.b));
      case Op::subtract:
        return sum(of(i.a), scaled(of(i.b), Recorded(-1.0)));
      case Op::multiply:
        return sum(scaled(of(i.a), value(i.b)), scaled(of(i.b), value(i.a)));
      case Op::divide: {
        if (of(i.a).empty() && of(i.b).empty()) return {};
        const Recorded inverse = Recorded(1.0) / value(i.b);
        return sum(scaled(of(i.a), inverse), scaled(of(i.b), -(value(id) * inverse)));
      }
      case Op::square_root:
        return one([&] { return Recorded(0.5) / (value(id) + tiny); });
      case Op::absolute:
        return one([&] { return sign(value(i.a)); });
      case Op::minimum: {
        const Recorded side = sign(value(i.a) - value(i.b));
        return sum(scaled(of(i.a), (1.0 - side) * 0.5), scaled(of(i.b), (1.0 + side) * 0.5));
      }
      case Op::sine_part:
      case Op::cosine_part: {
        const Gradient& inner = of(Tape::current().angle_of(i.a));
        if (inner.empty()) return {};
        const bool sine = i.op == Op::sine_part;
        const Recorded other(Tape::current().push(sine ? Op::cosine_part : Op::sine_part, i.a, i.b, i.c), false);
        return scaled(inner, sine ? other : -other);
      }
      case Op::exponential:
        return one([&] { return value(id); });
      case Op::logarithm:
        return one([&] { return Recorded(1.0) / value(i.a); });
      case Op::power:
        return one([&] { return i.value * pow(value(i.a), i.value - 1.0); });
      case Op::angle: {
        const Recorded y = value(i.a);
        const Recorded x = value(i.b);
        if (of(i.a).empty() && of(i.b).empty()) return {};
        const Recorded inverse = Recorded(1.0) / (x * x + y * y + tiny);
        return sum(scaled(of(i.a), x * inverse), scaled(of(i.b), -(y * inverse)));
      }
      case Op::multiply_add:
      case Op::subtract_product:
      case Op::product_minus:
        break;
    }
    throw Error(ErrorKind::internal, "a fused operation cannot be on a tape that is being recorded");
  }

  const std::vector<Recorded>& values_;
  std::vector<Gradient> gradient_;
  std::vector<char> state_;
};

std::vector<Gradient> gradients(const std::vector<Recorded>& values, const std::vector<Recorded>& variables) {
  Differentiation differentiation(values);
  for (std::size_t i = 0; i < variables.size(); ++i)
    differentiation.seed(variables[i], {{static_cast<int>(i), Recorded(1.0)}});
  return differentiation.run();
}

std::vector<Recorded> derivative_along(const std::vector<Recorded>& values, const std::vector<Recorded>& variables,
                                       const std::vector<Recorded>& direction) {
  Differentiation differentiation(values);
  for (std::size_t i = 0; i < variables.size(); ++i)
    differentiation.seed(variables[i], direction[i].is_zero() ? Gradient{} : Gradient{{0, direction[i]}});
  std::vector<Recorded> result;
  for (const Gradient& g : differentiation.run()) result.push_back(g.empty() ? Recorded(0.0) : g.front().second);
  return result;
}

}  // namespace raak
