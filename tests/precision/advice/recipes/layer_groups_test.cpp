// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/recipes/layer_groups.h"

#include <gtest/gtest.h>

#include "tests/precision/advice/recipes/layers.h"

namespace ampprof::advice {
namespace layer_groups_test {

using Groups = std::vector<LayerGroup>;

TEST(LayerGroups, AreOfOneNameUpToNumbers) {
  const std::vector<RecipeLayer> layers{layer("embed", {}), layer("blocks.0.fc1", {}), layer("blocks.0.fc2", {}),
                                        layer("blocks.1.fc1", {}), layer("blocks.1.fc2", {})};
  EXPECT_EQ(groups_of(layers), (Groups{{"embed", {0}}, {"blocks.*.fc1", {1, 3}}, {"blocks.*.fc2", {2, 4}}}));
}

TEST(LayerGroups, AreOfOneSize) {
  std::vector<RecipeLayer> layers{layer("blocks.0.fc1", {}), layer("blocks.1.fc1", {}), layer("blocks.2.fc1", {})};
  layers[1].rows = 512;
  EXPECT_EQ(groups_of(layers), (Groups{{"blocks.*.fc1", {0, 2}}, {"blocks.1.fc1", {1}}}));
  layers[1] = layer("blocks.1.fc1", {});
  layers[0].has[kDgrad] = false;
  EXPECT_EQ(groups_of(layers), (Groups{{"blocks.0.fc1", {0}}, {"blocks.*.fc1", {1, 2}}}));
}

TEST(LayerGroups, KeepLayersOfAModuleTogether) {
  std::vector<RecipeLayer> layers{layer("attention", {}), layer("attention", {}), layer("attention", {})};
  layers[1].rows = 3072;
  layers[2].kind = LayerKind::Product;
  EXPECT_EQ(groups_of(layers), (Groups{{"attention", {0, 1}}, {"attention", {2}}}));
}

TEST(LayerGroups, CanBeModules) {
  const std::vector<RecipeLayer> layers{layer("blocks.0.fc1", {}), layer("blocks.1.fc1", {})};
  EXPECT_EQ(groups_of(layers, true), (Groups{{"blocks.0.fc1", {0}}, {"blocks.1.fc1", {1}}}));
}

}  // namespace layer_groups_test
}  // namespace ampprof::advice
