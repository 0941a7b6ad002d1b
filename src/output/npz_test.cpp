// NPZ files: a ZIP archive of NPY arrays, read back to the bit and checked by its checksums.
#include <limits>

#include "base/error.h"
#include "output/folder.h"
#include "output/npy.h"
#include "output/test_support.h"
#include "output/zip.h"

namespace raak {
namespace {

TEST(Crc32, HasTheCheckValueOfTheStandard) {
  EXPECT_EQ(crc32("123456789"), 0xcbf43926U);
  EXPECT_EQ(crc32("6789", crc32("12345")), 0xcbf43926U);
}

TEST(Npy, ReadsBackWhatItWrote) {
  const std::vector<double> values{0.1, -1.0 / 3.0, std::numeric_limits<double>::infinity(), 5e-324};
  std::vector<double> read;
  EXPECT_TRUE(read_npy(npy_of(values, 2), read));
  EXPECT_EQ(read, values);
  std::vector<float> single;
  EXPECT_FALSE(read_npy(npy_of(values), single));
  EXPECT_FALSE(read_npy("no array", read));
}

TEST(Npy, TellsItsShapeAndAlignsItsNumbers) {
  const std::string bytes = npy_of(std::vector<float>(6), 3);
  EXPECT_NE(bytes.find("'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"), std::string::npos);
  EXPECT_EQ((bytes.size() - 6 * sizeof(float)) % 64, 0U);
}

TEST(Zip, ReadsBackWhatItWrote) {
  const ScratchFolder scratch;
  ZipFile file(scratch / "a.npz");
  file.add("empty", "");
  file.add("some", std::string("a\0b", 3));
  EXPECT_FALSE(std::filesystem::exists(scratch / "a.npz"));
  file.finish();
  EXPECT_FALSE(std::filesystem::exists(partial_path(scratch / "a.npz")));
  const auto blocks = read_zip(scratch / "a.npz");
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks.at("some"), std::string("a\0b", 3));
}

TEST(Zip, NoticesEveryDamagedByteAndEveryCut) {
  const ScratchFolder scratch;
  {
    ZipFile file(scratch / "a.npz");
    file.add("name", "some bytes that matter");
    file.finish();
  }
  const std::string whole = text_in(scratch / "a.npz");
  const auto original = read_zip(scratch / "a.npz");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    put_text(scratch / "b.npz", damaged);
    try {
      const auto blocks = read_zip(scratch / "b.npz");
      for (const auto& [name, bytes] : blocks) EXPECT_EQ(bytes, original.at("name"));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::request);
    }
    put_text(scratch / "b.npz", whole.substr(0, i));
    EXPECT_THROW(read_zip(scratch / "b.npz"), Error);
  }
}

}  // namespace
}  // namespace raak
