#include "mechanism/rows/row_selection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "kinematics/rank/sparse_frame.h"
#include "mechanism/formulas/row_turns.h"
#include "mechanism/rows/row_exchange.h"

namespace raak {
namespace {

constexpr int most_exchanged = 12;    // rows left out, of which determinants are cheap
constexpr double least_share = 1e-3;  // of a redundancy in a row that is left out: noise decides nothing

// Combinations of rows that vanish at a configuration, as seen by the rows of each set of directions at unit length.
struct Seen {
  int steps = 0;  // from the start
  VanishingRows rows;
  std::vector<Matrix> parts;
};

// The largest distance between a point of a body and its centre: in this unit positions count.
double size_of(const Instance& instance) {
  double size = 0.0;
  for (const Body& body : instance.bodies())
    for (const auto& [name, point] : body.points) size = std::max(size, norm(point - body.com).now());
  return size > 0.0 ? size : 1.0;
}

// Looks at the start and at configurations that the mechanism can come to.
class Explorer {
 public:
  Explorer(const MaximalFormulas& formulas, const ConstrainedSystem& system, const State& motion, int rank)
      : motion_(motion),
        units_(coordinate_units(formulas.instance())),
        rows_(system, units_, rank),
        driven_(!formulas.instance().mechanism().drivers.empty()),
        is_large_(system.rows() >= many_rows),
        steps_(is_large_ ? 8 : 16) {
    int sets = 1;
    for (const MechanismRow& row : formulas.all_rows()) sets = std::max(sets, row.component.sets);
    for (int set = 1; set < sets; ++set) {
      const auto turned = std::make_shared<MaximalFormulas>(formulas);
      std::vector<int> directions;
      for (const MechanismRow& row : formulas.all_rows()) directions.push_back(std::min(set, row.component.sets - 1));
      turned->keep(formulas.kept(), std::move(directions));
      turns_.push_back(std::make_unique<RowTurns>(turned));
    }
  }

  std::vector<Seen> explore() {
    if (!look(motion_.t, motion_.q, 0)) return {};
    for (const double sign : {1.0, -1.0}) follow_motion(sign);
    const int walks = is_large_ ? 1 : 3;
    for (int seed = 1; seed <= walks; ++seed)
      for (const double sign : {1.0, -1.0}) walk(seed, sign);
    return std::move(seen_);
  }

 private:
  static constexpr double apart = 0.2;   // in units of the coordinate that moves most
  static constexpr int many_rows = 150;  // of which factors take longer than the rest of an assembly

  bool look(double t, const Vector& q, int step) {
    if (!rows_.look(t, q)) return false;
    Seen at{step, {t, q, {}}, {}};
    const Vector& lengths = rows_.row_lengths();
    at.rows.vanishing = lengths.cwiseInverse().asDiagonal() * rows_.vanishing();
    at.parts.push_back(rows_.vanishing());
    Vector cosines;
    for (const auto& turns : turns_) {
      Matrix part = rows_.vanishing();
      turns->cosines(t, q, cosines);
      const double* next = cosines.data();
      for (const RowTurns::Group& group : turns->groups()) {
        const auto size = static_cast<Eigen::Index>(group.size);
        const auto first = static_cast<Eigen::Index>(group.row);
        // Multipliers of set 0 are C times theirs, rows of set 0 are C times theirs, and C is orthogonal.
        const Matrix C = Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(next, size, size);
        next += size * size;
        const Vector turned_lengths = (C.transpose() * rows_.jacobian().middleRows(first, size)).rowwise().norm();
        part.middleRows(first, size) =
            turned_lengths.asDiagonal() * C.transpose() * at.rows.vanishing.middleRows(first, size);
      }
      at.parts.push_back(std::move(part));
    }
    seen_.push_back(std::move(at));
    return true;
  }

  // In a direction of its own, at the time of the start.
  void walk(int seed, double sign) {
    std::mt19937_64 random(static_cast<unsigned>(seed));
    std::uniform_real_distribution<double> value(-1.0, 1.0);
    Vector onwards(units_.size());
    for (double& entry : onwards) entry = sign * value(random);
    onwards = onwards.cwiseProduct(units_);
    Vector q = motion_.q;
    if (!rows_.look(motion_.t, q)) return;
    for (int k = 1; k <= steps_; ++k) {
      onwards = rows_.along_rows(onwards);
      const double size = rows_.size_of(onwards);
      if (!(size > 1e-6)) return;
      q += apart / size * onwards;
      if (!rows_.bring_back(motion_.t, q) || !look(motion_.t, q, k)) return;
    }
  }

