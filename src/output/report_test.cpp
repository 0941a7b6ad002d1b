#include "output/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "output/folder/run_files.h"
#include "output/page_data.h"
#include "output/test_support.h"
#include "output/thinning.h"

namespace raak {
namespace {

StepReport step(double t, double h, double violation, const Statistics& work) {
  return {t, h, 8, violation, 2.0 * violation, work};
}

TEST(StepLog, KeepsTheShortestStepAndTheLargestViolationOfALongRun) {
  const Statistics work;
  StepLog log;
  const int steps = 100000;
  for (int i = 1; i <= steps; ++i) log.add(step(i, i == 77777 ? 0.001 : 1.0, i == 55555 ? 9.0 : 1.0, work));
  const std::vector<double>& rows = log.rows();
  EXPECT_LE(rows.size() / StepLog::columns, 8192U);
  EXPECT_GT(log.steps_a_row(), 1);
  EXPECT_EQ(rows[rows.size() - StepLog::columns], steps);
  double shortest = 1.0, largest = 0.0;
  for (std::size_t i = 0; i < rows.size(); i += StepLog::columns) {
    shortest = std::min(shortest, rows[i + 1]);
    largest = std::max(largest, rows[i + 3]);
  }
  EXPECT_EQ(shortest, 0.001);
  EXPECT_EQ(largest, 9.0);
}

TEST(Frames, GoFromTheStartToTheEndExactly) {
  const std::vector<double> times = frame_times(0.0, 0.3, 7);
  EXPECT_EQ(times.size(), 8U);
  EXPECT_EQ(times.front(), 0.0);
  EXPECT_EQ(times.back(), 0.3);
  EXPECT_EQ(frame_times(1.0, -1.0, 2), (std::vector<double>{1.0, 0.0, -1.0}));
  EXPECT_EQ(frame_times(2.0, 2.0, 5).size(), 1U);
}

Model bead_with_drawing() {
  Model model{make_bead(), {}, {}};
  model.drawing.add_points({"P"});
  model.drawing.add(DrawingElement::Kind::mass, {0}, "bead</script>", 0.1);
  model.drawing.place = [](const State& state, std::span<double> xy) {
    xy[0] = state.q[0];
    xy[1] = state.q[1];
  };
  return model;
}

Json document() {
  return {{"model", "bead"}, {"command", "raak run bead"}, {"program", "raak 0"}, {"title", "A <bead>"}};
}

TEST(Report, IsTheSameFromTheFolderAndCannotBeBrokenByItsData) {
  if (!has_page()) GTEST_SKIP() << "built without the web part";
  const ScratchFolder scratch;
  const Model model = bead_with_drawing();
  const std::filesystem::path out = scratch / "out";
  {
    RunFiles files(out.string(), model, Trace::none, chosen_formats({}));
    State state = State::of_size(2, 1);
    const Vector outputs = Vector::Zero(1 + energy_outputs + violation_outputs);
    files.add({state, outputs});
    for (int i = 0; i < 3; ++i) {
      state.t = i;
      files.add_frame({state, outputs});
    }
    Json run = document();
    files.finish(run, {{"model", "bead"}, {"command", "raak run bead"}}, "");
  }
  const std::string page = text_in(out / "report.html");
  EXPECT_EQ(page, report_of_folder(out));
  EXPECT_EQ(page.find("bead</script>"), std::string::npos);
  EXPECT_NE(page.find("\"count\":3"), std::string::npos);
}

// 10000 coordinates over 251 frames: far more than a page can hold.
TEST(Report, OfAHugeModelIsThinnedAndSaysSo) {
  Recording recording;
  recording.columns = {"t", "force"};
  Json names = Json::array();
  for (int i = 0; i < 10000; ++i) {
    names.push_back(fmt::format("x{}", i));
    recording.columns.push_back(fmt::format("q.x{}", i));
    recording.columns.push_back(fmt::format("a.x{}", i));
  }
  const std::size_t frames = 251, columns = recording.columns.size();
  recording.frames.assign(frames * columns, 0.5);
  for (std::size_t i = 0; i < frames; ++i) recording.frames[i * columns] = static_cast<double>(i);
  recording.points.assign(frames * 2, 1.0F);
  Json about{{"drawing", {{"dimension", 2}, {"points", {"P"}}, {"elements", Json::array()}}}};
  Json run = document();
  run["names"] = run["names_v"] = names;
  run["final"] = {{"q", Json(std::vector<double>(10000, 1.0))}};
  thin_out(run, about, recording);
  EXPECT_LE(recording.frames.size(), 1'000'000U);
  EXPECT_GE(recording.frame_count(), 100U);
  EXPECT_EQ(recording.points.size(), 2 * recording.frame_count());
  EXPECT_EQ(recording.columns[1], "force");
  EXPECT_EQ(recording.columns.back().substr(0, 2), "q.") << "accelerations go first";
  EXPECT_EQ(about.at("columns").size(), recording.columns.size());
  EXPECT_EQ(run.at("names").size(), run.at("final").at("q").size());
  EXPECT_EQ(about.at("left_out").size(), 3U) << about.at("left_out");
  EXPECT_EQ(recording.frames[recording.columns.size()], 2.0) << "every second frame";
}

TEST(Report, OfASmallModelIsLeftAsItIs) {
  Recording recording;
  recording.columns = {"t", "q.x"};
  recording.frames.assign(2000, 1.0);
  Json about = Json::object(), run = document();
  thin_out(run, about, recording);
  EXPECT_EQ(recording.frames.size(), 2000U);
  EXPECT_FALSE(about.contains("left_out"));
}

TEST(Report, RefusesAFolderThatIsNone) {
  const ScratchFolder scratch;
  EXPECT_THROW(report_of_folder(scratch / "none"), Error);
}

}  // namespace
}  // namespace raak
