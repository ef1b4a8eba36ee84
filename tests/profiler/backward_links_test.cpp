// SPDX-License-Identifier: Apache-2.0
#include "profiler/scopes/backward_links.h"

#include <gtest/gtest.h>

#include <memory>

namespace ampprof::profiler {
namespace {

TEST(BackwardLinks, GivesTheModuleOfEachNodeThatAnOpMade) {
  const auto links = std::make_unique<BackwardLinks>();
  links->link(10, 13, 7);
  links->link(13, 14, 8);
  EXPECT_EQ(links->module_of(10), 7);
  EXPECT_EQ(links->module_of(12), 7);
  EXPECT_EQ(links->module_of(13), 8);
  EXPECT_EQ(links->module_of(14), std::nullopt);
  EXPECT_EQ(links->module_of(0), std::nullopt);
}

TEST(BackwardLinks, ForgetsANodeWhosePlaceWasTaken) {
  const auto links = std::make_unique<BackwardLinks>();
  links->link(5, 6, 1);
  links->link(5 + 65536, 6 + 65536, 2);
  EXPECT_EQ(links->module_of(5), std::nullopt);
  EXPECT_EQ(links->module_of(5 + 65536), 2);
}

}  // namespace
}  // namespace ampprof::profiler
