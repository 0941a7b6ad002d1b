// The tables of --trace: what they hold, and that they go on behind a checkpoint.
#include "output/folder/trace_files.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/archive.h"
#include "base/text/text.h"
#include "output/test_support.h"

namespace raak {
namespace {

// The bead of test_support.h slides on a circle of radius 1.
IndependentCoordinates independent_of(const Matrix& VI) {
  IndependentCoordinates independent;
  independent.VI = VI;
  return independent;
}

TEST(TraceFiles, ARowHoldsTheBasisInUseAndThatOfTheMoment) {
  const auto system = make_bead();
  State state = State::of_size(2, 1);
  state.q = Vector{{0.6, 0.8}};
  state.v = Vector{{0.8, -0.6}};
  state.a = Vector{{2.0, 3.0}};
  std::vector<double> row;
  append_trace(row, *system, state, independent_of(Matrix{{1.0, 0.0}}), Trace::matrices);
  const auto names = trace_columns(*system, Trace::matrices);
  EXPECT_EQ(
      join(names),
      "t, z.1, zd.1, zdd.1, V.1.1, V.1.2, now.1.1, now.1.2, sigma.1, outside, U.1.1, D.1.1, D.1.2, VD.1.1, VD.1.2");
  ASSERT_EQ(row.size(), names.size());
  Matrix G(1, 2);
  system->jacobian(0.0, state.q, G);
  const double sigma = G.norm(), sign = G(0, 0) > 0.0 ? 1.0 : -1.0;
  const std::vector<double> expected{0.0,   0.6,  0.8, 2.0,   1.0, 0.0,        0.8,       -0.6,
                                     sigma, 0.36, 1.0, sigma, 0.0, sign * 0.6, sign * 0.8};
  for (std::size_t i = 0; i < row.size(); ++i) EXPECT_NEAR(row[i], expected[i], 1e-15) << names[i];
  row.clear();
  append_trace(row, *system, state, independent_of(Matrix{{-1.0, 0.0}}), Trace::coordinates);
  EXPECT_EQ(row.size(), trace_columns(*system, Trace::coordinates).size());
  EXPECT_NEAR(row[6], -0.8, 1e-15) << "the basis of the moment follows the one in use";
}

TEST(TraceFiles, GoOnBehindACheckpoint) {
  const ScratchFolder scratch;
  const auto system = make_bead();
  State state = State::of_size(2, 1);
  state.q = Vector{{0.6, 0.8}};
  Archive saved;
  {
    TraceFiles files(scratch / "", *system, Trace::coordinates);
    files.add(PartitionRecord{0.0, 0.0, PartitionReason::start});
    files.add(state, independent_of(Matrix{{0.8, -0.6}}));
    saved(files);
    state.t = 1.0;  // of a part that is lost
    files.add(state, independent_of(Matrix{{0.8, -0.6}}));
    files.add(PartitionRecord{1.0, 0.3, PartitionReason::newton});
  }
  Archive restored(saved.bytes());
  TraceFiles files(scratch / "", *system, Trace::coordinates);
  restored(files);
  files.add(PartitionRecord{2.0, 0.06, PartitionReason::outside});
  std::string sealed;
  files.seal("", [&](const std::string& name, const std::function<void()>& write) {
    write();
    sealed += name + " ";
  });
  EXPECT_EQ(sealed, "trace.csv partitions.csv ");
  EXPECT_EQ(text_in(partial_path(scratch / "partitions.csv")),
            "t,outside,reason\n0,0,start\n2,0.06,share outside above the threshold\n");
  const std::string rows = text_in(partial_path(scratch / "trace.csv"));
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 2);
}

}  // namespace
}  // namespace raak
