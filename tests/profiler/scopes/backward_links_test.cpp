// SPDX-License-Identifier: Apache-2.0
#include "profiler/scopes/backward_links.h"

#include <gtest/gtest.h>

#include <memory>

namespace ampprof::profiler {
namespace backward_links_test {

using Forward = BackwardLinks::Forward;

TEST(BackwardLinks, GivesTheModuleAndCallSiteOfEachNodeThatAnOpMade) {
  const auto links = std::make_unique<BackwardLinks>();
  links->link(10, 13, 1, {.module = 7});
  links->link(13, 14, 1, {.module = 8, .call_site = 3});
  EXPECT_EQ(links->forward_of(10, 1), Forward{.module = 7});
  EXPECT_EQ(links->forward_of(12, 1), Forward{.module = 7});
  EXPECT_EQ(links->forward_of(13, 1), (Forward{.module = 8, .call_site = 3}));
  EXPECT_EQ(links->forward_of(14, 1), std::nullopt);
  EXPECT_EQ(links->forward_of(0, 1), std::nullopt);
}

TEST(BackwardLinks, ForgetsANodeWhosePlaceWasTaken) {
  const auto links = std::make_unique<BackwardLinks>();
  links->link(5, 6, 1, {.module = 1});
  links->link(5 + 65536, 6 + 65536, 1, {.module = 2});
  EXPECT_EQ(links->forward_of(5, 1), std::nullopt);
  EXPECT_EQ(links->forward_of(5 + 65536, 1), Forward{.module = 2});
}

TEST(BackwardLinks, TellsThreadsApartThatCountTheSameNumbers) {
  const auto links = std::make_unique<BackwardLinks>();
  links->link(5, 6, 1, {.module = 10});
  links->link(5, 6, 2, {.module = 20});
  EXPECT_EQ(links->forward_of(5, 1), Forward{.module = 10});
  EXPECT_EQ(links->forward_of(5, 2), Forward{.module = 20});
}

}  // namespace backward_links_test
}  // namespace ampprof::profiler
