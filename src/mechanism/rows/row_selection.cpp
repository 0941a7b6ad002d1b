#include "mechanism/rows/row_selection.h"

#include <algorithm>
#include <limits>

#include "mechanism/joint_tree/joint_tree.h"
#include "mechanism/rows/row_exchange.h"
#include "mechanism/rows/row_exploration.h"

namespace raak {
namespace {

constexpr int most_exchanged = 12;    // rows left out, of which determinants are cheap
constexpr double least_share = 1e-3;  // of a redundancy in a row that is left out: noise decides nothing
constexpr double lasts = 0.05;        // volume a row: far from a change of sign between two configurations
constexpr double steady = 0.05;       // part of a row, of its largest: far from vanishing between two configurations

double share_at(const SeenRows& at, std::size_t row, std::size_t set) {
  return at.parts[set].row(static_cast<Eigen::Index>(row)).norm();
}

// Of each vector the directions in which its rows have the same part in the redundancy at all configurations, or
// nearly. Where several are as good set 0: its multipliers are those that are shown.
std::vector<int> steadiest_directions(const std::vector<MechanismRow>& owners,
                                      const std::vector<SeenRows>& configurations) {
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
        for (const SeenRows& at : configurations) {
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

// The rows that stay after the greedy choice over some configurations, `whole` whatever they say; empty: no choice
// lasts over all of them. The part of each row that is left out exceeds `least` of the largest that it has anywhere.
std::vector<std::size_t> lasting_rows(const std::vector<MechanismRow>& owners, std::vector<Matrix> parts, int left_out,
                                      const std::vector<char>& whole, double least) {
  std::vector<char> stays(owners.size(), 1);
  for (int k = 0; k < left_out; ++k) {
    std::size_t best = owners.size();
    double largest = 0.0, anywhere = 0.0;
    for (std::size_t i = 0; i < owners.size(); ++i) {
      if (!stays[i] || whole[i] || owners[i].kind == Row::Kind::normalization) continue;
      double smallest = std::numeric_limits<double>::infinity(), greatest = 0.0;
      for (const Matrix& part : parts) {
        const double share = part.row(static_cast<Eigen::Index>(i)).norm();
        smallest = std::min(smallest, share);
        greatest = std::max(greatest, share);
      }
      // Of rows that are equally good the first, whatever rounding says.
      if (smallest <= 1.001 * largest) continue;
      largest = smallest;
      anywhere = greatest;
      best = i;
    }
    if (!(largest > std::max(least_share, least * anywhere))) return {};
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
Matrix parts_in(const SeenRows& at, const std::vector<int>& directions) {
  Matrix parts = at.parts.front();
  for (Eigen::Index i = 0; i < parts.rows(); ++i)
    parts.row(i) = at.parts[static_cast<std::size_t>(directions[static_cast<std::size_t>(i)])].row(i);
  return parts;
}

std::vector<DroppedRow> dropped_of(const RowSelection& selection) {
  std::vector<DroppedRow> dropped;
  for (std::size_t i = 0, next = 0; i < selection.directions.size(); ++i) {
    if (next < selection.kept.size() && selection.kept[next] == i) ++next;
    else dropped.push_back({i, selection.directions[i]});
  }
  return dropped;
}

// The rows of the joints of a spanning tree: where all of them are kept the mechanism can be solved in their own
// coordinates. Redundancies always have a part in the rows that close loops.
std::vector<char> rows_of_tree(const MaximalFormulas& formulas, const State& motion) {
  std::vector<char> rows(formulas.all_rows().size(), 0);
  for (const TreeLink& link : find_joint_tree(formulas, motion).links)
    for (const std::size_t row : link.rows) rows[row] = 1;
  return rows;
}

// Leaves out rows that close loops only, if that lasts over all configurations. Along a chain of loops combinations
// that vanish reach from each loop to the ground, so that its rows have a small part in them, which says nothing.
bool keep_tree(const MaximalFormulas& formulas, const std::vector<SeenRows>& seen, const State& motion, int spare,
               RowSelection& selection) {
  const std::vector<char> tree = rows_of_tree(formulas, motion);
  if (std::find(tree.begin(), tree.end(), 1) == tree.end()) return false;
  std::vector<Matrix> parts;
  for (const SeenRows& at : seen) parts.push_back(parts_in(at, selection.directions));
  selection.kept = lasting_rows(formulas.all_rows(), std::move(parts), spare, tree, steady);
  if (selection.kept.empty()) return false;
  std::vector<NullSpaceSeen> all;
  for (const SeenRows& at : seen) all.push_back({&at.parts, at.steps > 1 ? all.size() - 1 : 0});
  return lasting_volume(all, dropped_of(selection)) > lasts;
}

// Rows that last over more configurations than those of the greedy choice, if there are such.
void exchange_for_longer(const std::vector<MechanismRow>& owners, const std::vector<SeenRows>& seen,
                         RowSelection& selection) {
  const std::vector<DroppedRow> greedy = dropped_of(selection);
  int reach = 0;
  for (const SeenRows& at : seen) reach = std::max(reach, at.steps);
  for (; reach > 0; reach /= 2) {
    std::vector<NullSpaceSeen> near;
    for (const SeenRows& at : seen) {
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

RowSelection select_lasting_rows(const MaximalFormulas& formulas, const ConstrainedSystem& system, const State& motion,
                                 int rank) {
  RowSelection selection;
  const std::vector<SeenRows> seen = explore_rows(formulas, system, motion, rank);
  if (seen.empty()) return selection;
  for (const SeenRows& at : seen) selection.seen.push_back(at.rows);
  selection.directions = steadiest_directions(formulas.all_rows(), seen);
  const int spare = system.rows() - rank;
  const bool keeps_tree = keep_tree(formulas, seen, motion, spare, selection);
  int reach = 0;
  for (const SeenRows& at : seen) reach = std::max(reach, at.steps);
  // Where no choice lasts over all configurations, one that lasts over those near to the start.
  const std::vector<char> none(formulas.all_rows().size(), 0);
  for (; !keeps_tree; reach /= 2) {
    std::vector<Matrix> parts;
    for (const SeenRows& at : seen)
      if (at.steps <= reach) parts.push_back(parts_in(at, selection.directions));
    selection.kept = lasting_rows(formulas.all_rows(), std::move(parts), spare, none, 0.0);
    if (!selection.kept.empty() || reach == 0) break;
  }
  if (!keeps_tree && !selection.kept.empty() && spare <= most_exchanged)
    exchange_for_longer(formulas.all_rows(), seen, selection);
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
