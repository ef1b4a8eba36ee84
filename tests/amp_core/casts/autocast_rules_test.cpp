// SPDX-License-Identifier: Apache-2.0
// Tests policy rules on top of the program's own autocast. The rules apply to the whole process, so this file is a
// program of its own.
#include "amp_core/casts/autocast_rules.h"

#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <thread>

#include "amp_core/casts/module_path.h"
#include "amp_core/levels/error.h"

namespace amp {
namespace autocast_rules_test {

/// Enables torch.autocast on the CPU until it is destroyed. Stands in for a program's own autocast.
class Autocast {
 public:
  explicit Autocast(at::ScalarType type = at::kBFloat16) {
    at::autocast::set_autocast_dtype(at::kCPU, type);
    at::autocast::set_autocast_enabled(at::kCPU, true);
  }
  ~Autocast() {
    at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(at::kCPU, false);
  }
};

std::string g_module;

const at::Tensor kSquare = torch::ones({4, 4});

class AutocastRules : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    EXPECT_FALSE(autocast_rules_were_used());
    set_module_path_source([](std::span<const c10::IValue>) { return g_module; });
    add_rules_to_autocast({.rules = {{"matmul", CastPolicy::Fp32, ""},
                                     {"cumsum", CastPolicy::Low, ""},
                                     {"linear", CastPolicy::Fp32, "decoder"}}});
  }
  void SetUp() override { g_module = ""; }
};

TEST_F(AutocastRules, CountWhereTheProgramsAutocastIsOn) {
  EXPECT_EQ(torch::matmul(kSquare.to(at::kHalf).to(at::kFloat), kSquare).scalar_type(), at::kFloat);
  EXPECT_FALSE(autocast_rules_were_used()) << "no autocast, no rules";
  const Autocast autocast;
  EXPECT_EQ(torch::matmul(kSquare, kSquare).scalar_type(), at::kFloat);
  EXPECT_EQ(torch::matmul(kSquare.to(at::kBFloat16), kSquare.to(at::kBFloat16)).scalar_type(), at::kFloat)
      << "inputs that autocast made low already";
  EXPECT_TRUE(autocast_rules_were_used());
}

TEST_F(AutocastRules, AreReplacedByThoseThatComeLater) {
  const Policy before = rules_of_autocast().value();
  Policy policy = before;
  policy.rules.push_back({"mm", CastPolicy::Fp32, ""});
  add_rules_to_autocast(policy);
  {
    const Autocast autocast;
    EXPECT_EQ(torch::mm(kSquare, kSquare).scalar_type(), at::kFloat);
    EXPECT_EQ(torch::matmul(kSquare, kSquare).scalar_type(), at::kFloat);
    add_rules_to_autocast(before);
    EXPECT_EQ(torch::mm(kSquare, kSquare).scalar_type(), at::kBFloat16);
  }
}

TEST_F(AutocastRules, LeaveTheRestToTheProgram) {
  const Autocast autocast;
  EXPECT_EQ(torch::mm(kSquare, kSquare).scalar_type(), at::kBFloat16);
  EXPECT_EQ(torch::linear(kSquare, kSquare).scalar_type(), at::kBFloat16) << "the rule is for another module";
  EXPECT_EQ(torch::prod(kSquare.to(at::kBFloat16)).scalar_type(), at::kFloat) << "as autocast has it";
}

TEST_F(AutocastRules, MeanTheTypeThatTheProgramCastsTo) {
  {
    const Autocast autocast;
    EXPECT_EQ(torch::cumsum(kSquare, 0).scalar_type(), at::kBFloat16);
  }
  const Autocast autocast(at::kHalf);
  EXPECT_EQ(torch::cumsum(kSquare, 0).scalar_type(), at::kHalf);
}

TEST_F(AutocastRules, MayBeForAModule) {
  const Autocast autocast;
  g_module = "decoder.head";
  EXPECT_EQ(torch::linear(kSquare, kSquare).scalar_type(), at::kFloat);
}

TEST_F(AutocastRules, CountInEveryThread) {
  at::ScalarType type = at::kHalf;
  std::thread([&] {
    const Autocast autocast;
    type = torch::matmul(kSquare, kSquare).scalar_type();
  }).join();
  EXPECT_EQ(type, at::kFloat);
}

TEST_F(AutocastRules, LeaveBackwardAlone) {
  const at::Tensor weight = torch::ones({4, 4}, torch::requires_grad());
  const Autocast autocast;
  const at::Tensor y = torch::mm(kSquare, weight);
  y.sum().backward();
  EXPECT_EQ(weight.grad().scalar_type(), at::kFloat);
  EXPECT_TRUE(torch::equal(weight.grad(), torch::full({4, 4}, 4.0)));
}

TEST_F(AutocastRules, OfUnknownOpsAreRefused) {
  Policy misspelt;
  misspelt.rules.push_back({"matmull", CastPolicy::Fp32, ""});
  EXPECT_THROW(add_rules_to_autocast(misspelt), Error);
}

}  // namespace autocast_rules_test
}  // namespace amp
