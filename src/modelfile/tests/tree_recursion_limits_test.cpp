// Which trees of bodies are solved by a recursion over them, and which are recorded.
#include <gtest/gtest.h>

#include "modelfile/tests/test_support.h"
#include "system/recorded/recorded_system.h"

namespace raak {
namespace {

// Rods in a row at rest, on balls.
std::string rods_on_balls(int count, const std::string& more) {
  std::string bodies, joints;
  for (int i = 0; i < count; ++i) {
    bodies += fmt::format(
        "[bodies.r{}]\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]\ncom = [0.5, 0.0, 0.0]\npoints = {{ A = [0.0, 0.0, 0.0], "
        "B = [1.0, 0.0, 0.0] }}\n",
        i);
    joints += fmt::format("j{0} = {{ type = \"spherical\", pins = [\"{1}.B\", \"r{0}.A\"] }}\n", i,
                          i == 0 ? "ground" : fmt::format("r{}", i - 1));
  }
  return "format = \"raak/1\"\nspace = \"spatial\"\n[ground.points]\nB = [0.0, 0.0, 0.0]\n" + bodies + "[joints]\n" +
         joints + more;
}
const std::string push = "[forces]\npush = { type = \"force\", at = \"r2.B\", value = [0.0, 1.0, 0.0] }\n";

bool is_recorded(const Model& model) {
  return dynamic_cast<const RecordedSystem*>(model.system.get()) != nullptr;
}

TEST(TreeRecursionLimits, FewBodiesOfManyCoordinatesAreRecorded) {
  const Model loaded = model_of(rods_on_balls(26, push), Coordinates::automatic);
  EXPECT_TRUE(is_recorded(loaded));
  const Model free = model_of(rods_on_balls(26, ""), Coordinates::automatic);
  EXPECT_EQ(free.system->coordinates(), 4 * 26);
  EXPECT_FALSE(is_recorded(free));
}

TEST(TreeRecursionLimits, ManyBodiesOfManyCoordinatesKeepTheirOwn) {
  const Model loaded = model_of(rods_on_balls(31, push), Coordinates::automatic);
  EXPECT_EQ(loaded.system->coordinates(), 7 * 31);
  const Model free = model_of(rods_on_balls(31, ""), Coordinates::automatic);
  EXPECT_EQ(free.system->coordinates(), 4 * 31);
}

}  // namespace
}  // namespace raak
