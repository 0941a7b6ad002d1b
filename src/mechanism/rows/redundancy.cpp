#include "mechanism/rows/redundancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "base/error.h"
#include "base/linear/factors.h"
#include "base/text/some_of.h"
#include "kinematics/rank/constraint_frame.h"
#include "kinematics/rank/infinitesimal_motions.h"
#include "kinematics/rank/scaled_view.h"
#include "mechanism/bodies/mechanism_size.h"

namespace raak {
namespace {

constexpr double indeterminate_share = 1e-8;  // of the null space on the rows of a joint
constexpr double probed_nearby = 0.02;        // rad and share of the size by which configurations are probed

// The metric of geometry.
Matrix weights(const ConstrainedSystem& system, double t, const Vector& q) {
  Matrix M(system.coordinates(), system.coordinates());
  system.mass(t, q, M);
  return M;
}

ConstraintFrame frame_at(const ConstrainedSystem& system, double t, const Vector& q) {
  Matrix G(system.rows(), system.coordinates());
  system.jacobian(t, q, G);
  const Eigen::LLT<Matrix> factor(weights(system, t, q));
  return ConstraintFrame(factor.matrixL().solve(G.transpose()).transpose());
}

// A row that is not a number, or an equation whose gradient is zero where it holds, would count as redundant.
void require_meaning(const Mechanism& mechanism, const std::vector<MechanismRow>& owners, const Matrix& J) {
  const auto place_of = [&](const MechanismRow& row) {
    if (row.kind == Row::Kind::joint) return mechanism.joints[row.index].place;
    if (row.kind == Row::Kind::driver) return mechanism.drivers[row.index].place;
    return row.kind == Row::Kind::equation ? mechanism.constraints[row.index].value.place : mechanism.place;
  };
  for (Eigen::Index i = 0; i < J.rows(); ++i) {
    const MechanismRow& row = owners[static_cast<std::size_t>(i)];
    if (!J.row(i).allFinite())
      refuse_at(place_of(row),
                fmt::format("the slope of constraint \"{}\" is not a number at the start, as that of a square root at "
                            "zero. Write it as a smooth function, or start elsewhere",
                            row.name()));
    if (row.kind == Row::Kind::equation && J.row(i).norm() == 0.0)
      refuse_at(place_of(row),
                fmt::format("constraint \"{}\" has no slope where it holds, so that it restrains nothing: like "
                            "abs(x) = 0 or x^2 = 0, or an equation of constants. Write what is to be zero itself",
                            row.name()));
  }
}

// A configuration on the constraints and when the mechanism is there, which matters where it is driven.
struct Probe {
  double t;
  Vector q;
};

// A configuration on the manifold a little beside q; q itself if none is found.
Probe probe_at(const ConstrainedSystem& system, double t, const Vector& q, const Vector& beside) {
  StartRequest request;
  request.t = t;
  request.q = beside;
  request.v = Vector::Zero(q.size());
  request.allow_free = true;
  try {
    return {t, make_consistent_positions(system, request)};
  } catch (const Error&) {
    return {t, q};
  }
}

Probe probe_along(const ConstrainedSystem& system, double t, const Vector& q, const Vector& direction) {
  return probe_at(system, t, q, q + direction * (probed_nearby / std::max(1e-300, direction.cwiseAbs().maxCoeff())));
}

// Along the motion, forwards or backwards; with the time, which drivers follow.
Probe probe_motion(const ConstrainedSystem& system, const State& motion, double sign) {
  const double ahead = sign * probed_nearby / motion.v.cwiseAbs().maxCoeff();
  return probe_at(system, motion.t + ahead, motion.q, motion.q + ahead * motion.v);
}

// The same in a direction of the tangent space.
Probe probe(const ConstrainedSystem& system, double t, const Vector& q, const Matrix& tangent, int seed) {
  std::mt19937_64 random(static_cast<unsigned>(seed));
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  if (tangent.cols() == 0) return {t, q};
  Vector z(tangent.cols());
  for (double& entry : z) entry = value(random);
  return probe_along(system, t, q, Eigen::LLT<Matrix>(weights(system, t, q)).matrixU().solve(Vector(tangent * z)));
}

// Unit lengths are kept whatever else is; the other rows are judged by what they say beyond them.
void keep_independent(const std::vector<MechanismRow>& owners, const ConstraintFrame& frame, int rank,
                      RowChoice& choice) {
  std::vector<Eigen::Index> joints;
  const Matrix& J = frame.unit_rows();
  Matrix beyond = J;
  for (Eigen::Index i = 0; i < J.rows(); ++i) {
    if (owners[static_cast<std::size_t>(i)].kind != Row::Kind::normalization) {
      joints.push_back(i);
      continue;
    }
    choice.kept.push_back(static_cast<std::size_t>(i));
    beyond -= (J * J.row(i).transpose()) * J.row(i);
  }
  Matrix others(static_cast<Eigen::Index>(joints.size()), J.cols());
  for (std::size_t i = 0; i < joints.size(); ++i) others.row(static_cast<Eigen::Index>(i)) = beyond.row(joints[i]);
  const auto joint_rank = static_cast<Eigen::Index>(rank) - static_cast<Eigen::Index>(choice.kept.size());
  const ConstraintFrame of_others(others, Vector::Ones(others.rows()));
  for (Eigen::Index i = 0; i < joint_rank; ++i) {
    const Eigen::Index row = joints[static_cast<std::size_t>(of_others.by_strength()[i])];
    choice.kept.push_back(static_cast<std::size_t>(row));
  }
  std::sort(choice.kept.begin(), choice.kept.end());
  const Matrix null_space = of_others.dependences(joint_rank);
  Matrix vanishing = Matrix::Zero(J.rows(), null_space.cols());
  std::set<std::string> sharing;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (null_space.row(static_cast<Eigen::Index>(i)).norm() < indeterminate_share) continue;
    vanishing.row(joints[i]) = null_space.row(static_cast<Eigen::Index>(i)) / frame.lengths()[joints[i]];
    choice.indeterminate.push_back(static_cast<std::size_t>(joints[i]));
    const MechanismRow& row = owners[static_cast<std::size_t>(joints[i])];
    sharing.insert(row.owner);
  }
  choice.report.sharing.assign(sharing.begin(), sharing.end());
  choice.seen.push_back({choice.t, choice.q, std::move(vanishing)});
}

// The choice made at one configuration replaced by one that lasts, and what was seen on the way.
void prefer_lasting_rows(const MaximalFormulas& formulas, const ConstrainedSystem& system, const State& motion,
                         RowChoice& choice) {
  RowSelection lasting = select_lasting_rows(formulas, system, motion, static_cast<int>(choice.kept.size()));
  if (!lasting.kept.empty()) {
    choice.kept = std::move(lasting.kept);
    choice.directions = std::move(lasting.directions);
  }
  std::set<std::size_t> indeterminate(choice.indeterminate.begin(), choice.indeterminate.end());
  for (VanishingRows& there : lasting.seen) {
    for (Eigen::Index i = 0; i < there.vanishing.rows(); ++i)
      if (there.vanishing.row(i).norm() > indeterminate_share * there.vanishing.norm())
        indeterminate.insert(static_cast<std::size_t>(i));
    choice.seen.push_back(std::move(there));
  }
  choice.indeterminate.assign(indeterminate.begin(), indeterminate.end());
}

std::string note_on_shaky_structure(const MobilityReport& report, int shaky) {
  const std::string what = report.mobility == 0 ? "this is a structure in a singular configuration"
                                                : "a part of this is a structure in a singular configuration";
  const std::string motions = shaky == 1 ? "a motion that exists" : fmt::format("{} motions that exist", shaky);
  return fmt::format(
      "{}: at first order its joints leave {} in this configuration only and cannot go on, since {} would open. Loads "
      "along it "
      "have no finite reactions. Change a length or a point, so that its bars do not lie in line (or its joints not in "
      "such a special place), or take a joint away",
      what, motions, some_of(report.sharing));
}

RowChoice choose_scaled_rows(const MaximalFormulas& formulas, const ConstrainedSystem& system, const State& motion) {
  const double t = motion.t;
  const Vector& q = motion.q;
  RowChoice choice;
  MobilityReport& report = choice.report;
  const int n = system.coordinates();
  const int m = system.rows();
  const std::vector<MechanismRow>& owners = formulas.all_rows();
  const auto quaternions = static_cast<int>(std::count_if(
      owners.begin(), owners.end(), [](const MechanismRow& row) { return row.kind == Row::Kind::normalization; }));
  report.bodies = formulas.instance().bodies_of_file() - 1;
  report.drivers = static_cast<int>(formulas.instance().mechanism().drivers.size());
  report.coordinates = formulas.instance().coordinates_of_file() - quaternions;
  report.rows = m - quaternions;
  report.gruebler = formulas.instance().coordinates_of_file() - m;
  report.rank = 0;
  if (m > 0) {
    ConstraintFrame best = frame_at(system, t, q);
    choice.t = t;
    choice.q = q;
    require_meaning(formulas.instance().mechanism(), owners, best.unit_rows());
    const auto rank_at_start = best.is_regular() ? m : static_cast<int>(best.rank());
    int rank = rank_at_start;
    if (rank < std::min(m, n)) {
      double strongest = 0.0;
      const Matrix tangent = best.motions(rank);
      // Along the motion first: in a singular configuration other directions may lead to other branches.
      const bool moves = motion.v.norm() > 0.0;
      for (int seed = moves ? -1 : 1; seed <= 3; ++seed) {
        if (seed == 0 && report.drivers == 0) continue;
        const Probe beside =
            seed < 1 ? probe_motion(system, motion, seed < 0 ? 1.0 : -1.0) : probe(system, t, q, tangent, seed);
        ConstraintFrame there = frame_at(system, beside.t, beside.q);
        const auto found = static_cast<int>(there.rank());
        if (found < rank || (found == rank && there.strength(found) <= strongest)) continue;
        rank = found;
        strongest = there.strength(found);
        best = std::move(there);
        choice.t = beside.t;
        choice.q = beside.q;
      }
    }
    report.rank = rank - quaternions;
    report.momentary = rank - rank_at_start;
    if (rank < m) keep_independent(owners, best, rank, choice);
  }
  report.mobility = report.coordinates - report.rank;
  const bool may_be_shaky = report.momentary == 0 && report.drivers == 0 && system.velocity_rows() == 0;
  const int shaky = may_be_shaky && m > 0 ? infinitesimal_motions(system, t, q, report.rank + quaternions) : 0;
  if (shaky > 0) {
    report.mobility -= shaky;
    report.notes.push_back(note_on_shaky_structure(report, shaky));
  }
  return choice;
}

}  // namespace

RowChoice choose_rows(const MaximalFormulas& formulas, const ConstrainedSystem& system, const State& motion) {
  const ScaledView view(system, metric_of_geometry(formulas.instance()));
  RowChoice choice = choose_scaled_rows(formulas, view, view.scaled(motion));
  choice.q = choice.q.size() > 0 ? choice.q.cwiseProduct(system.coordinate_scales()).eval() : choice.q;
  for (VanishingRows& there : choice.seen) {
    there.q = choice.q;
    there.vanishing = (system.row_scales().cwiseInverse().asDiagonal() * there.vanishing).eval();
  }
  choice.directions.assign(formulas.all_rows().size(), 0);
  if (!choice.kept.empty()) prefer_lasting_rows(formulas, system, motion, choice);
  if (choice.kept.empty())
    for (std::size_t i = 0; i < formulas.all_rows().size(); ++i) choice.kept.push_back(i);
  return choice;
}

}  // namespace raak
