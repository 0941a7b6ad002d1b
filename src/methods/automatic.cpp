#include "methods/automatic.h"

#include <algorithm>
#include <cmath>

namespace raak {
namespace {

constexpr double limited = 1.7;       // a step of gauss is this much shorter than accuracy wants
constexpr int many_sweeps = 7;        // where Newton corrections would need about half of them
constexpr double contracting = 0.15;  // sweeps that contract like this are cheaper than Newton corrections
constexpr int first_signs = 4;
constexpr int most_signs = 200;
constexpr int sign_of_divergence = 2;

}  // namespace

Automatic::Automatic(const ConstrainedSystem& system, const std::string& form, const Tolerances& tolerances)
    : gauss_(make_gauss(system, form, tolerances)),
      radau_(std::make_unique<Radau>(system, form, tolerances)),
      active_(gauss_.get()),
      last_(gauss_.get()) {}

double Automatic::begin(const State& start, double until) {
  until_ = until;
  active_ = last_ = gauss_.get();
  signs_ = 0;
  needed_ = first_signs;
  divergences_ = 0;
  used_radau_ = used_gauss_ = false;
  return active_->begin(start, until);
}

void Automatic::use_fixed_steps() {
  fixed_steps_ = true;
  gauss_->use_fixed_steps();
  radau_->use_fixed_steps();
}

// Both methods count for themselves; what an attempt added is added here.
void Automatic::count_work(const Statistics& before) {
  const Statistics& after = active_->statistics();
  statistics_.evaluations += after.evaluations - before.evaluations;
  statistics_.jacobians += after.jacobians - before.jacobians;
  statistics_.factorizations += after.factorizations - before.factorizations;
}

Attempt Automatic::attempt(double to) {
  const Statistics before = active_->statistics();
  const Attempt result = active_->attempt(to);
  count_work(before);
  if (!result.acceptable && active_ == gauss_.get() && gauss_->sweep_record().diverged) ++divergences_;
  return result;
}

double Automatic::accept() {
  double h = active_->accept();
  last_ = active_;
  bool sign = false;
  if (active_ == gauss_.get()) {
    used_gauss_ = true;
    const SweepRecord& record = gauss_->sweep_record();
    sign = divergences_ > 0 || record.wish > limited || record.sweeps >= many_sweeps;
    signs_ += sign_of_divergence * divergences_;
  } else {
    used_radau_ = true;
    sign = radau_->fixed_point_contraction() < contracting;
  }
  divergences_ = 0;
  signs_ = sign ? signs_ + 1 : std::max(0, signs_ - 1);
  if (signs_ < needed_) return h;
  signs_ = 0;
  needed_ = std::min(most_signs, 3 * needed_);
  active_ = active_ == gauss_.get() ? static_cast<Integrator*>(radau_.get()) : gauss_.get();
  const double first = active_->begin(last_->current(), until_);
  return std::abs(first) < std::abs(h) ? h : std::min(std::abs(first), 2.0 * std::abs(h)) * (h < 0.0 ? -1.0 : 1.0);
}

std::string Automatic::methods_used() const {
  if (!used_radau_) return "gauss";
  return used_gauss_ ? "gauss+radau" : "radau";
}

}  // namespace raak
