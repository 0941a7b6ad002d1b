// Model files of any size, for tests of what size costs.
#pragma once
#include <string>

namespace raak {

// 2N + 1 bars as N four-bar linkages side by side (IFToMM multibody benchmark A02), with the closed form of their
// motion for a reference.
std::string n_four_bar_file(long linkages);

// N uniform rods of 1 kg and 1 m, released from the horizontal; judged by the balance of energy.
std::string chain_file(long rods);

// N rods in space on hinges whose axes alternate, released from the horizontal; judged by the balance of energy, and of
// the default length by a reference of independent equations (tests/models_by_other_means/arm.py).
std::string arm_file(long rods);

}  // namespace raak
