#include "kinematics/slow/slow_manifold.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/text/some_of.h"
#include "kinematics/slow/slow_motion.h"

namespace raak {
namespace {

using Why = NoSlowManifold::Why;
constexpr Eigen::Index most_coordinates_in_windows = 600, most_freedoms = 120;  // beyond these it takes minutes
constexpr double most_gain = 0.25;   // of a term over the one before: slow and fast differ by a factor of 2
constexpr double noticeable = 1e-6;  // share of the acceleration of all deflections
constexpr double unseen = 1e-8;      // deflection, of the scale of coordinates
// A window must be short for the motion, so that a polynomial follows it, and long for rounding, which derivatives
// multiply. The first one, of a few radians of the vibration, serves to see how slow the motion is.
constexpr double first_radians = 2.0, most_radians = 40.0, least_radians = 0.5, radians_of_motion = 0.3;
constexpr double followed = 1e-10;                 // share of a deflection that the polynomial may miss
constexpr std::size_t most_frequencies_shown = 4;  // frequencies of a message

std::string text_of_frequencies(const FreeVibrations& vibrations) {
  std::vector<std::string> shown;
  for (Eigen::Index i = 0; i < vibrations.count(); ++i) shown.push_back(fmt::format("{:.4g}", vibrations.frequency(i)));
  return some_of(shown, most_frequencies_shown) + " rad/s";
}

[[noreturn]] void refuse_without_stiff_part(const FreeVibrations& vibrations, const std::string& why) {
  const Eigen::Index last = vibrations.count() - 1;
  throw NoSlowManifold(Why::no_stiff_part, last < 0 ? 0.0 : vibrations.frequency(last),
                       "there is no smooth start, because there is no stiff part: " + why,
                       "stiffen what should be stiff, or leave out smooth");
}

void require_size(const ConstrainedSystem& system) {
  if (system.has_dense_matrices() && system.coordinates() <= most_coordinates_in_windows &&
      system.coordinates() - system.rows() <= most_freedoms)
    return;
  throw NoSlowManifold(Why::too_large, 0.0,
                       fmt::format("there is no smooth start of {} coordinates with {} freedoms: vibrations are found "
                                   "of up to {} coordinates with {} freedoms",
                                   system.coordinates(), system.coordinates() - system.rows(),
                                   most_coordinates_in_windows, most_freedoms),
                       "leave out smooth");
}

// The motion of one division into fast and slow, and how far they are apart.
struct Split {
  std::unique_ptr<SlowMotion> motion;
  double slow_rate = 0.0;  // 1/s: of the motion, or the fastest of the slow vibrations
  double separation = 0.0;
};

class Chooser {
 public:
  Chooser(const ConstrainedSystem& system, const State& start, const TrustedDirections& trusted)
      : system_(system), start_(start), trusted_(trusted), given_(free_vibrations(system, start.t, start.q)) {}

  // The same split with the longest window in which a polynomial follows the first term.
  std::unique_ptr<SlowMotion> with_fitting_window(const Split& split) const {
    double radians = std::clamp(radians_of_motion * split.separation, first_radians, most_radians);
    std::unique_ptr<SlowMotion> motion = with_window(split.motion->fast(), radians);
    for (radians *= 0.5; radians > least_radians && !follows(*motion); radians *= 0.5)
      motion = with_window(split.motion->fast(), radians);
    return motion;
  }
  Split choose(const std::optional<double>& above) const {
    if (given_.count() == 0) refuse_without_stiff_part(given_, "the rows leave nothing that could vibrate");
    return above ? choose_above(*above) : choose_by_gap();
  }

 private:
  static bool follows(const SlowMotion& motion) {
    const Matrix modes = motion.in_modes(motion.unbalanced());
    const Vector missed = motion.window().highest_part(modes), scales = motion.scales_of_modes();
    const double size = modes.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < missed.size(); ++i)
      if (missed[i] > std::max(followed * size, 1e-4 * unseen * scales[i])) return false;
    return true;
  }
  std::unique_ptr<SlowMotion> with_window(Eigen::Index fast, double radians) const {
    return std::make_unique<SlowMotion>(system_, trusted_, start_, fast, radians);
  }
  Split split_at(Eigen::Index fast) const {
    Split split;
    split.motion = with_window(fast, first_radians);
    const SlowMotion& motion = *split.motion;
    const Eigen::Index first = motion.first_fast();
    split.slow_rate = std::max(motion.rate(), first > 0 ? motion.vibrations().frequency(first - 1) : 0.0);
    split.separation = motion.vibrations().frequency(first) / split.slow_rate;
    return split;
  }
  Split choose_above(double above) const {
    const Eigen::Index fast = (given_.squares.array() > above * above).count();
    if (fast == 0)
      refuse_without_stiff_part(
          given_, fmt::format("no vibration is faster than {:.4g} rad/s; those at the start have {}", above,
                              text_of_frequencies(given_)));
    return split_at(fast);
  }
  // Where all vibrations count as fast something else has to move.
  Split choose_by_gap() const {
    constexpr double needed = SlowManifoldRequest::clearly_separate;
    Split best;
    for (Eigen::Index first = 0; first < given_.count(); ++first) {
      const double slower = first > 0 ? given_.frequency(first - 1) : 0.0;
      if (!(given_.frequency(first) > needed * slower)) continue;
      try {
        Split split = split_at(given_.count() - first);
        if (first == 0 && !split.motion->moves()) continue;
        if (!best.motion || split.separation > best.separation) best = std::move(split);
      } catch (const NoSlowManifold&) {
        continue;  // another gap may do
      }
    }
    if (best.motion && best.separation >= needed) return best;
    const std::string apart = best.motion
                                  ? fmt::format(
                                        ", the motion changes at {:.4g} 1/s, and the clearest gap is a factor of "
                                        "{:.3g}",
                                        best.slow_rate, best.separation)
                                  : "";
    refuse_without_stiff_part(given_, fmt::format("its vibrations have {}{}; fast and slow must differ by a factor of "
                                                  "{:.3g}",
                                                  text_of_frequencies(given_), apart, needed));
  }

