#include "output/plots/panels.h"

#include <gtest/gtest.h>

namespace raak {
namespace {

using Places = std::vector<std::vector<std::size_t>>;

TEST(Panels, KeepUnitsApart) {
  EXPECT_EQ(share_panels({{"m", {0.0, 1.0}}, {"rad", {0.0, 1.0}}, {"m", {0.0, 0.9}}}), (Places{{0, 2}, {1}}));
}

TEST(Panels, GiveWhatIsSmallOneOfItsOwn) {
  EXPECT_EQ(share_panels({{"m", {0.0, 1.0}}, {"m", {-1e-5, 1e-5}}, {"m", {0.0, 0.5}}, {"m", {0.0, 1e-5}}}),
            (Places{{0, 2}, {1, 3}}));
}

TEST(Panels, GiveWhatMovesLittleFarFromOthersOneOfItsOwn) {
  EXPECT_EQ(share_panels({{"m", {0.0, 0.1}}, {"m", {1.0, 1.1}}}), (Places{{0}, {1}}));
  EXPECT_EQ(share_panels({{"m", {0.0, 0.5}}, {"m", {1.0, 1.5}}}), (Places{{0, 1}}));
}

TEST(Panels, PutConstantsWhereThereIsRoom) {
  EXPECT_EQ(share_panels({{"m", {0.0, 1.0}}, {"m", {0.5, 0.5}}, {"m", {1e-17, 3e-17}}}), (Places{{0, 1, 2}}));
  EXPECT_EQ(share_panels({{"m", {0.0, 1.0}}, {"m", {100.0, 100.0}}, {"m", {7.0, 7.0}}}), (Places{{0}, {1, 2}}));
  EXPECT_EQ(share_panels({{"m", {3.0, 3.0}}}), (Places{{0}}));
}

TEST(Panels, AreNeverManyForOneUnit) {
  std::vector<PanelEntry> entries;
  for (int i = 0; i < 200; ++i) entries.push_back({"m", {1.0 * i, 1.0 * i + 0.01}});
  const Places places = share_panels(entries);
  EXPECT_LE(places.size(), 8U);
  std::size_t members = 0;
  for (const auto& panel : places) members += panel.size();
  EXPECT_EQ(members, 200U);
}

TEST(Panels, TakeWhatHasNoValues) {
  EXPECT_EQ(share_panels({{"m", {}}, {"m", {0.0, 1.0}}}), (Places{{0, 1}}));
  EXPECT_EQ(share_panels({}), Places{});
}

}  // namespace
}  // namespace raak
