// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/registration.h"

#include <gtest/gtest.h>
#include <torch/library.h>
#include <torch/torch.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "amp_core/amp.h"
#include "amp_core/casts/cast_table.h"
#include "amp_core/torch_hooks/autocast_keys.h"

namespace amp {
namespace registration_test {

using torch::kBFloat16;
using torch::kFloat;
using torch::kHalf;

TORCH_LIBRARY(amp_registered, library) {
  library.def("plus(Tensor x, Tensor y) -> Tensor", [](const at::Tensor& x, const at::Tensor& y) { return x + y; });
  library.def("fill_(Tensor(a!) x, Tensor y) -> Tensor(a!)",
              [](at::Tensor x, const at::Tensor& y) { return x.copy_(y); });
  library.def("write(Tensor x, *, Tensor(a!) result) -> Tensor(a!)",
              [](const at::Tensor& x, at::Tensor result) { return result.copy_(x); });
}

at::Tensor custom_plus(const at::Tensor& x, const at::Tensor& y) {
  static const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("amp_registered::plus", "");
  return op.typed<at::Tensor(const at::Tensor&, const at::Tensor&)>().call(x, y);
}

/// Returns values in FP32 that FP16 cannot represent.
at::Tensor fine() { return torch::full({4, 4}, 1.0 + 1.0 / 4096); }

/// Removes all casts and registrations from the thread after each test.
class Registration : public testing::Test {
 protected:
  ~Registration() override {
    shutdown();
    unsetenv("AMP_POLICY");
  }

