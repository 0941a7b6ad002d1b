#include "output/formats/hdf5.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "output/folder/partial_file.h"
#include "output/test_support.h"

namespace raak {
namespace {

class Hdf5 : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_hdf5()) GTEST_SKIP() << "there is no HDF5 library here (apt-get install libhdf5-103-1)";
  }
  ScratchFolder scratch_;
};

TEST_F(Hdf5, ReadsBackWhatWasWrittenToTheBit) {
  const std::vector<double> values{0.1, -0.0, 1.0 / 3.0, 1e-310, std::numeric_limits<double>::infinity(), std::nan("")};
  const std::filesystem::path path = scratch_ / "a.h5";
  Hdf5File file(path);
  file.add("q.beta", values, "rad");
  file.add("a/b", std::vector<double>{2.0}, "");
  file.add("run.json", "{\"µ\": 1}");
  EXPECT_FALSE(std::filesystem::exists(path));
  file.seal();
  keep_sealed(path);
  EXPECT_FALSE(std::filesystem::exists(partial_path(path)));
  const std::vector<double> read = read_hdf5(path, "q.beta");
  ASSERT_EQ(read.size(), values.size());
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    EXPECT_EQ(read[i], values[i]);
    EXPECT_EQ(std::signbit(read[i]), std::signbit(values[i]));
  }
  EXPECT_TRUE(std::isnan(read.back()));
  EXPECT_EQ(read_hdf5(path, "a/b"), std::vector<double>{2.0});
  EXPECT_THROW(read_hdf5(path, "q.gamma"), Error);
}

TEST_F(Hdf5, LeavesNothingBehindWithoutFinish) {
  { Hdf5File(scratch_ / "a.h5").add("x", std::vector<double>{1.0}, "m"); }
  EXPECT_FALSE(std::filesystem::exists(partial_path(scratch_ / "a.h5")));
  EXPECT_THROW(Hdf5File(scratch_ / "none/a.h5"), Error);
}

TEST_F(Hdf5, RefusesAFileThatIsNone) {
  put_text(scratch_ / "a.h5", "text");
  EXPECT_THROW(read_hdf5(scratch_ / "a.h5", "x"), Error);
}

}  // namespace
}  // namespace raak
