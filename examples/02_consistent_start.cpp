// Find a consistent start from the one angle you know: Andrews' squeezer with the crank at -0.0620 rad.
// Ends with 1 if the constraints are not met.
#include <fmt/format.h>

#include "kinematics/start/consistent_start.h"
#include "problems/catalogue.h"

int main() {
  for (const raak::ModelSource& source : raak::problem_catalogue()) {
    if (source.name != "andrews") continue;
    raak::Model model = source.build(source.parameters, raak::Form::index1);
    model.start.q[0] = -0.0620;  // beta, trusted; the other angles are guesses
    const raak::State start = raak::make_consistent(*model.system, model.start);
    const raak::RankReport rank = raak::constraint_rank(*model.system, start.t, start.q);

    const auto& names = model.system->description().coordinates;
    for (std::size_t i = 0; i < names.size(); ++i)
      fmt::print("{:>6} = {:19.16f} rad\n", names[i], start.q[static_cast<Eigen::Index>(i)]);
    fmt::print("{} coordinates, constraints of rank {}: mobility {}\n", names.size(), rank.rank, rank.mobility);

    raak::Vector g(model.system->position_rows());
    model.system->constraint(start.t, start.q, g);
    return g.norm() < 1e-15 && rank.mobility == 1 ? 0 : 1;
  }
  return 1;
}
