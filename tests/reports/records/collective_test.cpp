// SPDX-License-Identifier: Apache-2.0
#include "reports/records/collective.h"

#include <gtest/gtest.h>

namespace ampprof {
namespace collective_test {

TEST(Collectives, AreOpsOfC10d) {
  EXPECT_TRUE(is_collective("c10d::allreduce_"));
  EXPECT_TRUE(is_collective("_c10d_functional::all_reduce"));
  EXPECT_TRUE(is_collective("_c10d_functional_autograd::all_to_all_single"));
  EXPECT_FALSE(is_collective("add.Tensor"));
  EXPECT_FALSE(is_collective("my::c10d::allreduce_"));
}

TEST(Collectives, BetweenTwoRanksAreRecorded) {
  for (const char* op : {"c10d::send", "c10d::recv_", "c10d::recv_any_source_"}) EXPECT_TRUE(is_point_to_point(op));
  for (const char* op : {"c10d::reduce_", "c10d::barrier", "c10d::scatter_"}) EXPECT_FALSE(is_point_to_point(op));
}

TEST(Collectives, MoveWhatARingMoves) {
  EXPECT_EQ(bus_factor("c10d::allreduce_", 4), 1.5);
  EXPECT_EQ(bus_factor("c10d::allreduce_coalesced_", 2), 1.0);
  EXPECT_EQ(bus_factor("_c10d_functional::all_reduce", 4), 1.5);
  for (const char* op :
       {"c10d::_allgather_base_", "c10d::allgather_into_tensor_coalesced_", "c10d::_reduce_scatter_base_",
        "c10d::reduce_scatter_", "c10d::alltoall_base_", "c10d::gather_", "c10d::scatter_",
        "_c10d_functional::all_gather_into_tensor", "_c10d_functional::all_to_all_single"}) {
    EXPECT_EQ(bus_factor(op, 4), 0.75) << op;
  }
  for (const char* op : {"c10d::broadcast_", "c10d::reduce_", "c10d::send", "c10d::recv_any_source_"}) {
    EXPECT_EQ(bus_factor(op, 4), 1.0) << op;
  }
  EXPECT_EQ(bus_factor("c10d::barrier", 4), std::nullopt);
  EXPECT_EQ(bus_factor("c10d::monitored_barrier_", 4), std::nullopt);
  EXPECT_EQ(bus_factor("c10d::allreduce_", 1), 0.0) << "nothing leaves a rank that is alone";
  EXPECT_EQ(bus_factor("c10d::allreduce_", 0), std::nullopt) << "the number of ranks is unknown";
}

}  // namespace collective_test
}  // namespace ampprof
