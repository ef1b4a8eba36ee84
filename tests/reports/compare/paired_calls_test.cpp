// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/paired_calls.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ampprof::compare {
namespace paired_calls_test {

queries::SketchRow call(std::int32_t ordinal, std::int64_t checksum, std::int64_t inputs = 1,
                        std::int64_t elements = 8) {
  queries::SketchRow row;
  row.op = "mul";
  row.ordinal = ordinal;
  row.sketch = {.inputs = inputs, .elements = elements, .checksum = checksum};
  return row;
}

/// Returns for each call of `a` the index of its partner in `b`, or -1 without a partner.
std::vector<std::ptrdiff_t> partners(const Sketches& a, const Sketches& b) {
  std::vector<std::ptrdiff_t> places;
  for (const queries::SketchRow* partner : paired_calls(a, b)) {
    places.push_back(partner == nullptr ? -1 : partner - b.data());
  }
  return places;
}

using Places = std::vector<std::ptrdiff_t>;

TEST(PairedCalls, HaveTheSameOrdinalWhereBothRunsMakeAsMany) {
  EXPECT_EQ(partners({call(0, 1), call(1, 2)}, {call(0, 2), call(1, 1)}), (Places{0, 1}));
  EXPECT_EQ(partners({call(0, 1, 1, 8)}, {call(0, 2, 2, 9)}), (Places{0})) << "of whatever size";
}

TEST(PairedCalls, AreOfOnePlace) {
  for (const auto change :
       {+[](queries::SketchRow& row) { row.step = 2; }, +[](queries::SketchRow& row) { row.phase = Phase::Backward; },
        +[](queries::SketchRow& row) { row.module = "fc"; }, +[](queries::SketchRow& row) { row.op = "add"; },
        +[](queries::SketchRow& row) { row.position = 1; }}) {
    queries::SketchRow other = call(0, 1);
    change(other);
    EXPECT_EQ(partners({call(0, 1)}, {other}), (Places{-1}));
  }
}

TEST(PairedCalls, HaveTheSameOutputsWhereOneRunMakesMore) {
  const Sketches few{call(0, 1), call(1, 2)};
  const Sketches many{call(0, 9), call(1, 1), call(2, 8), call(3, 2)};
  EXPECT_EQ(partners(few, many), (Places{1, 3}));
  EXPECT_EQ(partners(many, few), (Places{-1, 0, -1, 1}));
}

TEST(PairedCalls, ElseHaveTheSameInputs) {
  EXPECT_EQ(partners({call(0, 1, 5), call(1, 2, 6)}, {call(0, 9, 4), call(1, 8, 5), call(2, 7, 6)}), (Places{1, 2}));
}

TEST(PairedCalls, ElseHaveTheSameSizeTheEarliest) {
  EXPECT_EQ(partners({call(0, 1, 5, 16)}, {call(0, 9, 4, 8), call(1, 8, 4, 16), call(2, 7, 4, 16)}), (Places{1}));
  EXPECT_EQ(partners({call(0, 1, 5, 16)}, {call(0, 9, 4, 8), call(1, 8, 4, 8)}), (Places{-1}));
}

TEST(PairedCalls, KeepTheirOrder) {
  const Places found = partners({call(0, 1, 1), call(1, 2, 2), call(2, 3, 3)}, {call(0, 3, 3), call(1, 1, 1)});
  EXPECT_EQ(found, (Places{-1, -1, 0})) << "the other one would cross it";
}

TEST(PairedCalls, AreAlignedWhereSketchesOfSomeOrdinalsLack) {
  EXPECT_EQ(partners({call(0, 1), call(2, 2)}, {call(1, 2), call(2, 3)}), (Places{-1, 0}));
}

TEST(PairedCalls, OfVeryManyAreInTheirOrder) {
  Sketches many(2000, call(0, 1));
  Sketches more(2001, call(0, 1));
  more.front().sketch.checksum = 9;
  const Places found = partners(many, more);
  EXPECT_EQ(found.front(), 0);
  EXPECT_EQ(found.back(), 1999);
}

}  // namespace paired_calls_test
}  // namespace ampprof::compare
