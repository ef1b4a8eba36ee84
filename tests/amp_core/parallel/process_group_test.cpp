// SPDX-License-Identifier: Apache-2.0
#include "amp_core/parallel/process_group.h"

#include <gtest/gtest.h>

#include "amp_core/levels/error.h"
#include "amp_core/parallel/collectives.h"
#include "tests/amp_core/parallel/ranks.h"

namespace amp::parallel {
namespace process_group_test {

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ProcessGroup, SumsAndFindsTheLargestOfAllRanks) {
  on_ranks(4, [](const ProcessGroup& group, int rank) {
    at::Tensor sum = at::full({3}, rank + 1.0);
    sum_over_ranks(group, sum);
    EXPECT_TRUE(sum.equal(at::full({3}, 10.0)));
    const at::Tensor own = at::tensor({static_cast<double>(rank), static_cast<double>(-rank)});
    EXPECT_TRUE(largest_of_ranks(group, own).equal(at::tensor({3.0, 0.0})));
    EXPECT_EQ(own[0].item<double>(), rank) << "what was asked about is changed";
  });
}

TEST(ProcessGroup, NamesTheRanksThatDoNotCome) {
  setenv("GLOO_SOCKET_IFNAME", "lo", 1);
  const Store store = c10::make_intrusive<c10d::HashStore>();
  store->set("here/2", "1");
  const std::string error = error_of([&] { make_group(store, 0, 4, {.timeout = std::chrono::milliseconds(200)}); });
  EXPECT_NE(error.find("of 4 ranks, ranks 1 and 3 did not join within 0.2 s"), std::string::npos) << error;
}

TEST(ProcessGroup, IsOfOneProcessWithoutALauncher) {
  for (const char* name : {"RANK", "WORLD_SIZE", "PMI_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"}) unsetenv(name);
  setenv("GLOO_SOCKET_IFNAME", "lo", 1);
  EXPECT_NE(error_of([] { static_cast<void>(default_group()); }).find("before amp::parallel::init()"),
            std::string::npos);
  EXPECT_FALSE(is_initialized());
  init();
  EXPECT_TRUE(is_initialized());
  EXPECT_EQ(rank(), 0);
  EXPECT_EQ(world_size(), 1);
  EXPECT_EQ(default_group()->getSize(), 1);
  EXPECT_EQ(new_group({0})->getSize(), 1);
  EXPECT_NE(error_of([] { new_group({1}); }).find("this rank (0 of 1)"), std::string::npos);
  EXPECT_NE(error_of([] { init(); }).find("called twice"), std::string::npos);
  shutdown();
  EXPECT_FALSE(is_initialized());
}

TEST(ProcessGroup, TakesTheTimeOfTheEnvironment) {
  setenv("AMP_PARALLEL_TIMEOUT", "soon", 1);
  EXPECT_NE(error_of([] { init(); }).find("AMP_PARALLEL_TIMEOUT is \"soon\""), std::string::npos);
  unsetenv("AMP_PARALLEL_TIMEOUT");
  EXPECT_FALSE(is_initialized());
}

TEST(ProcessGroup, SaysWhereItLookedForAStore) {
  setenv("RANK", "1", 1);
  setenv("WORLD_SIZE", "2", 1);
  setenv("MASTER_ADDR", "127.0.0.1", 1);
  setenv("MASTER_PORT", "9", 1);  // port of `discard`, where nothing listens
  setenv("AMP_PARALLEL_TIMEOUT", "1", 1);
  const std::string error = error_of([] { init(); });
  unsetenv("AMP_PARALLEL_TIMEOUT");
  for (const char* name : {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"}) unsetenv(name);
  EXPECT_NE(error.find("rank 1 did not reach the store of rank 0 at 127.0.0.1:9"), std::string::npos) << error;
}

}  // namespace process_group_test
}  // namespace amp::parallel