  const ConstrainedSystem& system_;
  const State& start_;
  const TrustedDirections& trusted_;
  FreeVibrations given_;
};

// Of each fast vibration at the start: sqrt(d^2 + (d'/omega)^2) of its part d in a deflection, a column each.
Vector amplitudes(const SlowMotion& motion, const Matrix& modes) {
  const Matrix rates = motion.window().derivative(modes);
  Vector result(motion.fast());
  for (Eigen::Index i = 0; i < result.size(); ++i)
    result[i] = std::hypot(modes(0, i), rates(0, i) / motion.vibrations().frequency(motion.first_fast() + i));
  return result;
}

// Adds up the series while its terms fall.
class Series {
 public:
  Series(const ConstrainedSystem& system, SlowMotion& motion, double slow_rate)
      : motion_(motion), slow_rate_(slow_rate), scales_(motion.scales_of_modes()) {
    for (Eigen::Index i = 0; i < motion_.fast(); ++i) {
      const Eigen::Index mode = motion_.first_fast() + i;
      fast_.push_back({motion_.vibrations().frequency(mode), 0.0, carriers_of(system, motion_.vibrations(), mode)});
    }
  }

  // Returns the order that was reached.
  int add(int order) {
    Matrix term = motion_.unbalanced();
    require_separation(motion_.in_modes(term));
    motion_.deflect(term);
    double before = weighted(amplitudes(motion_, motion_.in_modes(term)));
    for (int k = 1; k <= order; ++k) {
      term = motion_.unbalanced();
      const double now = weighted(amplitudes(motion_, motion_.in_modes(term)));
      if (!(now < before)) return k - 1;
      motion_.deflect(term);
      before = now;
    }
    return order;
  }
  const std::vector<FastVibration>& fast() const { return fast_; }

 private:
  // By accelerations.
  double weighted(const Vector& amplitude) const {
    double sum = 0.0;
    for (Eigen::Index i = 0; i < amplitude.size(); ++i) sum += square(i) * amplitude[i];
    return sum;
  }
  double square(Eigen::Index mode) const { return std::pow(fast_[static_cast<std::size_t>(mode)].frequency, 2); }
  // The second time derivative of a deflection shows how quickly what drives it changes.
  void require_separation(const Matrix& modes) {
    const TimeWindow& window = motion_.window();
    const Vector size = amplitudes(motion_, modes);
    const Vector change = amplitudes(motion_, window.derivative(window.derivative(modes)));
    const double all = weighted(size);
    for (Eigen::Index i = 0; i < size.size(); ++i) {
      FastVibration& mode = fast_[static_cast<std::size_t>(i)];
      const double next = change[i] / square(i), seen = unseen * scales_[i];
      mode.separation = next > seen ? std::sqrt(size[i] / next) : mode.frequency / slow_rate_;
      if (next <= std::max(most_gain * size[i], seen) || change[i] <= noticeable * all) continue;
      throw NoSlowManifold(
          Why::resonance, mode.frequency,
          fmt::format(
              "there is no smooth start, because of resonance: the motion drives the vibration of {:.6g} rad/s, "
              "carried by {}, at about {:.4g} rad/s, and less than half of its frequency is needed",
              mode.frequency, mode.carriers, mode.frequency / mode.separation),
          "drive it slower, stiffen it, or choose another start");
    }
  }

  SlowMotion& motion_;
  double slow_rate_;
  Vector scales_;
  std::vector<FastVibration> fast_;
};

void require_trusted(const TrustedDirections& trusted, const State& state, const FastVibration& fastest) {
  TrustedDirections::Miss miss = trusted.position_miss(state.t, state.q);
  if (miss.size <= 1e-9) {
    miss = trusted.velocity_miss(state.t, state.q, state.v);
    if (miss.size <= 1e-9 * std::max(1.0, state.v.cwiseAbs().maxCoeff())) return;
  }
  throw NoSlowManifold(
      Why::trusted, fastest.frequency,
      fmt::format("there is no smooth start that holds the trusted \"{}\": it belongs to a vibration of "
                  "the stiff parts, the fastest of which has {:.4g} rad/s",
                  miss.name, fastest.frequency),
      "give it as a guess");
}

}  // namespace

SmoothStart smooth_start(const ConstrainedSystem& system, const State& start, const StartRequest& trusted,
                         const SlowManifoldRequest& request) {
  require_size(system);
  if (request.order < 0 || request.order > SlowManifoldRequest::highest_order)
    throw Error(ErrorKind::request, fmt::format("the order of a smooth start is 0 to {}, found {}",
                                                SlowManifoldRequest::highest_order, request.order));
  const TrustedDirections directions(system, trusted);
  const Chooser chooser(system, start, directions);
  Split split = chooser.choose(request.above);
  split.motion = chooser.with_fitting_window(split);
  Series series(system, *split.motion, split.slow_rate);
  SmoothStart found;
  found.order = series.add(request.order);
  found.fast = series.fast();
  found.slow_rate = split.slow_rate;
  found.state = split.motion->start();
  require_trusted(directions, found.state, found.fast.back());
  complete_start(system, found.state);
  return found;
}

}  // namespace raak
