// What radau does about the coordinates that it integrates: putting their choice to use, bringing the others back to
// the constraints, and linearising in them (coordinate_choice.h).
#include "methods/collocation/radau.h"
#include "system/recorded/evaluation_cost.h"

namespace raak {

double Radau::foreseen_factor_cost(const ConstrainedSystem& system) {
  constexpr double cycles_per_product = 2.0;
  constexpr double products_a_row = 100.0;  // of sparse factors: chains and ladders have 50 to 200
  const double n = system.coordinates(), m = system.rows();
  const bool few = system.coordinates() <= CoordinateChoice::most_coordinates;
  if (few && system.velocity_rows() == 0) return cycles_per_product * 1.4 * (n - m) * (n - m) * (n - m);
  if (SparseEquations::worthwhile(system) != nullptr) return cycles_per_product * products_a_row * (n + m);
  return cycles_per_product * (n + m) * (n + m) * (n + m);
}

void Radau::use_coordinates() {
  jacobian_->is_old = true;
  components_ = independent_ ? choice_->partition()->independent().data() : all_.data();
  control_.integrates(components_,
                      independent_ ? static_cast<int>(jacobian_->reduced.M.rows()) : system_.coordinates());
  if (!independent_) return;
  four_.stages.use(*choice_->partition(), choice_->plan());
  eight_.stages.use(*choice_->partition(), choice_->plan());
  if (sixteen_) sixteen_->stages.use(*choice_->partition(), choice_->plan());
}

void Radau::visit_state(Archive& archive) {
  archive.name("radau");
  bool begun = four_.now.newton != nullptr;
  bool has_sixteen = sixteen_ != nullptr;
  archive(begun, has_sixteen, independent_, chart_, control_, *jacobian_, *kept_jacobian_, jacobians_, relinearized_);
  if (choice_) archive(*choice_);
  // The places of the entries never change: those of either linearization will do.
  bool has_pattern = pattern_ != nullptr, has_now = jacobian_->full.pattern != nullptr;
  bool has_kept = kept_jacobian_->full.pattern != nullptr;
  archive(has_pattern, has_now, has_kept);
  if (archive.is_loading()) {
    pattern_.reset();
    if (has_pattern) pattern_ = std::make_shared<const SaddlePattern>(has_now ? jacobian_->full : kept_jacobian_->full);
    jacobian_->full.pattern = has_now ? pattern_ : nullptr;
    kept_jacobian_->full.pattern = has_kept ? pattern_ : nullptr;
  }
  if (archive.is_loading() && begun) {
    components_ = independent_ ? choice_->partition()->independent().data() : all_.data();
    four_.begin(unknowns(), unknown_rows(), uses_sparse());
    eight_.begin(unknowns(), unknown_rows(), uses_sparse());
    sixteen_.reset();
    if (has_sixteen) {
      sixteen_ = std::make_unique<Rule<16>>(system_);
      sixteen_->begin(unknowns(), unknown_rows(), uses_sparse());
    }
  }
  const Partition* const partition = independent_ ? choice_->partition() : nullptr;
  if (begun) {
    four_.visit_state(archive, partition, pattern_);
    eight_.visit_state(archive, partition, pattern_);
    if (sixteen_) sixteen_->visit_state(archive, partition, pattern_);
  }
  archive(newton_work_, first_residual_);
  archive(contraction_, now_, shown_, shown_known_, next_, before_, middle_, series_, next_series_, fine_series_);
  archive(from_q_, from_v_, end_q_, end_v_, raw_q_, raw_v_, stages_, series_stages_, next_stages_, series_h_, next_h_);
  archive(done_h_, since_drawn_near_, serves_, chosen_here_, have_series_, dense_ready_, just_rejected_);
  scratch(system_, equations_, all_, first_stages_, fixed_order_, is_tight_);
}

const State& Radau::current() const {
  if (!shown_known_) {
    shown_.t = now_.t;
    shown_.q = now_.q;
    shown_.v = now_.v;
    if (independent_) choice_->try_restore(shown_.t, shown_.q, shown_.v);
    update_accelerations(system_, shown_);
    shown_known_ = true;
  }
  return shown_;
}

// In the middle of the step ahead, as far as a parabola leads there.
void Radau::update_jacobian(double h) {
  if (!relinearized_) std::swap(jacobian_, kept_jacobian_);
  relinearized_ = true;
  if (independent_) {
    // The end of the last step is near enough to the constraints, and its accelerations are known as a series.
    for (int d = 0; d < system_.coordinates(); ++d) {
      double a = 0.0;
      for (int k = 0; k < series_stages_; ++k) a += series_[series_stages_ * d + k];
      middle_.q[d] = now_.q[d] + 0.5 * h * (now_.v[d] + 0.25 * h * a);
      middle_.v[d] = now_.v[d] + 0.5 * h * a;
    }
    choice_->linearize(now_.t + 0.5 * h, middle_.q, middle_.v, jacobian_->reduced.M, jacobian_->reduced.D,
                       jacobian_->reduced.K);
    newton_work_.cycles += cycles_of_program(choice_->partition()->linearisation_cost());
  } else {
    const State& from = current();
    middle_.t = from.t + 0.5 * h;
    middle_.q = from.q + 0.5 * h * from.v + 0.125 * h * h * from.a;
    middle_.v = from.v + 0.5 * h * from.a;
    const double pivot = update_accelerations(system_, middle_);
    const bool sound = pivot > 0.0 && middle_.a.allFinite() && middle_.lambda.allFinite();
    jacobian_->full.update(system_, sound ? middle_ : from);
    if (equations_ != nullptr && !pattern_) pattern_ = std::make_shared<const SaddlePattern>(jacobian_->full);
    jacobian_->full.pattern = pattern_;
    ++newton_work_.linearizations;
  }
  ++statistics().evaluations;
  ++statistics().jacobians;
  jacobian_->number = ++jacobians_;
  jacobian_->is_old = false;
  jacobian_->t = now_.t;
}

void Radau::keep_coordinates() {
  serves_ = smallest_pivot() > CoordinateChoice::serving_pivot;
  chosen_here_ = false;
  if (series_stages_ == 4) four_.stages.follow_references();
  else eight_.stages.follow_references();
  if (!serves_) choice_->try_restore(now_.t, now_.q, now_.v);
  else if (++since_drawn_near_ >= CoordinateChoice::steps_between_corrections)
    choice_->draw_near(now_.t, now_.q, now_.v);
  else return;
  since_drawn_near_ = 0;
}

// Only before the next step: the dense output of the last one still needs the coordinates that it was made in.
void Radau::replace_coordinates() {
  serves_ = chosen_here_ = true;
  choice_->choose_or_renew(now_);
  use_coordinates();
}

// Over a short step it may count for more than the step itself that a state is only close to the constraints.
bool Radau::renews_start() {
  if (!independent_ || chosen_here_) return false;
  since_drawn_near_ = 0;
  const bool restored = choice_->try_restore(now_.t, now_.q, now_.v);
  replace_coordinates();
  return restored;
}

}  // namespace raak
