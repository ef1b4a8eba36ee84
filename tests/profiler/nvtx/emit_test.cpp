// SPDX-License-Identifier: Apache-2.0
// Tests which tool receives ampprof's own ranges. EMITTER, OTHER_TOOL and INJECTION are paths of built files.
#include <gtest/gtest.h>

#include "tests/profiler/nvtx/output_of.h"

namespace ampprof::profiler {
namespace emit_test {

TEST(Emission, IsHeardByAnotherTool) {
  EXPECT_EQ(test_support::output_of(EMITTER, OTHER_TOOL),
            "domain ampprof\n"
            "category 1 op\ncategory 2 step\ncategory 3 module\ncategory 4 opt level\n"
            "heard\n"
            "start O1 category 4 color ff9467bd\n"
            "push conv1 category 3 color ffff7f0e\n"
            "start step 3 category 2 color ff1f77b4\n"
            "push conv2d category 1 color ff76b900\n"
            "pop\npop\nend 2\nend 1\n"
            "ids\n");
}

TEST(Emission, IsOffWithoutATool) { EXPECT_EQ(test_support::output_of(EMITTER, ""), "unheard\nno ids\n"); }

TEST(Emission, IsOffWhereOnlyAmpprofListens) {
  EXPECT_EQ(test_support::output_of(EMITTER, INJECTION), "unheard\nno ids\n");
}

TEST(Emission, IsOffWhereTheToolCannotBeLoaded) {
  EXPECT_EQ(test_support::output_of(EMITTER, "/nowhere/tool.so"), "unheard\nno ids\n");
}

}  // namespace emit_test
}  // namespace ampprof::profiler
