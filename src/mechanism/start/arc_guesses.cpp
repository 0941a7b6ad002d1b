#include "mechanism/start/arc_guesses.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/sort_stably.h"
#include "mechanism/bodies/placement.h"

namespace raak {
namespace {

constexpr std::size_t most_starts = 6;
constexpr int headings = 20, curls = 21;  // of a grid over all directions and up to a full turn both ways
constexpr int refinements = 6;            // halvings of the grid around its best places

class ChainsAlongArcs {
 public:
  ChainsAlongArcs(const Instance& instance, const std::vector<std::string>& velocities,
                  const std::function<double(const Vector&)>& gap)
      : listed_(listed_bodies(instance, velocities)), gap_(gap) {}

  bool any() const { return listed_.leaves_choice(); }
  int deepest() const {
    Placement straight = listed_;
    return std::max(2, straight.place_all());
  }
  Vector configuration(const Bend& bend) const {
    Placement bent = listed_;
    bent.place_all(&bend);
    return bent.coordinates();
  }
  double gap(const Bend& bend) const {
    const double value = gap_(configuration(bend));
    return std::isfinite(value) ? value : 1e300;
  }

 private:
  Placement listed_;
  const std::function<double(const Vector&)>& gap_;
};

struct Tried {
  Bend bend;
  double gap;
};

// Steps to the best neighbour, and shorter ones where none is better.
Tried refined(const ChainsAlongArcs& chains, Tried best, double heading_step, double curl_step) {
  for (int halvings = 0; halvings < refinements;) {
    Tried next = best;
    for (const auto& [h, c] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      Bend bend = best.bend;
      bend.heading += h * heading_step;
      bend.curl += c * curl_step;
      const double gap = chains.gap(bend);
      if (gap < next.gap) next = {bend, gap};
    }
    if (next.gap < best.gap) {
      best = next;
      continue;
    }
    heading_step *= 0.5;
    curl_step *= 0.5;
    ++halvings;
  }
  return best;
}

}  // namespace

std::vector<Vector> arc_guesses(const Instance& instance, const std::vector<std::string>& velocities,
                                const std::function<double(const Vector&)>& gap) {
  const ChainsAlongArcs chains(instance, velocities, gap);
  if (!chains.any()) return {};
  const double heading_step = 2.0 * std::numbers::pi / headings;
  const double curl_step = 4.0 * std::numbers::pi / (curls - 1) / (chains.deepest() - 1);
  std::vector<Tried> best;
  for (int axis = 2; axis >= (instance.planar() ? 2 : 0); --axis) {
    std::vector<double> gaps(static_cast<std::size_t>(headings * curls));
    constexpr int middle = curls / 2;
    // Between the directions and curls of a line, which lead nowhere.
    const auto bend_at = [&](int h, int c) {
      return Bend{(h + 0.37) * heading_step, (c - middle + 0.21) * curl_step, axis};
    };
    const auto at = [&](int h, int c) -> double& {
      return gaps[static_cast<std::size_t>((h + headings) % headings * curls + c)];
    };
    for (int h = 0; h < headings; ++h)
      for (int c = 0; c < curls; ++c) at(h, c) = chains.gap(bend_at(h, c));
    for (int h = 0; h < headings; ++h)
      for (int c = 0; c < curls; ++c) {
        const double here = at(h, c);
        const bool least = here <= at(h + 1, c) && here <= at(h - 1, c) && (c == 0 || here <= at(h, c - 1)) &&
                           (c + 1 == curls || here <= at(h, c + 1));
        if (least) best.push_back({bend_at(h, c), here});
      }
  }
  const auto smaller = [](const Tried& a, const Tried& b) { return a.gap < b.gap; };
  sort_stably(best, smaller);
  best.resize(std::min(best.size(), most_starts));
  for (Tried& tried : best) tried = refined(chains, tried, 0.5 * heading_step, 0.5 * curl_step);
  sort_stably(best, smaller);
  std::vector<Vector> starts;
  for (const Tried& tried : best) starts.push_back(chains.configuration(tried.bend));
  return starts;
}

}  // namespace raak
