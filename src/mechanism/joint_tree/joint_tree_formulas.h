// The equations of a mechanism in the coordinates of a joint tree. What acts on the bodies, and what their rows say,
// comes from the formulas in coordinates of the bodies, which are differentiated where those are variables; twists of
// the joints carry it to the tree: with S_j the twist of a coordinate and composite inertias I_b of all that b carries
//   M_ij = S_i . I_b(j) S_j,   f_j = S_j . (sum of applied less inertia forces),   G_j = S_j . (wrench of the row).
// Featherstone, Rigid Body Dynamics Algorithms, 2008, chapters 5 and 6; all moments about one point for each root.
#pragma once
#include <memory>

#include "mechanism/joint_tree/tree_motion.h"

namespace raak {

// What acts on a body: a force, and a moment about its centre of mass or the point that the bodies on one root share.
struct Wrench {
  Vector3 force, moment;
};

class JointTreeFormulas final : public Formulas {
 public:
  JointTreeFormulas(std::shared_ptr<const MaximalFormulas> maximal, JointTree tree);

  const JointTree& tree() const { return tree_; }
  // By body; the second with what is welded to them.
  const std::vector<RigidInertia>& own_inertias() const { return own_; }
  const std::vector<RigidInertia>& inertias() const { return moved_; }
  const Instance& instance() const { return maximal_->instance(); }
  int position_rows() const { return tree_.position_rows + static_cast<int>(tree_.balls.size()); }
  int rows() const { return static_cast<int>(tree_.rows.size() + tree_.balls.size()); }

  void mass(const Recorded& t, const Reals& q, SymmetricEntries& M) const override;
  void force(const Recorded& t, const Reals& q, const Reals& v, Reals& f) const override;
  void constraint(const Recorded& t, const Reals& q, Reals& g) const override;
  void velocity_constraint(const Recorded& t, const Reals& q, const Reals& v, Reals& c) const override;
  std::optional<std::vector<Gradient>> jacobian(const RecordedState& x) const override;
  std::optional<Reals> velocity_residual(const RecordedState& x) const override;
  std::optional<Reals> bias(const RecordedState& x) const override;
  Recorded potential(const Recorded& t, const Reals& q) const override;
  Recorded power(const Recorded& t, const Reals& q, const Reals& v) const override;
  std::vector<EnergyTerm> energy_terms(const Recorded& t, const Reals& q, const Reals& v) const override;
  bool may_depend_on_time_or_branch() const override;
  // Without inertia forces and weight.
  Reals applied_force(const Recorded& t, const Reals& q, const Reals& v) const;
  // Those of the bodies' own coordinates.
  Reals reported_positions(const Recorded& t, const Reals& q) const override;
  Reals reported_velocities(const Recorded& t, const Reals& q, const Reals& v) const override;

  // Coordinates of the bodies with their rates and accelerations, and the multipliers of all kept rows. Those of the
  // state are of rows that close loops; the others follow from the balance of forces, from the outermost bodies
  // inwards.
  template <class Write>
  void write_bodies(const RecordedState& x, Write&& write) const {
    const Bodies now = bodies(motion(x.q, &x.v, &x.a));
    write(now.q);
    write(now.v);
    write(now.a);
    write(multipliers(x));
  }

 private:
  using Motion = TreeMotion<Real>;
  using Bodies = BodyMotions<Real>;
  // The same as inputs, whose formulas can be differentiated.
  struct Variables {
    Real t;
    Reals q, v, a;
  };
  struct Inertia {
    Real mass;
    Vector3 centre;              // times mass
    std::array<Real, 6> second;  // xx, yy, zz, xy, xz, yz
  };

  Reals multipliers(const RecordedState& x) const;
  Motion motion(const Reals& q, const Reals* v = nullptr, const Reals* a = nullptr) const;
  Bodies bodies(const Motion& motion) const;
  Variables variables() const;
  // Formulas of the variables at a motion.
  Reals at(const Reals& values, const Variables& variables, const Recorded& t, const Bodies& bodies) const;
  std::array<Real, 4> quaternion(const Motion& motion, int body) const;
  Vector3 centre_from_origin(const Motion& motion, int body) const;
  std::array<Real, 6> turned_inertia(const Motion& motion, int body, const RigidInertia& of) const;
  Inertia inertia(const Motion& motion, int body) const;
  // Of generalized forces on the coordinates of one body, about its centre.
  Wrench wrench(const Motion& motion, int body, const Reals& forces) const;
  Wrench about_root(const Motion& motion, int body, const Wrench& about_centre) const;
  // By body, about the root.
  std::vector<Wrench> applied(const Recorded& t, const Motion& motion, const Bodies& bodies) const;
  // Of wrenches by body, on the coordinates of the tree; they are carried inwards.
  void add_along_twists(const Motion& motion, std::vector<Wrench> on, Reals& f) const;
  // What makes a body move as it does against its weight, about the root.
  Wrench inertia_force(const Motion& motion, int body, const RigidInertia& of) const;
  // By body, what acts on it less what makes it move, without the joints; about the root.
  std::vector<Wrench> unbalanced(const Recorded& t, const Motion& motion, const Bodies& bodies,
                                 const std::vector<RigidInertia>& inertias) const;
  // Rates of the rows that close loops, or the rates of these: with accelerations a where `times` is 2.
  Reals rates(const Variables& variables, int times) const;
  // The rows of quaternions follow those of positions.
  template <class OfBall>
  Reals with_balls(Reals rows, OfBall&& of_ball) const {
    Reals balls;
    for (const int first : tree_.balls) balls.push_back(of_ball(first));
    rows.insert(rows.begin() + tree_.position_rows, balls.begin(), balls.end());
    return rows;
  }
  Gradient along_twists(const Motion& motion, const std::vector<std::pair<int, Wrench>>& on_bodies) const;
  // The slopes of rows by the coordinates (or their rates) of the bodies, body by body.
  std::vector<std::vector<std::pair<int, Reals>>> slopes(const Reals& rows, const Reals& of, const Variables& variables,
                                                         const Recorded& t, const Bodies& bodies) const;

  std::shared_ptr<const MaximalFormulas> maximal_;
  JointTree tree_;
  std::vector<RigidInertia> own_, moved_;  // by body: its own, and with what is welded to it
};

}  // namespace raak
