#include "mechanism/formulas/row_turns.h"

#include <algorithm>
#include <limits>

#include "base/linear/index.h"
#include "system/recorded/recorded_system.h"

namespace raak {
namespace {

// The cosines in the place of constraints.
class Cosines final : public Formulas {
 public:
  explicit Cosines(std::shared_ptr<const MaximalFormulas> formulas) : formulas_(std::move(formulas)) {}
  void mass(const Recorded& /*t*/, const Reals& /*q*/, SymmetricEntries& /*M*/) const override {}
  void force(const Recorded& /*t*/, const Reals& /*q*/, const Reals& /*v*/, Reals& /*f*/) const override {}
  void constraint(const Recorded& t, const Reals& q, Reals& g) const override {
    for (const Rows::Turn& turn : turns(t, q)) g.insert(g.end(), turn.cosines.begin(), turn.cosines.end());
  }
  std::vector<Rows::Turn> turns(const Recorded& t, const Reals& q) const {
    // Rates do not enter directions; rows of velocities that read them see zeros here.
    const RecordedState state{t, q, Reals(q.size(), Real(0.0)), {}, {}};
    return formulas_->turns(Scene(formulas_->instance(), state));
  }

 private:
  std::shared_ptr<const MaximalFormulas> formulas_;
};

}  // namespace

RowTurns::RowTurns(const std::shared_ptr<const MaximalFormulas>& formulas) {
  const std::vector<int>& directions = formulas->directions();
  if (std::all_of(directions.begin(), directions.end(), [](int set) { return set == 0; })) return;
  const auto cosines = std::make_shared<const Cosines>(formulas);
  std::size_t entries = 0;
  {
    Tape tape;
    const Tape::Recording recording(tape);
    Reals q;
    for (int i = 0; i < formulas->instance().coordinates(); ++i) q.push_back(tape.new_input(1));
    for (const Rows::Turn& turn : cosines->turns(tape.new_input(0), q)) {
      groups_.push_back({turn.row, turn.size});
      entries += turn.cosines.size();
    }
  }
  Description description;
  description.constraints.resize(entries);
  recorded_ = std::make_unique<const RecordedSystem>(cosines, formulas->instance().coordinates(),
                                                     static_cast<int>(entries), 0, description);
}
RowTurns::~RowTurns() = default;

void RowTurns::cosines(double t, const Vector& q, Vector& values) const {
  values.resize(recorded_ ? recorded_->position_rows() : 0);
  if (recorded_) recorded_->constraint(t, q, values);
}

ShownMultipliers::ShownMultipliers(const std::shared_ptr<const MaximalFormulas>& formulas) : turns_(formulas) {
  const std::size_t all = formulas->all_rows().size();
  multiplier_of_row_.assign(all, -1);
  place_of_row_.assign(all, -1);
  for (std::size_t k = 0; k < formulas->kept().size(); ++k)
    multiplier_of_row_[formulas->kept()[k]] = static_cast<int>(k);
  for (const std::size_t row : reported_rows(*formulas)) {
    place_of_row_[row] = static_cast<int>(shown_.size());
    shown_.push_back({row, multiplier_of_row_[row], multiplier_of_row_[row] >= 0});
  }
  // One that is left out in the directions of its group may have a part in each direction of set 0.
  for (const RowTurns::Group& group : turns_.groups())
    for (std::size_t i = 0; i < group.size; ++i) shown_[z(place_of_row_[group.row + i])].known = true;
}

void ShownMultipliers::mark_indeterminate(const std::vector<std::size_t>& rows) {
  for (const std::size_t row : rows)
    if (place_of_row_[row] >= 0) shown_[z(place_of_row_[row])].known = false;
}

void ShownMultipliers::show(double t, const Vector& q, const Vector& lambda, Vector& shown) const {
  Vector values(static_cast<Eigen::Index>(shown_.size()));
  for (std::size_t i = 0; i < shown_.size(); ++i)
    values[static_cast<Eigen::Index>(i)] = shown_[i].multiplier < 0 ? 0.0 : lambda[shown_[i].multiplier];
  Vector cosines;
  turns_.cosines(t, q, cosines);
  Eigen::Index next = 0;
  for (const RowTurns::Group& group : turns_.groups())
    for (std::size_t i = 0; i < group.size; ++i) {
      double sum = 0.0;
      for (std::size_t j = 0; j < group.size; ++j, ++next)
        if (const int from = multiplier_of_row_[group.row + j]; from >= 0) sum += cosines[next] * lambda[from];
      values[place_of_row_[group.row + i]] = sum;
    }
  for (std::size_t i = 0; i < shown_.size(); ++i)
    if (!shown_[i].known) values[static_cast<Eigen::Index>(i)] = std::numeric_limits<double>::quiet_NaN();
  shown = std::move(values);
}

}  // namespace raak
