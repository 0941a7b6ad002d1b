#include "output/catalogue.h"

#include "output/formats/hdf5.h"

namespace raak {

const std::vector<FormatInfo>& format_catalogue() {
  static const std::vector<FormatInfo> formats{
      {"csv",
       "a row per sample: t, q, v, a, lambda, outputs, units in a comment; with --trace also z, z', z'', V_I, singular "
       "values and every re-partition",
       {"result.csv", "trace.csv", "partitions.csv"}},
      {"npz",
       "the same columns for NumPy, with the frames of the report and a row per step (numpy.load)",
       {"result.npz"}},
      {"hdf5",
       has_hdf5() ? "the same columns with their units, for run --hdf5 and convert"
                  : "the same columns with their units; its library is missing here (apt-get install libhdf5-103-1)",
       {"result.h5"}},
      {"html", "the moving mechanism, plots, accuracy and how to repeat the run, in one file", {"report.html"}},
      {"svg", "a quantity over time, for run --plot A", {"A.svg"}},
      {"png", "the same in pixels", {"A.png"}},
      {"json", "what was asked, how it ended, statistics, quality, energy ledger and the final state", {"run.json"}},
  };
  return formats;
}

}  // namespace raak
