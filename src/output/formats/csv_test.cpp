#include "output/formats/csv.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>
#include <sstream>

#include "base/error.h"
#include "base/text/text.h"
#include "output/folder/folder.h"
#include "output/formats/zip.h"
#include "output/recording.h"
#include "output/test_support.h"

namespace raak {
namespace {

TEST(Csv, WritesPlainDecimalsWhereAReaderExpectsThem) {
  const ScratchFolder scratch;
  CsvFile file(scratch / "a.csv", {"t"});
  for (const double value : {0.0003, -0.0001, 0.00012345678901234567, 100000.0, 3e-5, 1e16}) {
    file.add(value);
    file.end_row();
  }
  file.seal();
  keep_sealed(scratch / "a.csv");
  EXPECT_EQ(text_in(scratch / "a.csv"), "t\n0.0003\n-0.0001\n0.00012345678901234567\n100000\n3e-05\n1e+16\n");
}

TEST(Csv, ReadsBackEveryNumberToTheBit) {
  const ScratchFolder scratch;
  const Vector values{{0.1, -1.0 / 3.0, 5e-324, 1.7976931348623157e308, 0.0, 15.810771195153707}};
  CsvFile file(scratch / "a.csv", {"p", "q", "r", "s", "t", "u"});
  file.add(values);
  file.end_row();
  file.seal();
  keep_sealed(scratch / "a.csv");
  std::istringstream lines(text_in(scratch / "a.csv"));
  std::string header, row, cell;
  std::getline(lines, header);
  std::getline(lines, row);
  EXPECT_EQ(header, "p,q,r,s,t,u");
  std::istringstream cells(row);
  for (const double value : values) {
    ASSERT_TRUE(std::getline(cells, cell, ','));
    EXPECT_EQ(parse_number(cell), value);
  }
}

TEST(Csv, AppearsUnderItsNameOnlyWhenFinished) {
  const ScratchFolder scratch;
  CsvFile file(scratch / "a.csv", {"t"});
  EXPECT_FALSE(std::filesystem::exists(scratch / "a.csv"));
  file.seal();
  keep_sealed(scratch / "a.csv");
  EXPECT_TRUE(std::filesystem::exists(scratch / "a.csv"));
  EXPECT_FALSE(std::filesystem::exists(partial_path(scratch / "a.csv")));
}

TEST(Csv, LeavesNothingBehindWithoutFinish) {
  const ScratchFolder scratch;
  { const CsvFile file(scratch / "a.csv", {"t"}); }
  EXPECT_FALSE(std::filesystem::exists(scratch / "a.csv"));
  EXPECT_FALSE(std::filesystem::exists(partial_path(scratch / "a.csv")));
}

TEST(Csv, MarksATableThatStopsEarlyInOneLastLine) {
  const ScratchFolder scratch;
  CsvFile file(scratch / "a.csv", {"t"});
  file.add(1.0);
  file.end_row();
  file.seal("stopped\nat t = 1 s");
  keep_sealed(scratch / "a.csv");
  EXPECT_EQ(text_in(scratch / "a.csv"), "t\n1\n# partial: stopped at t = 1 s\n");
}

TEST(Csv, RefusesAPlaceThatDoesNotExist) {
  const ScratchFolder scratch;
  try {
    const CsvFile file(scratch / "none/a.csv", {"t"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::request);
    EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos);
  }
}

TEST(Csv, HoldsMoreThanItsBuffer) {
  const ScratchFolder scratch;
  CsvFile file(scratch / "a.csv", {"t"});
  for (int i = 0; i < 50000; ++i) {
    file.add(i / 7.0);
    file.end_row();
  }
  file.seal();
  keep_sealed(scratch / "a.csv");
  std::istringstream lines(text_in(scratch / "a.csv"));
  std::string line;
  std::getline(lines, line);
  for (int i = 0; i < 50000; ++i) {
    ASSERT_TRUE(std::getline(lines, line));
    ASSERT_EQ(parse_number(line), i / 7.0);
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(Csv, AResultHasOneColumnPerNumberOfASample) {
  const ScratchFolder scratch;
  const auto system = make_bead();
  const auto columns = result_columns(*system);
  EXPECT_EQ(join(columns), "t, q.x, q.y, v.x, v.y, a.x, a.y, lambda.1, " + join(output_names(*system)));
  EXPECT_NE(std::find(columns.begin(), columns.end(), "height"), columns.end());
  const State state = State::of_size(2, 1);
  const Vector outputs = Vector::Zero(static_cast<Eigen::Index>(output_names(*system).size()));
  State shown;
  system->report(state, shown);
  std::vector<double> row;
  append_row(row, shown, outputs);
  EXPECT_EQ(row.size(), columns.size());
}

// A limit on the size of files, of this process: what is written beyond it fails as on a full disk.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) {
    before_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, before_);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

 private:
  rlimit old_{};
  void (*before_)(int) = nullptr;
};

TEST(Csv, KeepsTheWholeRowsThatFitAndTheNoteWhateverTheRoom) {
  const ScratchFolder scratch;
  const std::string note = "no room for more", last = "# partial: " + note;
  for (rlim_t room = 60; room < 400; room += 7) {
    std::size_t kept = 0;
    {
      const SizeLimit limit(room);
      CsvFile file(scratch / "a.csv", {"t", "x"});
      for (int i = 0; i < 40; ++i) {
        file.add(i);
        file.add(i / 7.0);
        file.end_row();
      }
      EXPECT_THROW(file.seal(note), Error);
      kept = file.seal_what_fits(note);
    }
    const std::string text = text_in(partial_path(scratch / "a.csv"));
    EXPECT_LE(text.size(), room);
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "t,x");
    for (std::size_t i = 0; i < kept; ++i) {
      std::getline(lines, line);
      EXPECT_EQ(line, fmt::format("{},{}", i, i == 0 ? "0" : fmt::format("{}", static_cast<double>(i) / 7.0)));
    }
    std::getline(lines, line);
    EXPECT_EQ(line, last);
    EXPECT_FALSE(std::getline(lines, line));
    EXPECT_GT(kept * 24 + 4 + last.size() + 24, room) << "rows that would fit are lost";
  }
}

// A row is longer than what is read at once in search of its beginning.
TEST(Csv, KeepsTheWholeRowsThatFitHoweverLong) {
  const ScratchFolder scratch;
  constexpr int columns = 9000;
  const std::vector<std::string> names(columns, "x");
  const std::size_t head = 2 * columns, row = 20 * columns;  // 1.2345678901234567, and the comma
  std::size_t kept = 0;
  {
    const SizeLimit limit(head + 2 * row + row / 2);
    CsvFile file(scratch / "a.csv", names);
    const auto fill = [&] {
      for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < columns; ++k) file.add(1.2345678901234567e8);
        file.end_row();
      }
      file.seal("full");
    };
    EXPECT_THROW(fill(), Error);
    kept = file.seal_what_fits("full");
  }
  std::istringstream lines(text_in(partial_path(scratch / "a.csv")));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line.size() + 1, head);
  std::size_t whole = 0;
  while (std::getline(lines, line) && line != "# partial: full")
    whole += static_cast<std::size_t>(std::count(line.begin(), line.end(), ',') == columns - 1);
  EXPECT_EQ(line, "# partial: full");
  EXPECT_EQ(whole, kept);
  EXPECT_GE(kept, 1U);
}

