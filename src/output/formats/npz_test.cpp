// NPZ files: a ZIP archive of NPY arrays, read back to the bit and checked by its checksums.
#include <cstdlib>
#include <limits>
#include <map>

#include "base/error.h"
#include "output/folder/folder.h"
#include "output/formats/npy.h"
#include "output/formats/zip.h"
#include "output/formats/zip_reader.h"
#include "output/test_support.h"

namespace raak {
namespace {

std::map<std::string, std::string> read_zip(const std::filesystem::path& path) {
  const ZipReader archive(path);
  std::map<std::string, std::string> blocks;
  for (const auto& [name, block] : archive.blocks()) blocks[name] = archive.read(name);
  return blocks;
}

// As if the fields of the plain format ended so early, so that every block is a large one.
constexpr ZipFile::Limits tiny{4, 2};

TEST(Crc32, IsTheSameInPiecesOfAnyLength) {
  std::string bytes;
  for (int i = 0; i < 61; ++i) bytes += static_cast<char>(37 * i);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut)
    EXPECT_EQ(crc32(bytes.substr(cut), crc32(bytes.substr(0, cut))), crc32(bytes));
}

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
  file.seal();
  keep_sealed(scratch / "a.npz");
  EXPECT_FALSE(std::filesystem::exists(partial_path(scratch / "a.npz")));
  const auto blocks = read_zip(scratch / "a.npz");
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks.at("some"), std::string("a\0b", 3));
}

TEST(Zip, TakesPiecesOfSeveralBlocksInTurn) {
  const ScratchFolder scratch;
  for (const ZipFile::Limits limits : {ZipFile::Limits{}, tiny}) {
    ZipFile file(scratch / "a.npz", limits);
    const std::size_t a = file.begin("a", 6), b = file.begin("b", 4);
    for (const char* piece : {"ab", "cd", "ef"}) file.append(a, piece);
    EXPECT_THROW(file.seal(), std::logic_error) << "b is not complete";
    file.append(b, "1234");
    EXPECT_THROW(file.append(b, "5"), std::logic_error);
    file.seal();
    keep_sealed(scratch / "a.npz");
    EXPECT_EQ(read_zip(scratch / "a.npz"), (std::map<std::string, std::string>{{"a", "abcdef"}, {"b", "1234"}}));
  }
}

TEST(Zip, BeyondTheFieldsOfThePlainFormatIsReadByPythonToo) {
  const ScratchFolder scratch;
  ZipFile file(scratch / "a.npz", tiny);
  file.add("x.npy", npy_of(std::vector<double>{1.5, -2.5}));
  file.add("y.npy", npy_of(std::vector<double>(100, 0.25)));
  file.add("z", "ab");
  file.seal();
  keep_sealed(scratch / "a.npz");
  EXPECT_EQ(read_zip(scratch / "a.npz").at("z"), "ab");
  const std::string look =
      "import sys, zipfile; a = zipfile.ZipFile(sys.argv[1]); assert a.testzip() is None; "
      "assert a.namelist() == ['x.npy', 'y.npy', 'z'], a.namelist(); assert a.read('z') == b'ab'; "
      "assert len(a.read('y.npy')) % 64 == 800 % 64";
  EXPECT_EQ(std::system(("/usr/bin/python3 -c \"" + look + "\" " + (scratch / "a.npz").string()).c_str()), 0);
}

class DamagedZip : public testing::TestWithParam<ZipFile::Limits> {};
INSTANTIATE_TEST_SUITE_P(PlainAndLarge, DamagedZip, testing::Values(ZipFile::Limits{}, tiny));

TEST_P(DamagedZip, IsNoticedAtEveryByteAndEveryCut) {
  const ScratchFolder scratch;
  {
    ZipFile file(scratch / "a.npz", GetParam());
    file.add("other", "");
    file.add("name", "some bytes that matter");
    file.seal();
    keep_sealed(scratch / "a.npz");
  }
  const std::string whole = text_in(scratch / "a.npz");
  const auto original = read_zip(scratch / "a.npz");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    put_text(scratch / "b.npz", damaged);
    try {
      const auto blocks = read_zip(scratch / "b.npz");
      for (const auto& [name, bytes] : blocks) EXPECT_TRUE(bytes == original.at("name") || bytes.empty());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::request);
    }
    put_text(scratch / "b.npz", whole.substr(0, i));
    EXPECT_THROW(read_zip(scratch / "b.npz"), Error);
  }
}

}  // namespace
}  // namespace raak
