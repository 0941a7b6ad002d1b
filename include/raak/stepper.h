// A run step by step, in a loop of your own, with dense output inside each step.
#pragma once
#include <memory>
#include <string_view>

#include "raak/export.h"
#include "raak/model.h"

namespace raak_v0 {

class RAAK_API Stepper {
 public:
  // Begins at the start of the model. The times of samples among the options mean nothing here.
  explicit Stepper(const Model& model, const Options& options = {});
  Stepper(Stepper&&) noexcept;
  Stepper& operator=(Stepper&&) noexcept;
  ~Stepper();

  // Takes the next step; false: `until` is reached, or an event has stopped the run, and there is none. Throws
  // SolveError where it cannot go on.
  bool step();

  double t() const;           // s: where the last step ended
  double before() const;      // s: where it began
  const Moment& now() const;  // all columns at t()
  double operator[](std::string_view name) const { return now()[name]; }
  // Inside the last step, by the method's dense output; work done and what depends on it are known at t() only (nan).
  Moment at(double t) const;
  Statistics statistics() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace raak_v0
