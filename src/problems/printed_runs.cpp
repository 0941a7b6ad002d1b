// Mazzia and Magherini, Test Set for Initial Value Problem Solvers, release 2.4, Bari 2008: Tables II.13.1, II.13.3,
// II.17.2, II.19.1 and II.19.3, and the settings of sections 13.4, 17.4 and 19.4. The CPU times are in seconds and of
// the machine on which that release was made. The drift is the objective of the IFToMM benchmark A03.
#include "problems/printed_runs.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace raak {
namespace {

const std::string testset = "Mazzia and Magherini, Test Set for IVP Solvers, release 2.4 (2008)";
constexpr std::nullopt_t none = std::nullopt;

}  // namespace

const std::vector<PrintedRuns>& printed_runs() {
  static const std::vector<PrintedRuns> runs{
      {"andrews",
       testset + ", Table II.13.3",
       "Index-3 form; scd counts the seven angles, mescd all 27 components.",
       {8, 48, Form::index3, 1.0},
       {{"BIMD", 1e-4, 1e-4, 0.27, 3.05, 46, 41, 1034, 41, 46, 0.0185},
        {"BIMD", 1e-7, 1e-7, 2.82, 5.38, 122, 122, 2553, 122, 122, 0.0459},
        {"GAMD", 1e-4, 1e-4, 0.35, 2.82, 82, 58, 2281, 58, 82, 0.0293},
        {"GAMD", 1e-7, 1e-7, 1.53, 4.54, 128, 116, 5176, 116, 128, 0.0693},
        {"MEBDFI", 1e-4, 1e-4, -1.11, 0.37, 118, 108, 466, 23, 23, 0.0078},
        {"MEBDFI", 1e-7, 1e-7, 1.25, 3.50, 300, 287, 1222, 38, 38, 0.0195},
        {"PSIDE-1", 1e-4, none, 0.22, 2.95, 92, 75, 1675, 52, 368, 0.0410},
        {"PSIDE-1", 1e-7, none, 2.10, 4.98, 113, 93, 2637, 63, 428, 0.0615},
        {"RADAU", 1e-4, 1e-4, -0.84, 1.36, 96, 56, 810, 54, 96, 0.0137},
        {"RADAU", 1e-7, 1e-7, 0.47, 4.45, 114, 95, 1292, 90, 114, 0.0195}},
       {{"GAMD", "rtol = 10^-(4+m/8), m = 3, 4, 6", "stepsize too small"},
        {"RADAU", "rtol = 10^-(4+m/8), m = 55, 56", "stepsize too small"}}},
      {"car-axis",
       testset + ", Table II.17.2",
       "Index-3 form; scd and mescd count all of q, v and lambda.",
       {4, 24, Form::index3, 1.0},
       {{"BIMD", 1e-4, 1e-4, 2.19, 0.34, 71, 71, 1693, 71, 71, 0.0088},
        {"BIMD", 1e-7, 1e-7, 5.47, 3.34, 138, 138, 4511, 138, 138, 0.0224},
        {"BIMD", 1e-10, 1e-10, 8.01, 5.35, 235, 235, 9669, 235, 235, 0.0488},
        {"GAMD", 1e-4, 1e-4, 1.98, 0.39, 39, 39, 2169, 39, 39, 0.0088},
        {"GAMD", 1e-7, 1e-7, 4.82, 2.64, 98, 98, 7167, 98, 98, 0.0293},
        {"GAMD", 1e-10, 1e-10, 6.50, 3.84, 179, 179, 18771, 179, 179, 0.0742},
        {"MEBDFI", 1e-4, 1e-4, 0.88, -0.23, 280, 278, 1246, 27, 27, 0.0059},
        {"MEBDFI", 1e-7, 1e-7, 4.65, 3.34, 650, 648, 2797, 47, 47, 0.0137},
        {"MEBDFI", 1e-10, 1e-10, 4.21, 2.08, 1393, 1391, 5624, 85, 85, 0.0264},
        {"PSIDE-1", 1e-4, none, 0.83, -0.28, 55, 54, 1403, 42, 220, 0.0098},
        {"PSIDE-1", 1e-7, none, 4.41, 2.27, 179, 172, 4103, 83, 464, 0.0273},
        {"PSIDE-1", 1e-10, none, 7.25, 4.86, 625, 612, 13751, 115, 964, 0.0869},
        {"RADAU", 1e-4, 1e-4, 1.34, 0.19, 98, 97, 850, 95, 98, 0.0039},
        {"RADAU", 1e-7, 1e-7, 3.73, 2.51, 289, 288, 2559, 282, 288, 0.0127},
        {"RADAU", 1e-10, 1e-10, 5.99, 4.22, 179, 178, 4281, 169, 179, 0.0166}},
       {}},
      {"slider-crank",
       testset + ", Table II.19.3",
       "Index-2 form of the linear beam without damping, smooth start; scd counts q and lambda. MDOP5, an explicit "
       "method with projection, is reported to take 2260 steps at rtol 1e-5, atol 1e-6.",
       {4, 24, Form::index2, 0.01},
       {{"BIMD", 1e-4, 1e-6, 0.23, 2.50, 102, 102, 1762, 102, 102, 0.0420},
        {"BIMD", 1e-6, 1e-8, 0.39, 3.38, 1155, 1155, 22548, 1155, 1155, 0.5144},
        {"BIMD", 1e-8, 1e-10, 2.50, 5.49, 992, 992, 35662, 992, 992, 0.7086},
        {"GAMD", 1e-4, 1e-6, 0.23, 2.28, 60, 60, 1983, 60, 60, 0.0342},
        {"GAMD", 1e-6, 1e-8, -0.16, 2.83, 534, 527, 25206, 527, 534, 0.4089},
        {"GAMD", 1e-8, 1e-10, 1.70, 4.69, 650, 650, 46109, 650, 650, 0.7271},
        {"MEBDFI", 1e-4, 1e-6, 0.22, 1.49, 250, 242, 1593, 28, 28, 0.0176},
        {"MEBDFI", 1e-6, 1e-8, 0.03, 3.03, 3328, 3324, 15099, 170, 170, 0.2011},
        {"MEBDFI", 1e-8, 1e-10, 2.72, 5.71, 6316, 6315, 28395, 313, 313, 0.3845},
        {"PSIDE-1", 1e-4, none, -0.05, 0.93, 45, 41, 858, 29, 180, 0.0234},
        {"PSIDE-1", 1e-6, none, 0.16, 2.43, 259, 235, 5020, 147, 888, 0.1298},
        {"PSIDE-1", 1e-8, none, 1.66, 4.66, 1639, 1445, 31526, 54, 2324, 0.6412},
        {"RADAU", 1e-4, 1e-6, 0.20, 1.90, 104, 92, 717, 89, 104, 0.0224},
        {"RADAU", 1e-6, 1e-8, 0.14, 2.89, 132, 131, 3367, 123, 131, 0.0654},
        {"RADAU", 1e-8, 1e-10, 1.65, 4.65, 420, 419, 10589, 397, 414, 0.2089}},
       {{"MEBDFDAE", "rtol = 10^-(4+m/4), m = 19, ..., 24", "stepsize too small"},
        {"MEBDFI", "rtol = 10^-(4+m/4), m = 21, 22, 23, 24", "stepsize too small"},
        {"PSIDE-1", "rtol = 10^-(4+m/4), m = 17, 18, ..., 24", "iteration matrix singular"},
        {"RADAU", "rtol = 10^-(4+m/4), m = 24", "core dump / overflow in decomposition"},
        {"RADAU5", "rtol = 10^-(4+m/4), m = 24", "core dump / overflow in decomposition"}}},
  };
  return runs;
}

std::vector<double> PrintedSettings::rtols() const {
  std::vector<double> grid;
  for (int m = 0; m <= last; ++m) grid.push_back(std::pow(10.0, -(4.0 + static_cast<double>(m) / points_a_decade)));
  return grid;
}

const PrintedRuns* find_printed_runs(const std::string& model) {
  const auto& runs = printed_runs();
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const PrintedRuns& r) { return r.model == model; });
  return found == runs.end() ? nullptr : &*found;
}

std::optional<double> printed_drift(const std::string& model) {
  static const std::map<std::string, double> drifts{{"andrews-iftomm", 1e-5}};
  const auto found = drifts.find(model);
  return found == drifts.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace raak
