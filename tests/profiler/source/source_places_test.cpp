// SPDX-License-Identifier: Apache-2.0
#include "profiler/source/source_places.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "profiler/source/debug_lines.h"
#include "tests/profiler/source/include/torch/inlined.h"

namespace ampprof::profiler {
namespace source_places_test {

__attribute__((noinline)) SourcePlaces::Id twice_from_here(SourcePlaces& places, int& line) {
  SourcePlaces::Id place = 0;
  for (int i = 0; i < 2; ++i) {
    place = places.here();
    line = __LINE__ - 1;
  }
  return place;
}

inline __attribute__((always_inline)) SourcePlaces::Id inlined(SourcePlaces& places, int& line) {
  line = __LINE__ + 1;
  return places.here();
}

std::string here(int line) { return std::string(__FILE__) + ":" + std::to_string(line); }

/// Compares only the end of the path, because the compiler may use another name of the source folder.
testing::AssertionResult is_line(const std::string& text, int line) {
  const std::string end = "tests/profiler/source/source_places_test.cpp:" + std::to_string(line);
  if (text.ends_with(end)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << text << " instead of " << here(line);
}

TEST(SourcePlaces, AreFoundWhenTheyAreResolved) {
  SourcePlaces places("");
  int line = 0;
  const SourcePlaces::Id place = twice_from_here(places, line);
  EXPECT_NE(place, SourcePlaces::kUnknown);
  EXPECT_TRUE(places.is_open(place));
  EXPECT_EQ(places.text_of(place), "");
  EXPECT_EQ(places.resolve(), 0) << "tests are built with -g1";
  EXPECT_FALSE(places.is_open(place));
  EXPECT_TRUE(is_line(places.text_of(place), line));
}

TEST(SourcePlaces, SeeThroughWhatWasInlined) {
  SourcePlaces places("");
  int line = 0;
  const SourcePlaces::Id place = inlined(places, line);
  places.resolve();
  EXPECT_TRUE(is_line(places.text_of(place), line)) << "the innermost line of the user's is wanted";
}

TEST(SourcePlaces, AreTheCallersOfWhatTorchInlined) {
  SourcePlaces places("");
  const int line = __LINE__ + 1;
  const SourcePlaces::Id place = inlined_from_torch(places);
  EXPECT_EQ(places.resolve(), 0);
  EXPECT_TRUE(is_line(places.text_of(place), line));
}

TEST(SourcePlaces, AreFunctionsWhereThereAreNoLines) {
  void* library = dlopen(BARE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto ask = reinterpret_cast<SourcePlaces::Id (*)(SourcePlaces*)>(dlsym(library, "place_without_line"));
  SourcePlaces places("");
  const SourcePlaces::Id place = ask(&places);
  EXPECT_EQ(places.resolve(), 1);
  EXPECT_TRUE(places.text_of(place).starts_with("bare_step(")) << places.text_of(place);
  EXPECT_EQ(places.resolve(), 0) << "it is returned once";
}

TEST(SourcePlaces, AreOneForEachStack) {
  SourcePlaces places("");
  int line = 0;
  SourcePlaces::Id places_of_loop[2];
  volatile std::size_t count = 2;  // volatile, so that the compiler does not unroll the calls
  for (std::size_t i = 0; i < count; ++i) places_of_loop[i] = twice_from_here(places, line);
  EXPECT_EQ(places_of_loop[0], places_of_loop[1]);
  EXPECT_NE(twice_from_here(places, line), places_of_loop[0]) << "called from another line";
}

TEST(SourcePlaces, OfTextAreOneForEachText) {
  SourcePlaces places("");
  const SourcePlaces::Id first = places.at("a.py:1");
  EXPECT_EQ(places.at("a.py:1"), first);
  EXPECT_NE(places.at("a.py:2"), first);
  EXPECT_EQ(places.text_of(first), "a.py:1");
  EXPECT_FALSE(places.is_open(first));
  EXPECT_EQ(places.at(""), SourcePlaces::kUnknown);
  EXPECT_EQ(places.text_of(SourcePlaces::kUnknown), "");
  EXPECT_EQ(places.resolve(), 0);
  EXPECT_EQ(places.text_of(first), "a.py:1");
}

TEST(DebugLines, NameTheFunctionWhereThereIsNoLine) {
  const DebugLines lines;
  const auto address = reinterpret_cast<std::uintptr_t>(&twice_from_here);
  EXPECT_NE(lines.function_at(address).find("twice_from_here"), std::string::npos) << lines.function_at(address);
  EXPECT_TRUE(lines.function_at(address).starts_with("ampprof::profiler::source_places_test::twice_from_here("));
  EXPECT_EQ(lines.function_at(reinterpret_cast<std::uintptr_t>(&std::qsort)), "qsort") << "not mangled";
  EXPECT_EQ(lines.function_at(0), "");
  EXPECT_TRUE(lines.positions_of(0).empty());
  EXPECT_FALSE(lines.positions_of(address).empty());
}

TEST(DebugLines, GoOutwardsFromWhatWasInlined) {
  const DebugLines lines;
  const int line = __LINE__ + 1;
  const auto positions = lines.positions_of(address_in_torch());
  ASSERT_EQ(positions.size(), 2u);
  EXPECT_TRUE(positions[0].file.ends_with("tests/profiler/source/include/torch/inlined.h")) << positions[0].file;
  EXPECT_TRUE(positions[1].file.ends_with("tests/profiler/source/source_places_test.cpp")) << positions[1].file;
  EXPECT_EQ(positions[1].line, line);
}

}  // namespace source_places_test
}  // namespace ampprof::profiler
