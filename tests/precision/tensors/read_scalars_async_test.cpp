// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/read_scalars_async.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <span>
#include <vector>

namespace ampprof {
namespace read_scalars_async_test {

using Numbers = std::vector<double>;

const std::vector<at::Tensor>& some() {
  static const std::vector<at::Tensor> tensors{at::tensor(1.5f), at::full({1, 1}, -2.0, at::kHalf),
                                               at::full({1}, 0x1p-1000, at::kDouble)};
  return tensors;
}

TEST(NumbersLater, ComeWhenTheyAreWaitedFor) {
  tensors::DeferredReductions results;
  std::vector<Numbers> arrived;
  const auto keep = [&](std::span<const double> numbers) { arrived.emplace_back(numbers.begin(), numbers.end()); };
  at::Tensor changed = at::tensor(7.0);
  tensors::read_scalars_async(some(), results, keep);
  tensors::read_scalars_async({changed}, results, keep);
  changed.zero_();
  EXPECT_TRUE(arrived.empty());
  results.complete();
  EXPECT_EQ(arrived, (std::vector<Numbers>{{1.5, -2.0, 0x1p-1000}, {7.0}})) << "as they were when they were asked for";
  results.complete();
  EXPECT_EQ(arrived.size(), 2u) << "each once";
}

TEST(NumbersLater, HoldNoTensors) {
  tensors::DeferredReductions results;
  const at::Tensor number = at::tensor(1.0);
  tensors::read_scalars_async({number}, results, [](std::span<const double>) {});
  EXPECT_EQ(number.use_count(), 1u);
}

TEST(NumbersLater, AreForgottenWithTheirDevices) {
  tensors::DeferredReductions results;
  bool has_come = false;
  const auto note = [&](std::span<const double>) { has_come = true; };
  tensors::read_scalars_async({at::tensor(1.0)}, results, note);
  results.close();
  tensors::read_scalars_async({at::tensor(1.0)}, results, note);
  results.complete();
  EXPECT_FALSE(has_come);
}

}  // namespace read_scalars_async_test
}  // namespace ampprof
