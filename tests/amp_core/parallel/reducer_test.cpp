// SPDX-License-Identifier: Apache-2.0
#include "amp_core/parallel/reducer.h"

#include <gtest/gtest.h>

#include "amp_core/parallel/collectives.h"
#include "tests/amp_core/parallel/ranks.h"
#include "tests/amp_core/parallel/replicas.h"

namespace amp::parallel {
namespace reducer_test {

TEST(FlatDistCall, CallsOnceForEachTypeAndCopiesBack) {
  on_ranks(2, [](const ProcessGroup& group, int rank) {
    const std::vector<at::Tensor> tensors{at::full({3}, rank + 1.0), at::full({2, 2}, rank + 1.0, at::kHalf),
                                          at::full({1}, rank + 10.0)};
    int calls = 0;
    flat_dist_call(tensors, [&](at::Tensor& flat) {
      ++calls;
      sum_over_ranks(group, flat);
    });
    EXPECT_EQ(calls, 2);
    EXPECT_TRUE(tensors[0].equal(at::full({3}, 3.0)));
    EXPECT_TRUE(tensors[1].equal(at::full({2, 2}, 3.0, at::kHalf)));
    EXPECT_TRUE(tensors[2].equal(at::full({1}, 21.0)));
  });
}

class ByHand : public ::testing::TestWithParam<const char*> {};

TEST_P(ByHand, GradientsAreTheMeanAndAnOverflowSkipsOnAll) {
  on_ranks(2, [](const ProcessGroup& group, int rank) {
    Net model(static_cast<std::uint64_t>(rank) + 1);
    torch::optim::SGD optimizer(model->parameters(), 0.125);
    amp::initialize(model, optimizer,
                    {.opt_level = GetParam(), .loss_scale = "dynamic", .verbosity = 0, .init_scale = 256.0});
    Reducer reducer(model, group);
    for (int step = 0; step < 4; ++step) {
      const bool overflows = step == 2;
      optimizer.zero_grad();
      model->zero_grad();
      const at::Tensor x = random_tensor({4, 6}, static_cast<std::uint64_t>(step * 2 + rank));
      const at::Tensor loss = amp::forward(model, x * (overflows && rank == 1 ? INFINITY : 1.0)).square().mean();
      amp::scale_loss(loss, optimizer, [&](const at::Tensor& scaled) {
        scaled.backward();
        if (!overflows) reducer.reduce();  // not reduced: the other rank's gradients stay finite
      });
      EXPECT_EQ(amp::step(optimizer), !overflows) << "rank " << rank << ", step " << step;
    }
    for (const at::Tensor& parameter : model->parameters()) {
      at::Tensor sum = parameter.detach().to(at::kDouble);
      const at::Tensor twice = sum * 2;
      sum_over_ranks(group, sum);
      EXPECT_TRUE(sum.equal(twice)) << "ranks differ";
    }
    EXPECT_EQ(amp::loss_scale(), 128.0);
  });
}

INSTANTIATE_TEST_SUITE_P(Levels, ByHand, ::testing::Values("O1", "O2", "O3"),
                         [](const auto& info) { return info.param; });

}  // namespace reducer_test
}  // namespace amp::parallel
