// SPDX-License-Identifier: Apache-2.0
#include "profiler/scopes/backward_links.h"

#include <gtest/gtest.h>

#include <memory>

namespace ampprof::profiler {
namespace backward_links_test {

TEST(BackwardLinks, GivesTheModuleOfEachNodeThatAnOpMade) {
  const auto links = std::make_unique<BackwardLinks>();
  links->link(10, 13, 1, 7);
  links->link(13, 14, 1, 8);
  EXPECT_EQ(links->module_of(10, 1), 7);
  EXPECT_EQ(links->module_of(12, 1), 7);
  EXPECT_EQ(links->module_of(13, 1), 8);
  EXPECT_EQ(links->module_of(14, 1), std::nullopt);
  EXPECT_EQ(links->module_of(0, 1), std::nullopt);
}

TEST(BackwardLinks, ForgetsANodeWhosePlaceWasTaken) {
  const auto links = std::make_unique<BackwardLinks>();
  links->link(5, 6, 1, 1);
  links->link(5 + 65536, 6 + 65536, 1, 2);
  EXPECT_EQ(links->module_of(5, 1), std::nullopt);
  EXPECT_EQ(links->module_of(5 + 65536, 1), 2);
}

TEST(BackwardLinks, TellsThreadsApartThatCountTheSameNumbers) {
  const auto links = std::make_unique<BackwardLinks>();
  links->link(5, 6, 1, 10);
  links->link(5, 6, 2, 20);
  EXPECT_EQ(links->module_of(5, 1), 10);
  EXPECT_EQ(links->module_of(5, 2), 20);
}

}  // namespace backward_links_test
}  // namespace ampprof::profiler