  static std::string file_with(const std::string& text) {
    const auto path = std::filesystem::path(testing::TempDir()) / "amp_registration.amp";
    std::ofstream(path) << text;
    return path.string();
  }
};

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(Registration, BeatsTheListOutright) {
  register_float_function("linear");
  enable_casts_on_this_thread();
  const at::Tensor y = torch::linear(fine(), torch::eye(4));
  EXPECT_EQ(y.scalar_type(), kFloat);
  EXPECT_TRUE(at::equal(y, fine())) << "the input was rounded to FP16 on its way";
  EXPECT_EQ(torch::mm(fine(), fine()).scalar_type(), kHalf) << "others are as the list says";
}

TEST_F(Registration, OfLinearMeansWhatTorchNnLinearCalls) {
  register_float_function("linear");
  enable_casts_on_this_thread();
  torch::nn::Linear with_bias(4, 4);
  torch::nn::Linear without_bias(torch::nn::LinearOptions(4, 4).bias(false));
  for (const at::Tensor& x : {fine(), fine().unsqueeze(0)}) {
    EXPECT_EQ(with_bias(x).scalar_type(), kFloat);
    EXPECT_EQ(without_bias(x).scalar_type(), kFloat);
  }
}

TEST_F(Registration, ANamespaceMeansTheOperatorAlone) {
  register_float_function("aten::linear");
  enable_casts_on_this_thread();
  EXPECT_EQ(torch::linear(fine(), fine()).scalar_type(), kFloat);
  EXPECT_EQ(torch::matmul(fine(), fine()).scalar_type(), kHalf);
}

TEST_F(Registration, LaterOnesWin) {
  register_half_function("softmax");
  register_float_function("softmax");
  register_half_function("softmax");
  enable_casts_on_this_thread();
  EXPECT_EQ(torch::softmax(fine(), 1).scalar_type(), kHalf);
}

TEST_F(Registration, AnOverloadIsMeantAlone) {
  register_half_function("add.Tensor");
  enable_casts_on_this_thread();
  EXPECT_EQ((fine() + fine()).scalar_type(), kHalf);
  EXPECT_EQ((fine() - fine()).scalar_type(), kFloat);
}

TEST_F(Registration, PromotesAnOpThatIsOnNoList) {
  register_promote_function("maximum");
  enable_casts_on_this_thread();
  EXPECT_EQ(torch::maximum(fine(), fine().to(kHalf)).scalar_type(), kFloat);
  EXPECT_EQ(torch::maximum(fine().to(kHalf), fine().to(kHalf)).scalar_type(), kHalf);
}

TEST_F(Registration, TakesOpsOfOtherNamespaces) {
  register_half_function("amp_registered::plus");
  register_half_function("amp_registered::fill_");
  enable_casts_on_this_thread();
  EXPECT_EQ(custom_plus(fine(), fine()).scalar_type(), kHalf);
  const at::Tensor x = torch::zeros({4, 4});
  static const auto fill = c10::Dispatcher::singleton().findSchemaOrThrow("amp_registered::fill_", "");
  fill.typed<at::Tensor(at::Tensor, const at::Tensor&)>().call(x, fine());
  EXPECT_TRUE(at::equal(x, fine())) << "in place it writes into the tensor of the caller, in its type";
}

struct Alias {
  const char* name;
  at::Tensor (*run)(const at::Tensor& x);
};

void PrintTo(const Alias& alias, std::ostream* out) { *out << alias.name; }

class FunctionName : public Registration, public testing::WithParamInterface<Alias> {};

TEST_P(FunctionName, RegistersTheOperatorsBehindIt) {
  register_half_function(GetParam().name);
  enable_casts_on_this_thread();
  EXPECT_EQ(GetParam().run(fine()).scalar_type(), kHalf);
}

namespace F = torch::nn::functional;
at::Tensor image(const at::Tensor& x) { return x.reshape({1, 1, 4, 4}); }
at::Tensor labels() { return torch::zeros({4}, torch::kLong); }

INSTANTIATE_TEST_SUITE_P(
    Registration, FunctionName,
    testing::Values(
        Alias{"cross_entropy", [](const at::Tensor& x) { return F::cross_entropy(x, labels()); }},
        Alias{"nll_loss", [](const at::Tensor& x) { return F::nll_loss(x, labels()); }},
        Alias{"softmin", [](const at::Tensor& x) { return F::softmin(x, 1); }},
        Alias{"norm", [](const at::Tensor& x) { return torch::norm(x); }},
        Alias{"interpolate",
              [](const at::Tensor& x) {
                return F::interpolate(image(x), F::InterpolateFuncOptions().scale_factor(std::vector<double>{2, 2}));
              }},
        Alias{"grid_sample",
              [](const at::Tensor& x) {
                return F::grid_sample(image(x), torch::zeros({1, 2, 2, 2}),
                                      F::GridSampleFuncOptions().align_corners(true));
              }},
        Alias{"logsigmoid", [](const at::Tensor& x) { return F::logsigmoid(x); }}),
    [](const auto& info) { return info.param.name; });

TEST_F(Registration, KnowsWhichOpsThereAre) {
  EXPECT_TRUE(op_exists({"softmax", CastPolicy::Fp32}));
  EXPECT_TRUE(op_exists({"pow.Scalar", CastPolicy::Fp32}));
  EXPECT_FALSE(op_exists({"pow.Nothing", CastPolicy::Fp32}));
  EXPECT_FALSE(op_exists({"softmox", CastPolicy::Fp32}));
}

TEST_F(Registration, AnUnknownOpIsRefusedWithNearNames) {
  EXPECT_NE(error_of([] { register_half_function("sofmax"); }).find("softmax"), std::string::npos);
  EXPECT_NE(error_of([] { register_half_function("add.Tesnor"); }).find("add.Tensor"), std::string::npos);
  EXPECT_NE(error_of([] { register_half_function("mylib::op"); }).find("no op mylib::op"), std::string::npos);
  EXPECT_NE(error_of([] { register_half_function("not an op"); }).find("not the name of an op"), std::string::npos);
  EXPECT_NE(error_of([] { register_half_function("mm", "a..b"); }).find("not a module"), std::string::npos);
}

TEST_F(Registration, AnOpThatWritesAnArgumentIsRefused) {
  for (const char* op : {"mm.out", "amp_registered::write"}) {
    EXPECT_NE(error_of([=] { register_half_function(op); }).find("writes its result into an argument"),
              std::string::npos)
        << op;
  }
}

TEST_F(Registration, IsUsedUpByInitialize) {
  register_float_function("linear");
  torch::nn::Linear model(4, 4);
  initialize(model, {}, {.opt_level = "O1", .verbosity = 0});
  EXPECT_EQ(model(fine()).scalar_type(), kFloat);
  shutdown();
  torch::nn::Linear next(4, 4);
  initialize(next, {}, {.opt_level = "O1", .verbosity = 0});
  EXPECT_EQ(next(fine()).scalar_type(), kHalf);
}

TEST_F(Registration, AfterInitializeIsTooLateAtEveryLevel) {
  for (const char* level : {"O0", "O1", "O2", "O3"}) {
    torch::nn::Linear model(4, 4);
    initialize(model, {}, {.opt_level = level, .verbosity = 0});
    for (const auto& call : {std::function<void()>([] { register_half_function("mm"); }),
                             std::function<void()>([] { load_policy("any"); })}) {
      EXPECT_NE(error_of(call).find("before"), std::string::npos) << level;
    }
    shutdown();
    EXPECT_NO_THROW(register_half_function("mm")) << level;
  }
}

TEST_F(Registration, LeavesUnregisteredOpsWithoutAKernel) {
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("aten::trunc", "");
  const auto has_kernel = [&] { return op.hasKernelForDispatchKey(c10::DispatchKey::AutocastCPU); };
  enable_casts_on_this_thread();
  EXPECT_FALSE(has_kernel());
  disable_casts_on_this_thread();
  register_half_function("trunc");
  enable_casts_on_this_thread();
  EXPECT_TRUE(has_kernel());
  EXPECT_EQ(torch::trunc(fine()).scalar_type(), kHalf);
  disable_casts_on_this_thread();
  enable_casts_on_this_thread();
  EXPECT_EQ(torch::trunc(fine()).scalar_type(), kFloat) << "the registration was used up";
}

TEST_F(Registration, BatchNormKeepsItsStatistics) {
  register_half_function("batch_norm");
  enable_casts_on_this_thread();
  const at::Tensor mean = torch::zeros({4});
  const at::Tensor y = torch::batch_norm(fine(), {}, {}, mean, torch::ones({4}), /*training=*/true, 1.0, 1e-5, false);
  EXPECT_EQ(y.scalar_type(), kHalf);
  EXPECT_GT(mean.sum().item<float>(), 3.0F) << "what batch norm wrote was lost in a copy";
}

TEST_F(Registration, APolicyFileIsLoadedLineByLine) {
  load_policy(file_with("low_type bf16\nsoftmax fp16\nlinear fp32\n"));
  enable_casts_on_this_thread();
  EXPECT_EQ(torch::softmax(fine(), 1).scalar_type(), kBFloat16);
  EXPECT_EQ(torch::linear(fine(), fine()).scalar_type(), kFloat);
  EXPECT_EQ(torch::mm(fine(), fine()).scalar_type(), kBFloat16);
}

TEST_F(Registration, AWrongPolicyFileCountsNothing) {
  const std::string path = file_with("softmax fp16\nsofmax fp32\n");
  const std::string text = error_of([&] { load_policy(path); });
  EXPECT_TRUE(text.starts_with(path + ":2: ")) << text;
  EXPECT_NE(text.find("softmax"), std::string::npos) << text;
  EXPECT_NE(error_of([] { load_policy("/nowhere/at/all"); }).find("/nowhere/at/all"), std::string::npos);
  enable_casts_on_this_thread();
  EXPECT_EQ(torch::softmax(fine(), 1).scalar_type(), kFloat);
}

TEST_F(Registration, ThePolicyOfTheEnvironmentIsTheStrongest) {
  setenv("AMP_POLICY", file_with("linear fp32\n").c_str(), 1);
  register_half_function("linear");
  torch::nn::Linear model(4, 4);
  initialize(model, {}, {.opt_level = "O1", .verbosity = 0});
  EXPECT_EQ(model(fine()).scalar_type(), kFloat);
}

TEST_F(Registration, AWrongPolicyOfTheEnvironmentIsAnError) {
  setenv("AMP_POLICY", file_with("linear fp33\n").c_str(), 1);
  EXPECT_THROW(enable_casts_on_this_thread(), Error);
  EXPECT_FALSE(casts_enabled());
}

TEST_F(Registration, NativeListsAreAPolicyToo) {
  load_policy(file_with("use native\n"));
  enable_casts_on_this_thread();
  EXPECT_EQ(torch::gelu(fine().to(kHalf)).scalar_type(), kHalf) << "FP32 in Apex, on no list of LibTorch";
  EXPECT_EQ(torch::log1p(fine().to(kHalf)).scalar_type(), kFloat) << "on LibTorch's list alone";
  EXPECT_EQ(torch::sum(fine().to(kHalf)).scalar_type(), kFloat);
  EXPECT_NO_THROW(fine().to(kHalf).exp_()) << "LibTorch leaves in-place functions as they are";
}

// ---- threads ------------------------------------------------------------------------------------------------------

at::ScalarType type_on_another_thread(const std::function<void()>& prepare) {
  at::ScalarType type = at::kInt;
  std::thread([&] {
    prepare();
    type = torch::softmax(fine(), 1).scalar_type();
  }).join();
  return type;
}

TEST_F(Registration, BelongsToItsThread) {
  register_half_function("softmax");
  EXPECT_EQ(type_on_another_thread([] { enable_casts_on_this_thread(); }), kFloat);
  enable_casts_on_this_thread();
  EXPECT_EQ(torch::softmax(fine(), 1).scalar_type(), kHalf);
}

TEST_F(Registration, AWorkerTakesThePolicyOfInitialize) {
  register_half_function("softmax");
  torch::nn::Linear model(4, 4);
  initialize(model, {}, {.opt_level = "O1", .verbosity = 0});
  EXPECT_EQ(type_on_another_thread([] { enable_casts_on_this_thread(); }), kHalf);
  const Policy policy = casts_of_this_thread();
  shutdown();
  EXPECT_EQ(type_on_another_thread([] { enable_casts_on_this_thread(); }), kFloat) << "initialize() is undone";
  EXPECT_EQ(type_on_another_thread([&] { enable_casts_on_this_thread(policy); }), kHalf);
}

TEST_F(Registration, InitializeOnAnotherThreadTakesNothingFromThisOne) {
  register_half_function("softmax");
  torch::nn::Linear model(4, 4);
  initialize(model, {}, {.opt_level = "O1", .verbosity = 0});
  EXPECT_EQ(type_on_another_thread([] {
              torch::nn::Linear other(4, 4);
              initialize(other, {}, {.opt_level = "O1", .verbosity = 0});
            }),
            kFloat);
}

TEST_F(Registration, TheTypeThatInitializeIsAskedForIsTheLowType) {
  register_half_function("softmax");
  torch::nn::Linear model(4, 4);
  initialize(model, {}, {.opt_level = "O1", .patch_torch_functions_type = ReducedType::BFloat16, .verbosity = 0});
  EXPECT_EQ(model(fine()).scalar_type(), kBFloat16);
  EXPECT_EQ(torch::softmax(fine(), 1).scalar_type(), kBFloat16);
}

TEST_F(Registration, AWrongPolicyOfTheEnvironmentChangesNoModel) {
  setenv("AMP_POLICY", file_with("sofmax fp32\n").c_str(), 1);
  torch::nn::Linear model(4, 4);
  EXPECT_THROW(initialize(model, {}, {.opt_level = "O1", .verbosity = 0}), Error);
  unsetenv("AMP_POLICY");
  EXPECT_NO_THROW(initialize(model, {}, {.opt_level = "O1", .verbosity = 0}));
}

TEST_F(Registration, ThreadsWithDifferentPoliciesDoNotMeet) {
  const auto run = [](const char* text, at::ScalarType softmax, at::ScalarType mm) {
    for (int i = 0; i < 20; ++i) {
      enable_casts_on_this_thread(parse_policy(text, "thread"));
      EXPECT_EQ(torch::softmax(fine(), 1).scalar_type(), softmax);
      EXPECT_EQ(torch::mm(fine(), fine()).scalar_type(), mm);
      disable_casts_on_this_thread();
      EXPECT_EQ(torch::mm(fine(), fine()).scalar_type(), kFloat);
    }
  };
  std::thread first(run, "softmax fp16\ntan fp16\n", kHalf, kHalf);
  std::thread second(run, "low_type bf16\nmm fp32\nfrac fp32\n", kFloat, kFloat);
  std::thread third(run, "use native\nlow_type bf16\n", kFloat, kBFloat16);
  first.join();
  second.join();
  third.join();
}

}  // namespace registration_test
}  // namespace amp
