// The equations of a mechanism in maximal coordinates: every body has its centre of mass and its angle or unit
// quaternion, every joint its rows. Mass matrix block-diagonal, one block for each body (bodies/catalogue.h); forces
// from potentials by differentiation.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "mechanism/element.h"
#include "system/constrained_system.h"
#include "system/recorded/formulas.h"

namespace raak {

// A row of a mechanism, with the place of its owner.
struct MechanismRow : Row {
  MechanismRow(Row row, std::size_t place, Rows::Component of = {})
      : Row(std::move(row)), index(place), component(of) {}
  std::size_t index;          // among the joints, drivers, equations, bodies or reported values
  Rows::Component component;  // of a vector whose directions may be chosen
  double value = 0.0;         // of a given row
};

// A value of the start that is to hold.
struct GivenValue {
  std::size_t index;  // among the reported positions or velocities
  double value;
};
// Those of these names, with what `values` has for all names.
std::vector<GivenValue> given_values(const std::vector<std::string>& names, const Vector& values,
                                     const std::vector<std::string>& given);

// Consecutive rows.
struct RowRange {
  std::size_t begin = 0, end = 0;
};

class MaximalFormulas final : public Formulas {
 public:
  explicit MaximalFormulas(std::shared_ptr<const Instance> instance);

  const Instance& instance() const { return *instance_; }
  // The same formulas in coordinates of other points of the bodies.
  MaximalFormulas with_references(const std::vector<Vec3n>& references) const;
  // The same, of all rows, with a row for each given value: positions after the position rows, velocities at the end.
  // Outputs are left out.
  MaximalFormulas holding(const std::vector<GivenValue>& positions, const std::vector<GivenValue>& velocities) const;
  // Position rows, then velocity rows: all that the mechanism has.
  const std::vector<MechanismRow>& all_rows() const { return rows_; }
  // The rows that take part, as places in all_rows(), ascending.
  const std::vector<std::size_t>& kept() const { return kept_; }
  // The directions that rows take, a set for each of all rows (Rows::begin_components).
  const std::vector<int>& directions() const { return directions_; }
  void keep(std::vector<std::size_t> rows, std::vector<int> directions) {
    kept_ = std::move(rows);
    directions_ = std::move(directions);
  }
  // What multipliers of set 0 have to do with those of the directions taken.
  std::vector<Rows::Turn> turns(const Scene& scene) const;
  const RowRange& position_rows_of_joint(std::size_t joint) const { return position_rows_of_joint_[joint]; }
  const RowRange& velocity_rows_of_joint(std::size_t joint) const { return velocity_rows_of_joint_[joint]; }
  int position_rows() const;
  int velocity_rows() const;
  // What outputs() evaluates: at first the outputs of the mechanism.
  const std::vector<NamedQuantity>& evaluated() const { return evaluated_; }
  void evaluate_instead(std::vector<NamedQuantity> quantities) { evaluated_ = std::move(quantities); }

  void mass(const Recorded& t, const Reals& q, SymmetricEntries& M) const override;
  void force(const Recorded& t, const Reals& q, const Reals& v, Reals& f) const override;
  void constraint(const Recorded& t, const Reals& q, Reals& g) const override;
  void velocity_constraint(const Recorded& t, const Reals& q, const Reals& v, Reals& c) const override;
  // The same without inertia forces and weight.
  void applied_force(const Recorded& t, const Reals& q, const Reals& v, Reals& f) const;
  Recorded potential(const Recorded& t, const Reals& q) const override;
  Recorded power(const Recorded& t, const Reals& q, const Reals& v) const override;
  std::vector<EnergyTerm> energy_terms(const Recorded& t, const Reals& q, const Reals& v) const override;
  void outputs(const RecordedState& state, Reals& values) const override;
  // The same on a scene; `multiplier` yields that of a kept row.
  using Multiplier = std::function<Real(std::size_t kept)>;
  void outputs(const Scene& scene, const Multiplier& multiplier, Reals& values) const;
  // One formula of everything that an output may speak of.
  Real evaluated_on(const Scene& scene, const Quantity& quantity, const Multiplier& multiplier) const;
  Reals reported_positions(const Recorded& t, const Reals& q) const override;
  Reals reported_velocities(const Recorded& t, const Reals& q, const Reals& v) const override;

 private:
  Rows position_rows_of(const Scene& scene) const;
  Rows velocity_rows_of(const Scene& scene) const;
  void add_given(const RecordedState& state, Row::Level level, Reals& values) const;
  ForceSink forces_at(const Scene& scene, bool with_weight = true) const;
  void add_forces(const Recorded& t, const Reals& q, const Reals& v, bool with_weight, Reals& f) const;
  Real gravity_potential(const Scene& scene) const;
  // DRIVER.force or DRIVER.moment: what the driver exerts along the coordinate that it drives, N or N m; its power is
  // this times the rate of the coordinate.
  std::optional<Real> driver_effort(const std::string& driver, const std::string& what,
                                    const Multiplier& multiplier) const;
  // JOINT.force.x and JOINT.moment: the reaction on the second body of a joint, at its pin.
  std::optional<Real> reaction(const Scene& scene, const std::string& name, const Multiplier& multiplier) const;
  std::size_t coordinate_of(const ForceSink::Direct& direct) const;

  std::shared_ptr<const Instance> instance_;
  std::vector<MechanismRow> rows_;
  std::vector<RowRange> position_rows_of_joint_, velocity_rows_of_joint_;
  std::vector<std::size_t> kept_;
  std::vector<int> directions_;
  std::vector<NamedQuantity> evaluated_;
  std::size_t all_position_rows_ = 0;
};

// In the plane rates are reported by the names of their coordinates; a file has names of their own for them:
// "arm.omega" for "arm.angle".
std::string rate_name(const std::string& coordinate);
// Names of what is reported: body coordinates and joint rows in file order.
ReportedNames reported_names(const MaximalFormulas& formulas);
// Places in all_rows() of the rows that are reported, in file order.
std::vector<std::size_t> reported_rows(const MaximalFormulas& formulas);

}  // namespace raak