  // Where velocities and drivers lead.
  void follow_motion(double sign) {
    Vector q = motion_.q;
    Vector v = motion_.v;
    double t = motion_.t;
    const double speed = v.size() > 0 ? rows_.size_of(v) : 0.0;
    if (!(speed > 0.0) && !driven_) return;
    constexpr double shortest = 1e-3;  // s, of drivers that begin at rest
    constexpr int most_tries = 60;
    double ahead = sign * (speed > 0.0 ? apart / speed : shortest);
    for (int k = 1, tries = 0; k <= steps_ && tries < most_tries; ++tries) {
      Vector there = q + ahead * v;
      if (!rows_.bring_back(t + ahead, there)) {
        ahead *= 0.5;
        continue;
      }
      const double way = rows_.size_of(there - q);
      if (way > 2.0 * apart) {
        ahead *= 0.5;
        continue;
      }
      t += ahead;
      q = there;
      if (!rows_.correct_rates(t, q, v)) return;
      if (way < 0.5 * apart) ahead *= 2.0;
      if (way < 0.25 * apart) continue;
      if (!look(t, q, k++)) return;
    }
  }

  const State& motion_;
  Vector units_;
  SparseFrame rows_;
  bool driven_, is_large_;
  int steps_;  // each way
  std::vector<std::unique_ptr<RowTurns>> turns_;
  std::vector<Seen> seen_;
};

double share_at(const Seen& at, std::size_t row, std::size_t set) {
  return at.parts[set].row(static_cast<Eigen::Index>(row)).norm();
}

// Of each vector the directions in which its rows have the same part in the redundancy at all configurations, or
// nearly. Where several are as good set 0: its multipliers are those that are shown.
std::vector<int> steadiest_directions(const std::vector<MechanismRow>& owners,
                                      const std::vector<Seen>& configurations) {
  constexpr double as_good = 0.003;  // of the largest part that there can be
  std::vector<int> directions(owners.size(), 0);
  for (std::size_t first = 0; first < owners.size(); ++first) {
    const Rows::Component& component = owners[first].component;
    if (component.sets == 1 || component.place > 0) continue;
    const auto size = static_cast<std::size_t>(component.size);
    double steadiest = std::numeric_limits<double>::infinity();
    for (int set = 0; set < component.sets; ++set) {
      double change = 0.0;
      for (std::size_t row = first; row < first + size; ++row) {
        double least = std::numeric_limits<double>::infinity();
        double most = 0.0;
        for (const Seen& at : configurations) {
          const double share = share_at(at, row, static_cast<std::size_t>(set));
          least = std::min(least, share);
          most = std::max(most, share);
        }
        change = std::max(change, most - least);
      }
      if (!(change + as_good < steadiest)) continue;
      steadiest = change;
      std::fill_n(directions.begin() + static_cast<std::ptrdiff_t>(first), size, set);
    }
  }
  return directions;
}

// The rows that stay after the greedy choice over some configurations; empty: no choice lasts over all of them.
std::vector<std::size_t> lasting_rows(const std::vector<MechanismRow>& owners, std::vector<Matrix> parts,
                                      int left_out) {
  std::vector<char> stays(owners.size(), 1);
  for (int k = 0; k < left_out; ++k) {
    std::size_t best = owners.size();
    double largest = 0.0;
    for (std::size_t i = 0; i < owners.size(); ++i) {
      if (!stays[i] || owners[i].kind == Row::Kind::normalization) continue;
      double smallest = std::numeric_limits<double>::infinity();
      for (const Matrix& part : parts) smallest = std::min(smallest, part.row(static_cast<Eigen::Index>(i)).norm());
      // Of rows that are equally good the first, whatever rounding says.
      if (smallest <= 1.001 * largest) continue;
      largest = smallest;
      best = i;
    }
    if (!(largest > least_share)) return {};
    stays[best] = 0;
    for (Matrix& part : parts) {
      const Vector along = part.row(static_cast<Eigen::Index>(best)).transpose().normalized();
      part -= (part * along).eval() * along.transpose();
    }
  }
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < stays.size(); ++i)
    if (stays[i]) kept.push_back(i);
  return kept;
}

// The parts of all rows at a configuration in these directions.
Matrix parts_in(const Seen& at, const std::vector<int>& directions) {
  Matrix parts = at.parts.front();
  for (Eigen::Index i = 0; i < parts.rows(); ++i)
    parts.row(i) = at.parts[static_cast<std::size_t>(directions[static_cast<std::size_t>(i)])].row(i);
  return parts;
}

// Rows that last over more configurations than those of the greedy choice, if there are such.
void exchange_for_longer(const std::vector<MechanismRow>& owners, const std::vector<Seen>& seen,
                         RowSelection& selection) {
  constexpr double lasts = 0.05;  // volume a row: far from a change of sign between two configurations
  std::vector<DroppedRow> greedy;
  for (std::size_t i = 0, next = 0; i < owners.size(); ++i) {
    if (next < selection.kept.size() && selection.kept[next] == i) ++next;
    else greedy.push_back({i, selection.directions[i]});
  }
  int reach = 0;
  for (const Seen& at : seen) reach = std::max(reach, at.steps);
  for (; reach > 0; reach /= 2) {
    std::vector<NullSpaceSeen> near;
    for (const Seen& at : seen) {
      if (at.steps > reach) continue;
      near.push_back({&at.parts, at.steps > 1 ? near.size() - 1 : 0});
    }
    const double as_it_is = lasting_volume(near, greedy);
    if (as_it_is > lasts) return;
    std::vector<DroppedRow> dropped = greedy;
    const double exchanged = exchange_rows(owners, near, dropped);
    if (!(exchanged > least_share) || !(exchanged > as_it_is)) continue;
    std::vector<char> drops(owners.size(), 0);
    for (const DroppedRow& row : dropped) {
      drops[row.row] = 1;
      const Rows::Component& component = owners[row.row].component;
      std::fill_n(selection.directions.begin() + static_cast<std::ptrdiff_t>(row.row) - component.place, component.size,
                  row.set);
    }
    selection.kept.clear();
    for (std::size_t i = 0; i < owners.size(); ++i)
      if (!drops[i]) selection.kept.push_back(i);
    return;
  }
}

}  // namespace

