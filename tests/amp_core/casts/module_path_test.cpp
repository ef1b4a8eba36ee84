// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/module_path.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <thread>

#include "amp_core/amp.h"
#include "tests/amp_core/casts/in_force.h"

namespace amp {
namespace module_path_test {

using torch::kFloat;
using torch::kHalf;

struct PartImpl : torch::nn::Module {
  PartImpl() : head(4, 4), tail(4, 4) {
    register_module("head", head);
    register_module("tail", tail);
  }
  at::Tensor forward(const at::Tensor& x) { return tail(head(x)); }

  torch::nn::Linear head, tail;
};
TORCH_MODULE(Part);

struct NetImpl : torch::nn::Module {
  NetImpl() {
    register_module("encoder", encoder);
    register_module("decoder", decoder);
  }
  at::Tensor forward(const at::Tensor& x) { return decoder(encoder(x)); }

  Part encoder, decoder;
};
TORCH_MODULE(Net);

struct OtherImpl : torch::nn::Module {
  OtherImpl() : head(4, 4) { register_module("head", head); }
  at::Tensor forward(const at::Tensor& x) { return head(x); }

  torch::nn::Linear head;
};
TORCH_MODULE(Other);

at::Tensor input() { return torch::ones({2, 4}); }

at::ScalarType type_of(torch::nn::Linear& linear) { return linear(input()).scalar_type(); }
at::ScalarType type_of_mm() { return torch::mm(input(), torch::eye(4)).scalar_type(); }

TEST(ModulePath, AScopeNamesTheModuleOfACall) {
  const InForce casts("mm fp32 in decoder.head");
  EXPECT_EQ(type_of_mm(), kHalf);
  const ModuleScope decoder("decoder");
  EXPECT_EQ(type_of_mm(), kHalf);
  {
    const ModuleScope head("decoder.head");
    EXPECT_EQ(type_of_mm(), kFloat);
    const ModuleScope inside("decoder.head.0");
    EXPECT_EQ(type_of_mm(), kFloat);
    const ModuleScope elsewhere("encoder");
    EXPECT_EQ(type_of_mm(), kHalf) << "the innermost scope counts";
  }
  EXPECT_EQ(type_of_mm(), kHalf);
}

TEST(ModulePath, AScopeEndsWithAnException) {
  try {
    const ModuleScope scope("decoder");
    throw Error("any");
  } catch (const Error&) {
  }
  EXPECT_EQ(module_path_of({}), "");
}

TEST(ModulePath, AScopeIsAMatterOfItsThread) {
  const ModuleScope scope("decoder");
  std::string elsewhere;
  std::thread([&] { elsewhere = module_path_of({}); }).join();
  EXPECT_EQ(elsewhere, "");
  EXPECT_EQ(module_path_of({}), "decoder");
}

TEST(ModulePath, AParameterNamesItsModule) {
  Net net;
  initialize(net, {}, {.opt_level = "O0", .verbosity = 0});
  {
    const InForce casts("linear fp32 in decoder.head");
    EXPECT_EQ(type_of(net->decoder->head), kFloat);
    EXPECT_EQ(type_of(net->decoder->tail), kHalf);
    EXPECT_EQ(type_of(net->encoder->head), kHalf);
  }
  {
    const InForce casts("addmm fp32 in *.head");
    EXPECT_EQ(type_of(net->decoder->head), kFloat);
    EXPECT_EQ(type_of(net->encoder->head), kFloat);
    EXPECT_EQ(type_of(net->decoder->tail), kHalf);
  }
  shutdown();
}

TEST(ModulePath, AViewOfAParameterNamesItsModule) {
  Net net;
  name_modules(*net);
  const InForce casts("matmul fp32 in decoder.head");
  const at::Tensor sequences = torch::ones({2, 3, 4});
  EXPECT_EQ(net->decoder->head(sequences).scalar_type(), kFloat);
  EXPECT_EQ(net->decoder->tail(sequences).scalar_type(), kHalf);
  EXPECT_EQ(torch::matmul(input(), net->decoder->head->weight.t()).scalar_type(), kFloat);
}

TEST(ModulePath, ARuleWithAModuleBeatsALaterOneWithout) {
  Net net;
  name_modules(*net);
  const InForce casts("addmm fp32 in decoder\naddmm fp16 in decoder.tail\naddmm fp16");
  EXPECT_EQ(type_of(net->decoder->head), kFloat);
  EXPECT_EQ(type_of(net->decoder->tail), kHalf) << "of two that match, the later";
}

TEST(ModulePath, ForwardOfAPartOpensItsScope) {
  Net net;
  name_modules(*net);
  const InForce casts("mm fp32 in decoder");
  at::ScalarType inside = at::kInt;
  struct WatchedImpl : torch::nn::Module {
    std::function<void()> watch;
    at::Tensor forward(const at::Tensor& x) {
      watch();
      return x;
    }
  };
  const auto watched = std::make_shared<WatchedImpl>();
  watched->watch = [&] { inside = type_of_mm(); };
  net->decoder->register_module("watched", watched);
  name_modules(*net);
  amp::forward(*watched, input());
  EXPECT_EQ(inside, kFloat);
  EXPECT_EQ(type_of_mm(), kHalf) << "the scope ends with the call";
}

TEST(ModulePath, AParameterInsideTheScopesModuleSaysItMoreExactly) {
  Net net;
  name_modules(*net);
  const InForce casts("addmm fp32 in decoder.head");
  const ModuleScope scope("decoder");
  EXPECT_EQ(type_of(net->decoder->head), kFloat);
  EXPECT_EQ(type_of(net->decoder->tail), kHalf);
  const ModuleScope elsewhere("encoder");
  EXPECT_EQ(type_of(net->decoder->head), kHalf) << "a call with a weight of another module belongs to the scope";
}

TEST(ModulePath, SeveralModelsAreDistinguishedByTheirClass) {
  Net net;
  {
    Other other;
    name_modules(*net);
    EXPECT_EQ(parameter_name(net->decoder->head->weight), "decoder.head.weight");
    name_modules(*other);
    EXPECT_EQ(parameter_name(net->decoder->head->weight), "Net.decoder.head.weight");
    EXPECT_EQ(parameter_name(other->head->weight), "Other.head.weight");
  }
  name_modules(*net);
  EXPECT_EQ(parameter_name(net->decoder->head->weight), "decoder.head.weight") << "the other model is gone";
}

TEST(ModulePath, AFreedModelDoesNoHarm) {
  std::vector<at::Tensor> others;
  {
    Net net;
    name_modules(*net);
  }
  for (int i = 0; i < 100; ++i) {
    others.push_back(torch::ones({4, 4}).requires_grad_());
    EXPECT_EQ(parameter_name(others.back()), "");
  }
  Part part;
  const ModuleScope scope(*part);
  EXPECT_EQ(module_path_of({}), "");
}

TEST(ModulePath, AnotherSourceMayAnswer) {
  set_module_path_source(
      [](std::span<const c10::IValue> arguments) { return std::string(arguments.empty() ? "" : "from.elsewhere"); });
  {
    const InForce casts("mm fp32 in from");
    const ModuleScope scope("decoder");
    EXPECT_EQ(type_of_mm(), kFloat);
  }
  set_module_path_source(nullptr);
  const InForce casts("mm fp32 in from");
  EXPECT_EQ(type_of_mm(), kHalf);
}

// ---- type checks ----------------------------------------------------------------------------------------------------

class DirectCall : public testing::TestWithParam<const char*> {
 protected:
  ~DirectCall() override { shutdown(); }
};

TEST_P(DirectCall, WithMixedTypesNamesOpParameterAndRemedy) {
  Net net;
  initialize(net, {}, {.opt_level = GetParam(), .verbosity = 0});
  try {
    net->forward(input());
    FAIL() << "half weights must not meet an FP32 input";
  } catch (const Error& error) {
    const std::string text = error.what();
    for (const char* part :
         {"aten::addmm in encoder.head", "encoder.head.bias (Half)", "Float", "amp::forward(model"}) {
      EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
    }
  }
  EXPECT_EQ(amp::forward(net, input()).scalar_type(), kFloat);
}

TEST_P(DirectCall, WithTheRightTypesCastsNothing) {
  Net net;
  initialize(net, {}, {.opt_level = GetParam(), .verbosity = 0});
  EXPECT_EQ(net->forward(input().to(kHalf)).scalar_type(), kHalf);
  EXPECT_EQ(type_of_mm(), kFloat);
  EXPECT_FALSE(casts_enabled());
  const FloatFunction scope;
  EXPECT_EQ(torch::mm(input().to(kHalf), torch::eye(4).to(kHalf)).scalar_type(), kHalf);
}

TEST_P(DirectCall, IsLibTorchsMatterAfterShutdown) {
  Net net;
  initialize(net, {}, {.opt_level = GetParam(), .verbosity = 0});
  shutdown();
  EXPECT_THROW(net->forward(input()), c10::Error);
}

INSTANTIATE_TEST_SUITE_P(TypeChecks, DirectCall, testing::Values("O2", "O3"),
                         [](const auto& info) { return info.param; });

TEST(TypeChecks, LeaveTheUsersAutocastAsItWas) {
  enable_type_checks_on_this_thread();
  disable_casts_on_this_thread();
  at::autocast::set_autocast_enabled(at::kCPU, true);
  at::autocast::set_autocast_dtype(at::kCPU, torch::kBFloat16);
  EXPECT_EQ(torch::mm(torch::ones({4, 4}, kHalf), input().t()).scalar_type(), torch::kBFloat16);
  at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(at::kCPU, false);
}

TEST(TypeChecks, ADisabledScopeChecksNothing) {
  enable_type_checks_on_this_thread();
  const at::Tensor half = torch::ones({4, 4}, kHalf);
  EXPECT_THROW(torch::mm(half, input().t()), Error);
  {
    const DisableCasts off;
    EXPECT_THROW(torch::mm(half, input().t()), c10::Error);
  }
  disable_casts_on_this_thread();
}

}  // namespace module_path_test
}  // namespace amp
