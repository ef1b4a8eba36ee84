// SPDX-License-Identifier: Apache-2.0
#include "profiler/recorder/missing_notes.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace missing_notes_test {

TEST(MissingNotes, CountWhatIsMissingForTheSameCause) {
  MissingNotes notes;
  notes.note("values", "fake tensors", "none");
  notes.note("values", "fake tensors", "none");
  notes.note("values", "complex numbers", "none");
  const auto missing = notes.take();
  ASSERT_EQ(missing.size(), 2u);
  EXPECT_EQ(missing[0].cause, "complex numbers");
  EXPECT_EQ(missing[0].count, 1);
  EXPECT_EQ(missing[1].what, "values");
  EXPECT_EQ(missing[1].count, 2);
  EXPECT_EQ(missing[1].remedy, "none");
  EXPECT_TRUE(notes.take().empty()) << "what was taken is gone";
}

}  // namespace missing_notes_test
}  // namespace ampprof::profiler
