// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/pictures/box_tones.h"

#include <gtest/gtest.h>

#include <limits>

#include "gui/data/module_picture.h"
#include "gui/data/site_measure.h"

namespace ampprof::gui {
namespace box_tones_test {

using Kind = BoxTone::Kind;

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Returns a picture of two call sites in a module, with values of one measure.
ModulePicture pictureOf(std::size_t measure, std::vector<NodeFigures> leaves) {
  ModulePicture picture{.tree = weightedTree({{"net", "a", 2}, {"net", "b", 1}})};
  picture.figures.resize(picture.tree.nodes.size());
  for (NodeFigures& figures : picture.figures) figures.now.resize(siteMeasures().size());
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    leaves[leaf].now.resize(siteMeasures().size());
    std::swap(leaves[leaf].now[0], leaves[leaf].now[measure]);
    picture.figures[picture.tree.nodeOf(leaf)] = leaves[leaf];
  }
  return picture;
}

struct Tones {
  std::vector<BoxTone> tones;
  const WeightedTree& tree;

  BoxTone leaf(std::size_t place) const { return tones[tree.nodeOf(place)]; }
  BoxTone module() const { return tones[tree.moduleAt("net")]; }
};

TEST(BoxTones, AreHotterForLargerErrors) {
  const ModulePicture picture = pictureOf(kLocalErrorMeasure, {{.now = {1e-2}}, {.now = {1e-4}}});
  const Tones tones{heatTones(picture, kLocalErrorMeasure, 0.0), picture.tree};
  EXPECT_EQ(tones.leaf(0), (BoxTone{Kind::Heat, 1.0}));
  EXPECT_LT(tones.leaf(1).value, 0.5);
  EXPECT_EQ(tones.module(), tones.leaf(0)) << "the worst in it";
}

TEST(BoxTones, ShowAFigureThatIsNotFiniteAsNaN) {
  const ModulePicture picture = pictureOf(kLocalErrorMeasure, {{.now = {1e-2}}, {.now = {kInf}}});
  const Tones tones{heatTones(picture, kLocalErrorMeasure, 0.0), picture.tree};
  EXPECT_EQ(tones.leaf(1).kind, Kind::NonFinite);
  EXPECT_EQ(tones.module().kind, Kind::NonFinite);
  const Tones by_time{heatTones(picture, kTimeMeasure, 0.0), picture.tree};
  EXPECT_EQ(by_time.leaf(1).kind, Kind::NonFinite) << "whatever is shown";
}

TEST(BoxTones, AreNeutralForNoise) {
  const ModulePicture picture = pictureOf(kLossMeasure, {{.now = {1e-2}}, {.now = {1e-8}}});
  const Tones tones{heatTones(picture, kLossMeasure, 1e-7), picture.tree};
  EXPECT_EQ(tones.leaf(1).kind, Kind::Neutral);
  EXPECT_EQ(tones.leaf(0).kind, Kind::Heat);
}

TEST(BoxTones, TellMoreFromLess) {
  const ModulePicture picture = pictureOf(kTimeMeasure, {{.now = {8.0}, .before = 2.0}, {.now = {1.0}, .before = 2.0}});
  const Tones tones{changeTones(picture, kTimeMeasure, true), picture.tree};
  EXPECT_EQ(tones.leaf(0), (BoxTone{Kind::Change, 1.0})) << "four times";
  EXPECT_EQ(tones.leaf(1), (BoxTone{Kind::Change, -0.5})) << "half";
}

TEST(BoxTones, ShowANewCallSiteAsAnIncrease) {
  const ModulePicture picture = pictureOf(kTimeMeasure, {{.now = {8.0}}, {.now = {3.0}, .before = 3.0}});
  const Tones tones{changeTones(picture, kTimeMeasure, true), picture.tree};
  EXPECT_EQ(tones.leaf(0).value, 1.0);
  EXPECT_EQ(tones.leaf(1).kind, Kind::Neutral) << "the same";
}

TEST(BoxTones, AreGreyIfTheChangeIsUnknown) {
  const ModulePicture picture = pictureOf(kTimeMeasure, {{.now = {8.0}, .before = 2.0, .is_sure = false}, {}});
  EXPECT_EQ((Tones{changeTones(picture, kTimeMeasure, true), picture.tree}.leaf(0).kind), Kind::Neutral);
}

TEST(BoxTones, ArePaleWhereNoiseIsNotKnown) {
  const ModulePicture picture = pictureOf(kTimeMeasure, {{.now = {8.0}, .before = 2.0}, {}});
  EXPECT_EQ((Tones{changeTones(picture, kTimeMeasure, false), picture.tree}.leaf(0).value), 0.5);
}

}  // namespace box_tones_test
}  // namespace ampprof::gui
