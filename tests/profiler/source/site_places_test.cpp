// SPDX-License-Identifier: Apache-2.0
#include "profiler/source/site_places.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace site_places_test {

CallSite site(std::int64_t id, const std::string& op) {
  CallSite site;
  site.id = id;
  site.op = op;
  return site;
}

TEST(SitePlaces, RemembersThePlaceOfEachSite) {
  SitePlaces places;
  places.add(site(5, "mm"), 7, false);
  EXPECT_EQ(places.of(5), 7);
  EXPECT_EQ(places.of(4), SourcePlaces::kUnknown);
  EXPECT_EQ(places.of(6), SourcePlaces::kUnknown);
  EXPECT_TRUE(places.take_open().empty());
}

TEST(SitePlaces, GivesBackOnceTheSitesWhoseLineIsStillToCome) {
  SitePlaces places;
  places.add(site(1, "mm"), 3, true);
  places.add(site(2, "add"), 4, false);
  const auto open = places.take_open();
  ASSERT_EQ(open.size(), 1u);
  EXPECT_EQ(open[0].site.op, "mm");
  EXPECT_EQ(open[0].place, 3);
  EXPECT_TRUE(places.take_open().empty());
  EXPECT_EQ(places.of(1), 3);
}

}  // namespace site_places_test
}  // namespace ampprof::profiler
