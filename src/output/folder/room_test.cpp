#include "output/folder/room.h"

#include "base/error.h"
#include "output/tables/row_spool.h"
#include "output/test_support.h"

namespace raak {
namespace {

TEST(Room, IsWhatTheFormatsTakeForANumber) {
  const Room room = room_for({1000, 10, 0, 0});
  EXPECT_EQ(room.least, 10000.0 * (8 + 8 + 2));
  EXPECT_EQ(room.likely, 10000.0 * (8 + 8 + 19));
  EXPECT_EQ(room_for({1000, 10, 0, 0, chosen_formats({"csv", "npz", "json"})}).least - room.least, 20000.0);
  EXPECT_EQ(room_for({1000, 10, 0, 0, chosen_formats({"npz"})}).least, room.least) << "the rows go to a table at once";
}

TEST(Room, ThatIsNotThereIsRefusedWithFigures) {
  const ScratchFolder scratch;
  try {
    foresee_room(scratch / "a/b", {std::uint64_t{1} << 40, 1 << 20});
    FAIL() << "it is refused";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(error.kind(), ErrorKind::request);
    for (const char* words : {"1099511627776 rows of 1048576 numbers", "are free", "--every", "--out"})
      EXPECT_NE(text.find(words), std::string::npos) << text;
  }
  EXPECT_EQ(foresee_room(scratch / "a/b", {100, 10}), "");
}

// 8 bytes in result.npz and 16/3 in the report, half as much for a point there.
TEST(Room, OfFramesIsWhatTheArraysAndTheReportTake) {
  EXPECT_DOUBLE_EQ(room_for({0, 100, 60, 0}).least, 60 * 100 * (8 + 16.0 / 3.0));
  EXPECT_DOUBLE_EQ(room_for({0, 100, 60, 30}).frames, 60 * (100 * 8 + 30 * 4 + 130 * 16.0 / 3.0));
  EXPECT_DOUBLE_EQ(room_for({0, 100, 1'000'000, 0}).least, 8e8 + 1e6 * 16.0 / 3.0);  // the report leaves some out
}

TEST(Room, ThatFramesTakeIsSaidToBeTheirs) {
  const ScratchFolder scratch;
  try {
    foresee_room(scratch / "a", {0, 1000, std::uint64_t{1} << 40, 24});
    FAIL() << "it is refused";
  } catch (const Error& error) {
    const std::string text = error.what();
    for (const char* words : {"a row of 1000 numbers a step, 1099511627776 moments of 1024 numbers for the report",
                              "8.9 PB and more", "fewer --frames"})
      EXPECT_NE(text.find(words), std::string::npos) << text;
    for (const char* words : {" 0 rows", "--every", "PB to"}) EXPECT_EQ(text.find(words), std::string::npos) << text;
  }
}

TEST(Room, IsSaidInUnitsThatPeopleRead) {
  EXPECT_EQ(bytes_text(0.0), "0 bytes");
  EXPECT_EQ(bytes_text(999.4), "999 bytes");
  EXPECT_EQ(bytes_text(5.21e9), "5.21 GB");
  EXPECT_EQ(bytes_text(1e30), "1e+15 PB");
}

// With blocks of 2^21 numbers, so that the last one is not full, and rows that are still in memory.
TEST(RowSpool, HandsOutEveryColumnInItsOrder) {
  const ScratchFolder scratch;
  constexpr std::size_t columns = 700, rows = 7001;
  RowSpool spool(scratch / "a", std::vector<std::string>(columns, "x"), std::vector<std::string>(columns));
  const auto number = [](std::size_t row, std::size_t column) { return static_cast<double>(row * columns + column); };
  std::vector<double> row(columns);
  for (std::size_t i = 0; i < rows + 5; ++i) {
    for (std::size_t k = 0; k < columns; ++k) row[k] = number(i, k);
    spool.add(row);
  }
  spool.cut(rows);
  struct Reader final : TableWriter {
    void begin(const TableRows& table) override { all = table.rows(); }
    void rows(std::size_t first, const std::vector<std::vector<double>>& values) override {
      right = right && first == seen && values.size() == columns;
      for (std::size_t k = 0; k < columns; ++k)
        for (std::size_t i = 0; i < values[k].size(); ++i)
          right = right && values[k][i] == static_cast<double>((seen + i) * columns + k);
      seen += values.front().size();
    }
    void finish(const Companions&) override { right = right && seen == all; }
    std::size_t seen = 0, all = 0;
    bool right = true;
  };
  for (int time = 0; time < 2; ++time) {  // once for each format
    Reader reader;
    spool.rewind();
    write_table(spool, reader, {});
    EXPECT_TRUE(reader.right);
    EXPECT_EQ(reader.seen, rows);
  }
  for (const std::size_t i : {std::size_t{0}, rows / 2, rows - 1}) EXPECT_EQ(spool.row(i)[3], number(i, 3));
}

}  // namespace
}  // namespace raak
