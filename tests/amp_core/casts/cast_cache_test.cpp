// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/cast_cache.h"

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "amp_core/amp.h"
#include "amp_core/casts/thread_casts.h"
#include "tests/amp_core/casts/in_force.h"

namespace amp {
namespace cast_cache_test {

using torch::kBFloat16;
using torch::kFloat;
using torch::kHalf;

// ---- a weight in training, in evaluation, and after a direct write --------------------------------------------------

/// A kind of module in Apex's own test: its function is on Apex's whitelist, blacklist or promotion list.
struct Kind {
  const char* name;
  at::Tensor (*run)(const at::Tensor& x, const at::Tensor& w);
};

struct Case {
  Kind kind;
  at::ScalarType weight;
  const char* policy;
};

void PrintTo(const Case& cache, std::ostream* out) {
  *out << cache.kind.name << ' ' << cache.weight << ' ' << cache.policy;
}

std::vector<Case> cases() {
  const Kind kinds[]{
      {"whitelist", [](const at::Tensor& x, const at::Tensor& w) { return torch::mm(x, w); }},
      {"blacklist", [](const at::Tensor& x, const at::Tensor& w) { return torch::pow(w, 2) * x; }},
      {"promote", [](const at::Tensor& x, const at::Tensor& w) { return w + x; }},
  };
  std::vector<Case> all;
  for (const auto& kind : kinds) {
    for (const char* policy : {"", "low_type bf16"}) {
      all.push_back({kind, *policy == '\0' ? kHalf : kBFloat16, policy});
      all.push_back({kind, kFloat, policy});
    }
  }
  return all;
}

class WeightOverTime : public testing::TestWithParam<Case> {
 protected:
  at::Tensor run(const at::Tensor& w) const { return GetParam().kind.run(x_, w).to(kFloat).sum() * kScale; }

  /// Compares the gradient at the current weight with the FP32 gradient without casts. Weights are small multiples of
  /// 1/8, so the gradients are exact.
  void train(const at::Tensor& w) const {
    w.mutable_grad() = at::Tensor();
    run(w).backward();
    const at::Tensor reference = w.detach().to(kFloat).requires_grad_();
    const DisableCasts off;
    run(reference).backward();
    EXPECT_EQ(w.grad().scalar_type(), GetParam().weight);
    EXPECT_TRUE(at::equal(w.grad().to(kFloat), reference.grad()));
  }

  static constexpr double kScale = 4.0;
  at::Tensor x_ = torch::eye(4);
};

TEST_P(WeightOverTime, TrainsRightAfterEvaluationAndAChange) {
  const InForce casts(GetParam().policy);
  const at::Tensor w = ((torch::arange(16).reshape({4, 4}) - 8) / 8.0).to(GetParam().weight).requires_grad_();
  train(w);
  {
    const torch::NoGradGuard no_grad;
    run(w);
    w.mul_(2);
    const at::Tensor seen = run(w);
    const DisableCasts off;
    EXPECT_TRUE(at::equal(seen, run(w.to(kFloat)))) << "an old weight was served";
  }
  train(w);
  train(w);
}

INSTANTIATE_TEST_SUITE_P(CastCache, WeightOverTime, testing::ValuesIn(cases()), [](const auto& info) {
  return std::string(info.param.kind.name) + '_' + toString(info.param.weight) + (*info.param.policy ? "_bf16" : "");
});

TEST(CastCache, HoldsACopyForEachType) {
  CastCache cache;
  const at::Tensor w = torch::ones({4, 4}).requires_grad_();
  cache.insert(w, w.to(kHalf));
  cache.insert(w, w.to(kBFloat16));
  EXPECT_EQ(cache.size(), 2U);
  EXPECT_EQ(cache.find(w, kHalf).scalar_type(), kHalf);
  EXPECT_EQ(cache.find(w, kBFloat16).scalar_type(), kBFloat16);
  cache.clear();
  EXPECT_FALSE(cache.find(w, kHalf).defined());
}

TEST(CastCache, AnIslandOfFp32DoesNotGoThroughACopy) {
  const InForce casts;
  const at::Tensor w = torch::full({4, 4}, 1 + 1.0 / 4096).requires_grad_();
  torch::mm(torch::eye(4), w);
  const FloatFunction island;
  EXPECT_TRUE(at::equal(torch::mm(torch::eye(4), w), w));
}

}  // namespace cast_cache_test
}  // namespace amp
