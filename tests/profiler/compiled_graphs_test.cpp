// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/compiled_graphs.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace compiled_graphs_test {

std::string cause_of(const CompiledGraphs& graphs) { return graphs.missing().value_or(Missing{}).cause; }

TEST(CompiledGraphs, SayNothingWhereThereWereNone) {
  CompiledGraphs graphs;
  graphs.add_substep(1000);
  EXPECT_FALSE(graphs.missing());
}

TEST(CompiledGraphs, CountTheirTimeWithoutThatOfOpCalls) {
  CompiledGraphs graphs;
  CompiledGraphs::OnThread thread;
  graphs.add_substep(600);
  graphs.add_substep(400);
  thread.begin(100, 50);
  graphs.end(thread, 600, 150);  // 500 ns, 100 of them in op calls
  EXPECT_EQ(graphs.missing()->count, 1);
  EXPECT_EQ(cause_of(graphs), "compiled graphs took 40% of the steps' time in forward, outside of op calls");
}

TEST(CompiledGraphs, OneInsideAnotherIsAPartOfIt) {
  CompiledGraphs graphs;
  CompiledGraphs::OnThread thread;
  graphs.add_substep(100);
  thread.begin(0, 0);
  thread.begin(5, 0);
  graphs.end(thread, 10, 0);
  graphs.end(thread, 90, 0);
  EXPECT_EQ(graphs.missing()->count, 1);
  EXPECT_NE(cause_of(graphs).find(" 10%"), std::string::npos) << cause_of(graphs);
}

TEST(CompiledGraphs, WithoutAStepHaveNoShare) {
  CompiledGraphs graphs;
  CompiledGraphs::OnThread thread;
  thread.begin(0, 0);
  graphs.end(thread, 10, 0);
  EXPECT_NE(cause_of(graphs).find(" 0%"), std::string::npos) << cause_of(graphs);
}

}  // namespace compiled_graphs_test
}  // namespace ampprof::profiler
