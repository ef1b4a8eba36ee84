// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/renames.h"

#include <gtest/gtest.h>

#include "tests/reports/compare/sites.h"

namespace ampprof::compare {
namespace renames_test {

std::vector<Rename> suggested(const std::vector<queries::OpRow>& a, const std::vector<queries::OpRow>& b) {
  return suggest_renames(sites_of(a), sites_of(b));
}

TEST(SuggestRenames, FindsTheFrontOfThePathThatChanged) {
  const auto renames = suggested(blocks({"encoder.layer1.conv", "encoder.layer2.conv", "head"}),
                                 blocks({"net.body.layer1.conv", "net.body.layer2.conv", "head"}));
  ASSERT_EQ(renames.size(), 1u);
  EXPECT_EQ(renames[0].from, "encoder");
  EXPECT_EQ(renames[0].to, "net.body");
  EXPECT_EQ(renames[0].call_sites, 4u);
  EXPECT_TRUE(renames[0].same_shapes);
  EXPECT_EQ(renames[0].modules.at("encoder.layer2.conv"), "net.body.layer2.conv");
}

TEST(SuggestRenames, PairsAlikeModulesBySharedNamesThenByOrder) {
  // A block is inserted at the front, so pairing by order alone would be wrong.
  const auto renames =
      suggested(blocks({"layer.0.conv", "layer.1.conv"}), blocks({"block.9.conv", "block.0.conv", "block.1.conv"}));
  ASSERT_EQ(renames.size(), 1u);
  EXPECT_EQ(renames[0].modules.at("layer.0.conv"), "block.0.conv");
  EXPECT_EQ(renames[0].modules.at("layer.1.conv"), "block.1.conv");
  const auto by_order = suggested(blocks({"first", "second"}), blocks({"one", "two"}));
  ASSERT_EQ(by_order.size(), 2u);
  EXPECT_EQ(by_order[0].modules.at("first"), "one");
  EXPECT_EQ(by_order[1].modules.at("second"), "two");
}

TEST(SuggestRenames, PrefersEqualShapesAndSaysWhereTheyAreNot) {
  const std::vector<queries::OpRow> a{op_row("p", "linear", "f32[8,4]"), op_row("q", "linear", "f32[8,5]")};
  const std::vector<queries::OpRow> b{op_row("r", "linear", "f16[8,5]{1,8}@2"), op_row("s", "linear", "f16[16,4]")};
  const auto renames = suggested(a, b);
  ASSERT_EQ(renames.size(), 2u);
  EXPECT_EQ(renames[0].from, "q");
  EXPECT_EQ(renames[0].to, "r") << "types and strides do not count";
  EXPECT_TRUE(renames[0].same_shapes);
  EXPECT_EQ(renames[1].from, "p");
  EXPECT_FALSE(renames[1].same_shapes);
}

TEST(SuggestRenames, SaysNothingOfModulesThatBothSidesHave) {
  // Both sides have the module fc, so `old` was not renamed to fc although fc now calls the same op.
  const std::vector<queries::OpRow> a{op_row("fc", "linear"), op_row("old", "relu")};
  const std::vector<queries::OpRow> b{op_row("fc", "addmm"), op_row("new", "gelu"), op_row("fc", "relu")};
  EXPECT_TRUE(suggested(a, b).empty());
}

TEST(SuggestRenames, CopesWithThousandsOfAlikeModules) {
  std::vector<std::string> modules_a;
  std::vector<std::string> modules_b;
  for (int i = 0; i < 3000; ++i) {
    modules_a.push_back("a" + std::to_string(i));
    modules_b.push_back("b" + std::to_string(i));
  }
  const auto renames = suggested(blocks(modules_a), blocks(modules_b));
  EXPECT_EQ(renames.size(), 3000u);
  EXPECT_EQ(renames.front().to, "b0");
}

TEST(WithFrontReplaced, TakesWholeNames) {
  EXPECT_EQ(with_front_replaced("encoder.conv", "encoder", "net"), "net.conv");
  EXPECT_EQ(with_front_replaced("encoder", "encoder", "net"), "net");
  EXPECT_EQ(with_front_replaced("encoder2.conv", "encoder", "net"), "encoder2.conv");
  EXPECT_EQ(with_front_replaced("encoder.conv", "encoder", ""), "conv");
  EXPECT_EQ(with_front_replaced("conv", "", "net"), "net.conv");
  EXPECT_EQ(with_front_replaced("", "", "net"), "net");
}

TEST(SuggestRenames, PairsWhatIsLeftWithTheNearestPlace) {
  const auto renames = suggested(blocks({"x.s", "y", "z"}), blocks({"p", "q", "r.s"}));
  ASSERT_EQ(renames.size(), 3u);
  EXPECT_EQ(renames[0].modules.at("x.s"), "r.s");
  EXPECT_EQ(renames[1].modules.at("y"), "q");
  EXPECT_EQ(renames[2].modules.at("z"), "p");
}

TEST(SuggestRenames, CutsOffAllOfAPathThatEndsAsTheOther) {
  const auto shorter = suggested(blocks({"encoder.conv"}), blocks({"conv"}));
  ASSERT_EQ(shorter.size(), 1u);
  EXPECT_EQ(shorter[0].from, "encoder");
  EXPECT_EQ(shorter[0].to, "");
  const auto longer = suggested(blocks({"conv"}), blocks({"net.encoder.conv"}));
  ASSERT_EQ(longer.size(), 1u);
  EXPECT_EQ(longer[0].from, "");
  EXPECT_EQ(longer[0].to, "net.encoder");
}

TEST(SuggestRenames, TellsFrontsAndShapesApart) {
  const auto fronts = suggested(blocks({"enc.a", "enc.b", "dec.c"}), blocks({"x.a", "y.b", "y.c"}));
  ASSERT_EQ(fronts.size(), 3u);
  EXPECT_EQ(fronts[0].to, "x");
  EXPECT_EQ(fronts[1].to, "y");
  EXPECT_EQ(fronts[2].from, "dec");
  const auto shapes = suggested({op_row("enc.a", "linear", "f32[8]"), op_row("enc.b", "linear", "f32[9]")},
                                {op_row("net.a", "linear", "f32[8]"), op_row("net.b", "linear", "f32[7]")});
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_TRUE(shapes[0].same_shapes);
  EXPECT_FALSE(shapes[1].same_shapes);
}

}  // namespace renames_test
}  // namespace ampprof::compare