TEST(Csv, GoesOnWithTheRowsOfAnInterruptedRun) {
  const ScratchFolder scratch;
  CsvFile::Extent extent;
  {
    CsvFile file(scratch / "a.csv", {"t"});
    file.add(1.0);
    file.end_row();
    extent = file.sync();
    file.add(2.0);
    file.end_row();
    file.leave();
    file.flush();
  }
  EXPECT_EQ(extent.crc, crc32("t\n1\n"));
  CsvFile file(scratch / "a.csv", extent);
  file.add(3.0);
  file.end_row();
  EXPECT_EQ(file.rows(), 2U);
  file.seal();
  keep_sealed(scratch / "a.csv");
  EXPECT_EQ(text_in(scratch / "a.csv"), "t\n1\n3\n");
}

TEST(Csv, TellsTheUnitsInACommentBelowTheNames) {
  const ScratchFolder scratch;
  const auto system = make_bead();
  const std::vector<std::string> units = result_units(*system);
  EXPECT_EQ(units.size(), result_columns(*system).size());
  EXPECT_EQ(units.front(), "s");
  EXPECT_EQ(units[units.size() - violation_outputs - 1], "J");
  EXPECT_EQ(units.back(), "");  // nobody says what the row is
  CsvFile file(scratch / "a.csv", {"t", "q.x"}, {"s", "m"});
  file.seal();
  keep_sealed(scratch / "a.csv");
  EXPECT_EQ(text_in(scratch / "a.csv"), "t,q.x\n# units: s,m\n");
  EXPECT_EQ(csv_row({"", "", "rad", ""}), ",,rad,");  // a place for each
}

TEST(Csv, WordsAmongNumbersAreCells) {
  const ScratchFolder scratch;
  CsvFile file(scratch / "a.csv", {"t", "reason"});
  file.add(0.5);
  file.add_text("slow, \"late\"");
  file.end_row();
  file.seal();
  keep_sealed(scratch / "a.csv");
  EXPECT_EQ(text_in(scratch / "a.csv"), "t,reason\n0.5,\"slow, \"\"late\"\"\"\n");
}

}  // namespace
}  // namespace raak
