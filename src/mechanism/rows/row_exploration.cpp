#include "mechanism/rows/row_exploration.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "kinematics/rank/sparse_frame.h"
#include "mechanism/formulas/row_turns.h"

namespace raak {
namespace {

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
        walks_(is_large_ || system.coordinates() - rank == 1 ? 1 : 3),
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

  std::vector<SeenRows> explore() {
    if (!look(motion_.t, motion_.q, 0)) return {};
    for (const double sign : {1.0, -1.0}) follow_motion(sign);
    for (int seed = 1; seed <= walks_; ++seed)
      for (const double sign : {1.0, -1.0}) walk(seed, sign);
    return std::move(seen_);
  }

 private:
  static constexpr double apart = 0.2;   // in units of the coordinate that moves most
  static constexpr int many_rows = 150;  // of which factors take longer than the rest of an assembly

  bool look(double t, const Vector& q, int step) {
    if (!rows_.look(t, q)) return false;
    SeenRows at{step, {t, q, {}}, {}};
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
  int walks_;  // with one freedom all of them go the same way
  int steps_;  // each way
  std::vector<std::unique_ptr<RowTurns>> turns_;
  std::vector<SeenRows> seen_;
};

}  // namespace

Vector coordinate_units(const Instance& instance) {
  Vector units = Vector::Ones(instance.coordinates());
  for (const Body& body : instance.bodies())
    if (body.size > 0) units.segment(body.first, instance.dimensions()).setConstant(size_of(instance));
  return units;
}

std::vector<SeenRows> explore_rows(const MaximalFormulas& formulas, const ConstrainedSystem& system,
                                   const State& motion, int rank) {
  return Explorer(formulas, system, motion, rank).explore();
}

}  // namespace raak
