#include "kinematics/start/consistent_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/linear/eigenvalues.h"
#include "base/linear/factors.h"
#include "base/linear/svd.h"
#include "base/text/some_of.h"
#include "base/text/text.h"
#include "kinematics/rank/constraint_frame.h"
#include "kinematics/rank/independent_rows.h"
#include "kinematics/rank/scaled_equations.h"
#include "kinematics/rank/scaled_view.h"
#include "kinematics/rank/sparse_step.h"
#include "kinematics/start/open_joints.h"
#include "kinematics/start/start_positions.h"
#include "kinematics/start/start_refusals.h"
#include "system/turn_gauge.h"

namespace raak {
namespace {

using Cause = StartFailure::Cause;
constexpr double rates_agree =
    1e-8;  // scaled residual of velocities: a singular configuration found by Newton is not exact
constexpr double rates_fit_but_for_rounding =
    1e-15;  // relative residual that is left alone: correcting it may lead astray

std::vector<int> indices_of(const ConstrainedSystem& system, const std::vector<std::string>& names) {
  const auto& all = system.description().coordinates;
  std::vector<int> indices;
  for (const std::string& name : names) {
    const auto found = std::find(all.begin(), all.end(), name);
    if (found == all.end()) throw Error(ErrorKind::request, unknown_name("coordinate", name, all));
    indices.push_back(static_cast<int>(found - all.begin()));
  }
  return indices;
}

std::string quoted(const std::vector<std::string>& names) {
  return names.empty() ? "none" : some_of(names);
}

// SI.
double widest_gap(const ConstrainedSystem& system, const Vector& gap) {
  if (gap.size() == 0) return 0.0;
  return gap.cwiseProduct(system.row_units().head(gap.size())).maxCoeff();
}

// What to do where Newton's method found no configuration: the search for what stays open may still find one that
// closes.
PositionSolution closed_or_refused(const ConstrainedSystem& system, const StartRequest& request,
                                   const std::vector<int>& trusted, const PositionSolution& found) {
  const PositionSolution without_trust = trusted.empty() ? found : solve_positions(system, request, {});
  Vector nearest = request.bounds.are_near(without_trust.q) ? without_trust.q : request.q;
  if (!without_trust.converged) {
    require_values(system, request.t, request.q);
    OpenJoints open = find_open_joints(system, request.t, nearest, request.bounds);
    if (!open.joints.empty()) refuse_open_joints(system, std::move(open.joints));
    nearest = open.q;
  }
  StartRequest from_there = request;
  from_there.q = nearest;
  for (const int k : trusted) from_there.q[k] = request.q[k];
  PositionSolution closed = find_positions(system, from_there, trusted);
  if (closed.converged) return closed;
  if (trusted.empty()) refuse_almost_closed(system, request.t, closed.q);
  throw StartFailure(
      Cause::contradicting_trust,
      fmt::format("the trusted coordinates ({}) contradict the constraints: together they have rank {} in {} "
                  "coordinates and the closest position still leaves a gap of {:.3g} or a trusted value unmet",
                  quoted(request.trusted_positions), found.rank, system.coordinates(), widest_gap(system, found.gap)),
      "trust fewer of them, or other values");
}

[[noreturn]] void refuse_rank(const ConstrainedSystem& system, const char* level,
                              const std::vector<std::string>& trusted, int rank, const std::vector<std::string>& free) {
  throw StartFailure(
      Cause::undetermined,
      fmt::format("the trusted {} ({}) do not fix the start: with the constraints they have rank {} in {} "
                  "coordinates. Still free: {}",
                  level, quoted(trusted), rank, system.coordinates(), some_of(free)),
      fmt::format("trust {} more of these", system.coordinates() - rank));
}

// Step 5: [Phi_q; B_v] v = [-Phi_t; v_trusted], velocity rows included.
Vector solve_velocities(const ConstrainedSystem& system, const StartRequest& request, const Vector& q) {
  const std::vector<int> trusted = indices_of(system, request.trusted_velocities);
  Vector v = request.v;
  Vector c = Vector::Zero(system.rows());
  Matrix G(system.rows(), system.coordinates());
  system.jacobian(request.t, q, G);
  double residual = 0.0;
  const ScaledEquations rows(system, request.t, q, G, c, trusted, v, request.v);
  // Far from singular configurations no direction needs to be left out, and no singular values to choose which.
  const bool regular = request.allow_free && ConstraintFrame(rows.A).is_regular();
  Svd svd(rows.A.rows(), rows.A.cols());
  if (!regular) svd.compute(rows.A);
  const Eigen::Index rank = regular ? 0 : svd.rank(RankPolicy::zero);
  if (rank < system.coordinates() && !request.allow_free) {
    refuse_rank(system, "velocities", request.trusted_velocities, static_cast<int>(rank),
                moving_coordinates(system, svd, rank, rows.column));
  }
  for (int pass = 0; pass < 2; ++pass) {  // the second removes the rounding of the first
    system.velocity_constraint(request.t, q, v, c);
    const ScaledEquations equations(system, request.t, q, G, c, trusted, v, request.v);
    const double largest = v.cwiseQuotient(equations.column).cwiseAbs().maxCoeff();
    const double off = equations.residual.cwiseAbs().maxCoeff();
    if (off <= rates_fit_but_for_rounding * largest) break;
    const Vector dv = regular ? equations.step() : equations.step(svd, 0.0, RankPolicy::weak);
    residual = (equations.residual + equations.A * dv.cwiseQuotient(equations.column)).cwiseAbs().maxCoeff() /
               std::max({off, largest, (v + dv).cwiseQuotient(equations.column).cwiseAbs().maxCoeff()});
    v += dv;
  }
  if (residual > rates_agree && request.trusted_velocities.empty()) {
    ContradictingRates rates = find_contradicting_rates(system, request.t, q);
    refuse_rates_beside_singularity(rates, v.cwiseAbs().maxCoeff() * system.row_units().maxCoeff());
    const std::string missed = text_of(rates.missed, "is missed");
    const bool alone = rates.against.empty();
    throw StartFailure(
        Cause::contradicting_rates,
        alone ? "the rates given cannot be: with all joints held " + missed
              : fmt::format("the rates given contradict each other: with all joints and {} held, {}",
                            some_of(rates.against), missed),
        alone ? "give another rate, or start from another configuration" : "change one of them, or leave it out",
        std::move(rates.missed));
  }
  if (residual > closed_residual && !request.trusted_velocities.empty()) {
    throw StartFailure(
        Cause::contradicting_trust,
        fmt::format("the trusted velocities ({}) contradict the constraints by {:.3g}",
                    quoted(request.trusted_velocities), residual),
        fmt::format("trust {} of them", system.coordinates() - constraint_rank(system, request.t, q).rank));
  }
  for (const int i : trusted) v[i] = request.v[i];  // to the last bit
  return v;
}

}  // namespace

RankReport constraint_rank(const ConstrainedSystem& system, double t, const Vector& q) {
  RankReport report;
  if (!system.has_dense_matrices()) {
    report.rank = system.rows();  // its rows were chosen such that they are independent
  } else if (system.rows() > 0) {
    const ScaledView view(system);
    const Vector x = q.cwiseQuotient(system.coordinate_scales());
    Matrix G(system.rows(), system.coordinates());
    view.jacobian(t, x, G);
    const ScaledEquations equations(view, t, x, G, Vector::Zero(system.rows()), {}, x, x);
    const Svd svd(equations.A);
    report.rank = static_cast<int>(svd.rank(RankPolicy::zero));
    report.singular_values = svd.singular_values();
  }
  report.mobility = coordinates_without_centres(system) - report.rank;
  return report;
}

namespace {

// A mass matrix that is not positive definite makes every later message wrong: say so first.
void require_definite_mass(const ConstrainedSystem& system, const StartRequest& request) {
  const Eigen::Index n = system.coordinates();
  Matrix M(n, n);
  system.mass(request.t, request.q, M);
  for (Eigen::Index i = 0; i < n; ++i) {
    if (M.row(i).allFinite() && M(i, i) > 0.0) continue;
    throw StartFailure(Cause::massless,
                       fmt::format("the mass that moves with \"{}\" is {:.6g}, which is not a positive number",
                                   system.description().coordinates[static_cast<std::size_t>(i)], M(i, i)),
                       "check the masses, inertias and lengths");
  }
  const Vector scale = M.diagonal().cwiseSqrt().cwiseInverse();
  M = scale.asDiagonal() * M * scale.asDiagonal();
  if (n >= many_unknowns && is_clearly_positive(M.sparseView())) return;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(M, Eigen::EigenvaluesOnly);
  const double smallest = eigen.eigenvalues()[0];
  const double largest = eigen.eigenvalues()[n - 1];
  if (smallest > static_cast<double>(n) * std::numeric_limits<double>::epsilon() * largest) return;
  throw StartFailure(
      Cause::massless,
      fmt::format("the mass matrix is not positive definite (smallest to largest eigenvalue {:.1e} after scaling): "
                  "some motion of {} has no inertia",
                  smallest / largest, some_of(system.description().coordinates)),
      "check the masses, inertias and lengths");
}

}  // namespace

namespace {

void check_request(const ConstrainedSystem& system, const StartRequest& request) {
  if (request.q.size() != system.coordinates() || request.v.size() != system.coordinates()) {
    throw Error(ErrorKind::request,
                fmt::format("a start for {} coordinates was expected, found {} positions and {} velocities",
                            system.coordinates(), request.q.size(), request.v.size()));
  }
  for (Eigen::Index i = 0; i < request.q.size(); ++i) {
    if (std::isfinite(request.q[i]) && std::isfinite(request.v[i])) continue;
    throw Error(ErrorKind::request,
                fmt::format("the start value of \"{}\" is not a finite number: q = {}, v = {}",
                            system.description().coordinates[static_cast<std::size_t>(i)], request.q[i], request.v[i]));
  }
  require_definite_mass(system, request);
}

}  // namespace

Vector make_consistent_positions(const ConstrainedSystem& system, const StartRequest& request) {
  check_request(system, request);
  // With nothing to satisfy a free motion keeps its guesses.
  const bool nothing = request.allow_free && system.position_rows() == 0 && request.trusted_positions.empty();
  if (!request.correct_positions || nothing) return request.q;
  const std::vector<int> trusted = indices_of(system, request.trusted_positions);
  PositionSolution found = find_positions(system, request, trusted);
  if (!found.converged) found = closed_or_refused(system, request, trusted, found);
  if (found.rank < system.coordinates() && !request.allow_free)
    refuse_rank(system, "coordinates", request.trusted_positions, found.rank, found.free);
  return found.q;
}

State make_consistent_motion(const ConstrainedSystem& system, const StartRequest& request) {
  State state = State::of_size(system.coordinates(), system.rows());
  state.t = request.t;
  state.q = make_consistent_positions(system, request);
  const bool nothing = request.allow_free && system.rows() == 0 && request.trusted_velocities.empty();
  state.v = nothing ? request.v : solve_velocities(system, request, state.q);
  return state;
}

State make_consistent(const ConstrainedSystem& system, const StartRequest& request) {
  State state = make_consistent_motion(system, request);
  complete_start(system, state);
  return state;
}

}  // namespace raak