Vector coordinate_units(const Instance& instance) {
  Vector units = Vector::Ones(instance.coordinates());
  for (const Body& body : instance.bodies())
    if (body.size > 0) units.segment(body.first, instance.dimensions()).setConstant(size_of(instance));
  return units;
}

RowSelection select_lasting_rows(const MaximalFormulas& formulas, const ConstrainedSystem& system, const State& motion,
                                 int rank) {
  RowSelection selection;
  const std::vector<Seen> seen = Explorer(formulas, system, motion, rank).explore();
  if (seen.empty()) return selection;
  for (const Seen& at : seen) selection.seen.push_back(at.rows);
  selection.directions = steadiest_directions(formulas.all_rows(), seen);
  const int spare = system.rows() - rank;
  int reach = 0;
  for (const Seen& at : seen) reach = std::max(reach, at.steps);
  // Where no choice lasts over all configurations, one that lasts over those near to the start.
  for (;; reach /= 2) {
    std::vector<Matrix> parts;
    for (const Seen& at : seen)
      if (at.steps <= reach) parts.push_back(parts_in(at, selection.directions));
    selection.kept = lasting_rows(formulas.all_rows(), std::move(parts), spare);
    if (!selection.kept.empty() || reach == 0) break;
  }
  if (!selection.kept.empty() && spare <= most_exchanged) exchange_for_longer(formulas.all_rows(), seen, selection);
  // Rows of vectors that are kept as a whole may as well be those of set 0.
  std::vector<char> whole(formulas.all_rows().size(), 1);
  for (std::size_t i = 0, next = 0; i < whole.size(); ++i) {
    if (next < selection.kept.size() && selection.kept[next] == i) {
      ++next;
      continue;
    }
    const Rows::Component& component = formulas.all_rows()[i].component;
    std::fill_n(whole.begin() + static_cast<std::ptrdiff_t>(i) - component.place, component.size, 0);
  }
  for (std::size_t i = 0; i < whole.size(); ++i)
    if (whole[i]) selection.directions[i] = 0;
  return selection;
}

std::vector<int> moving_directions(const MaximalFormulas& formulas) {
  std::vector<int> directions;
  const Mechanism& mechanism = formulas.instance().mechanism();
  for (const MechanismRow& row : formulas.all_rows()) {
    const int sets = row.component.sets;
    if (sets == 1) {
      directions.push_back(0);
      continue;
    }
    const bool on_ground = mechanism.joints[row.index].at("pins").points.front().body == 0;
    // Set 0 of three is the ground's, of two that of the first body; rows of velocities are those of a disc.
    directions.push_back(row.level == Row::Level::velocity || on_ground ? sets - 1 : sets - 2);
  }
  return directions;
}

}  // namespace raak
