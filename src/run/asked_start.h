// From start values that a user gives, on the command line or in a call, to the start of a model.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "kinematics/model.h"

namespace raak {

// A coordinate's position or velocity by name: "beta", "q.beta", "v.beta", "arm.omega".
struct StartValue {
  std::string name;
  std::optional<double> value;  // none: as the model has it
};

// What trusted values and guesses are called in messages: "--trust" on the command line.
struct StartWords {
  std::string trust = "trust", guess = "guess";
};

// Trusted values take the place of those of the model, positions and velocities apart; guesses that of its guesses.
void apply_start(StartRequest& start, const ReportedNames& names, const std::vector<StartValue>& trust,
                 const std::vector<StartValue>& guess, const StartWords& words = {});

// The same of a model, which keeps its references only if it starts as before.
void restart(Model& model, const std::vector<StartValue>& trust, const std::vector<StartValue>& guess,
             const StartWords& words = {});

// References belong to the model's own start: a model whose start has changed keeps them only where it begins as
// before.
void keep_references_of_start(Model& model, const StartRequest& own);

}  // namespace raak
