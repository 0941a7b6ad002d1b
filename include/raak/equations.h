// Equations of your own, written once as a struct:
//
//   struct Pendulum {
//     static constexpr int coordinates = 2, constraints = 1;
//     void mass(const auto& t, const auto& q, auto& M) const;                       // M(i,j), starts at zero
//     void force(const auto& t, const auto& q, const auto& v, auto& f) const;       // f[i], starts at zero
//     void constraint(const auto& t, const auto& q, auto& g) const;                 // g[i]
//   };
//
// and, if it has them: `velocity_constraints` and velocity_constraint(t, q, v, c) for non-holonomic rows; potential(t,
// q), power(t, q, v) of forces that are not in the potential; output(state, values); description(). The functions are
// called with numbers that record what is computed with them; Jacobians and all else are derived from the recording.
// Formulas may call sin, cos, tan, atan2, exp, log, sqrt, tanh, abs, min, max and pow(x, number), unqualified.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "raak/export.h"
#include "raak/model.h"

namespace raak_v0 {

// A number that records what is done to it.
class RAAK_API Real {
 public:
  Real() = default;
  Real(double value);  // NOLINT(google-explicit-constructor): constants appear in every formula

  Real& operator+=(const Real& o) { return *this = *this + o; }
  Real& operator-=(const Real& o) { return *this = *this - o; }
  Real& operator*=(const Real& o) { return *this = *this * o; }
  Real& operator/=(const Real& o) { return *this = *this / o; }
  friend RAAK_API Real operator+(const Real& a, const Real& b);
  friend RAAK_API Real operator-(const Real& a, const Real& b);
  friend RAAK_API Real operator*(const Real& a, const Real& b);
  friend RAAK_API Real operator/(const Real& a, const Real& b);
  friend RAAK_API Real operator-(const Real& a);
  friend RAAK_API Real sqrt(const Real& a);
  friend RAAK_API Real abs(const Real& a);
  friend RAAK_API Real min(const Real& a, const Real& b);
  friend RAAK_API Real max(const Real& a, const Real& b);
  friend RAAK_API Real sin(const Real& a);
  friend RAAK_API Real cos(const Real& a);
  friend RAAK_API Real tan(const Real& a);
  friend RAAK_API Real tanh(const Real& a);
  friend RAAK_API Real exp(const Real& a);
  friend RAAK_API Real log(const Real& a);
  friend RAAK_API Real pow(const Real& a, double p);
  friend RAAK_API Real atan2(const Real& y, const Real& x);

 private:
  [[maybe_unused]] int id_ = 0;  // zero
  [[maybe_unused]] bool negative_ = false;
};
using Reals = std::vector<Real>;

// A symmetric matrix: (i, j) and (j, i) are the same entry.
class SymmetricMatrix {
 public:
  explicit SymmetricMatrix(int size)
      : entries_(static_cast<std::size_t>(size) * (static_cast<std::size_t>(size) + 1) / 2) {}
  Real& operator()(int i, int j) {
    const auto row = static_cast<std::size_t>(i > j ? i : j), column = static_cast<std::size_t>(i > j ? j : i);
    return entries_[row * (row + 1) / 2 + column];
  }

 private:
  Reals entries_;
};

// What output() may use.
struct RecordedMoment {
  Real t;
  Reals q, v, a, lambda;
};

// Names a person would recognise. Units, "m" or "rad" of each coordinate, may be left out.
struct Description {
  std::vector<std::string> coordinates, constraints, outputs, units;
};

// Where equations start: values that hold, and guesses that select the branch; "x" of a position, "v.x" of a velocity.
// What is named nowhere starts from 0 and may move.
struct StartValues {
  std::vector<Setting> trust = {};
  std::vector<Setting> guess = {};
  double t = 0.0;  // s
};

namespace detail {

class RAAK_API Equations {
 public:
  Equations(int coordinates, int position_rows, int velocity_rows, Description description);
  virtual ~Equations();
  virtual void mass(const Real& t, const Reals& q, SymmetricMatrix& M) const = 0;
  virtual void force(const Real& t, const Reals& q, const Reals& v, Reals& f) const = 0;
  virtual void constraint(const Real& t, const Reals& q, Reals& g) const = 0;
  virtual void velocity_constraint(const Real& t, const Reals& q, const Reals& v, Reals& c) const = 0;
  virtual bool accounts_for_energy() const = 0;
  virtual Real potential(const Real& t, const Reals& q) const = 0;
  virtual Real power(const Real& t, const Reals& q, const Reals& v) const = 0;
  virtual void output(const RecordedMoment& moment, Reals& values) const = 0;

  const int coordinates, position_rows, velocity_rows;
  const Description description;
};

RAAK_API Model model_of(std::shared_ptr<const Equations> equations, const StartValues& start, const std::string& name);

template <class Problem>
constexpr int velocity_rows_of() {
  if constexpr (requires { Problem::velocity_constraints; }) return Problem::velocity_constraints;
  else return 0;
}
template <class Problem>
Description description_of(const Problem& problem) {
  if constexpr (requires { problem.description(); }) return problem.description();
  else return {};
}

template <class Problem>
class EquationsOf final : public Equations {
 public:
  explicit EquationsOf(Problem problem)
      : Equations(Problem::coordinates, Problem::constraints, velocity_rows_of<Problem>(), description_of(problem)),
        problem_(std::move(problem)) {}

  void mass(const Real& t, const Reals& q, SymmetricMatrix& M) const override { problem_.mass(t, q, M); }
  void force(const Real& t, const Reals& q, const Reals& v, Reals& f) const override { problem_.force(t, q, v, f); }
  void constraint(const Real& t, const Reals& q, Reals& g) const override {
    if constexpr (Problem::constraints > 0) problem_.constraint(t, q, g);
  }
  void velocity_constraint(const Real& t, const Reals& q, const Reals& v, Reals& c) const override {
    if constexpr (velocity_rows_of<Problem>() > 0) problem_.velocity_constraint(t, q, v, c);
  }
  bool accounts_for_energy() const override { return has_potential || has_power; }
  Real potential(const Real& t, const Reals& q) const override {
    if constexpr (has_potential) return problem_.potential(t, q);
    else return {};
  }
  Real power(const Real& t, const Reals& q, const Reals& v) const override {
    if constexpr (has_power) return problem_.power(t, q, v);
    else return {};
  }
  void output(const RecordedMoment& moment, Reals& values) const override {
    if constexpr (requires { problem_.output(moment, values); }) problem_.output(moment, values);
  }

 private:
  static constexpr bool has_potential = requires(const Problem& p, Real t, Reals q) { p.potential(t, q); };
  static constexpr bool has_power = requires(const Problem& p, Real t, Reals q) { p.power(t, q, q); };
  Problem problem_;
};

}  // namespace detail

// A model of the equations, to run as any other.
template <class Problem>
Model equations(Problem problem, const StartValues& start, const std::string& name = "equations") {
  return detail::model_of(std::make_shared<detail::EquationsOf<Problem>>(std::move(problem)), start, name);
}

}  // namespace raak_v0
