// Of a system whose equations are functions that are called one by one with numbers, those of a user in another
// language, say: each call takes far more than the algebra of the coordinates, so that methods which ask for fewer of
// them are faster. A trait, beside being a ConstrainedSystem.
#pragma once

namespace raak {

class CalledEquations {
 public:
  CalledEquations() = default;
  CalledEquations(const CalledEquations&) = delete;
  CalledEquations& operator=(const CalledEquations&) = delete;
  virtual ~CalledEquations() = default;
};

}  // namespace raak
