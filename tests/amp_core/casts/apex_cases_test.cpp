// SPDX-License-Identifier: Apache-2.0
// Repeats Apex's own tests of casts on this engine: promotion, in-place functions, recurrent networks, and backward.
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/jit.h>
#include <torch/torch.h>

#include <set>

#include "amp_core/torch_hooks/boxed_arguments.h"
#include "amp_core/torch_hooks/replaced_kernel.h"
#include "tests/amp_core/casts/in_force.h"

namespace amp {
namespace apex_cases_test {

using torch::kBFloat16;
using torch::kDouble;
using torch::kFloat;
using torch::kHalf;

at::Tensor ones(at::ScalarType type) { return torch::ones({4, 4}, type).requires_grad_(); }

at::ScalarType widest(at::ScalarType first, at::ScalarType second) { return c10::promoteTypes(first, second); }

// ---- promotion ------------------------------------------------------------------------------------------------------

struct Pair {
  const char* name;
  at::Tensor (*run)(const at::Tensor&, const at::Tensor&);
  at::ScalarType first;
  at::ScalarType second;
};

void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.name << ' ' << pair.first << ' ' << pair.second; }

std::vector<Pair> pairs() {
  struct Op {
    const char* name;
    at::Tensor (*run)(const at::Tensor&, const at::Tensor&);
  };
  const Op ops[]{
      {"atan2", [](const at::Tensor& a, const at::Tensor& b) { return at::atan2(a, b); }},
      {"mul", [](const at::Tensor& a, const at::Tensor& b) { return a * b; }},
      {"add", [](const at::Tensor& a, const at::Tensor& b) { return a + b; }},
      {"div", [](const at::Tensor& a, const at::Tensor& b) { return a / b; }},
      {"addcmul", [](const at::Tensor& a, const at::Tensor& b) { return at::addcmul(a, a, b); }},
      {"cat",
       [](const at::Tensor& a, const at::Tensor& b) {
         return at::cat({a, a, a, a, a, b});
       }},
      {"stack",
       [](const at::Tensor& a, const at::Tensor& b) {
         return at::stack({b, a, a});
       }},
  };
  std::vector<Pair> all;
  for (const auto& op : ops) {
    for (const auto first : {kFloat, kHalf, kBFloat16, kDouble}) {
      for (const auto second : {kFloat, kHalf, kBFloat16, kDouble}) all.push_back({op.name, op.run, first, second});
    }
  }
  return all;
}

class Promotion : public testing::TestWithParam<Pair> {};

TEST_P(Promotion, RunsInTheWidestTypeAndLeavesGradientsTheirs) {
  const InForce casts;
  const auto& [name, run, first, second] = GetParam();
  const at::Tensor a = ones(first);
  const at::Tensor b = ones(second);
  const at::Tensor y = run(a, b);
  EXPECT_EQ(y.scalar_type(), widest(first, second));
  y.sum().backward();
  EXPECT_EQ(a.grad().scalar_type(), first);
  EXPECT_EQ(b.grad().scalar_type(), second);
}

INSTANTIATE_TEST_SUITE_P(ApexCases, Promotion, testing::ValuesIn(pairs()), [](const auto& info) {
  return std::string(info.param.name) + '_' + toString(info.param.first) + '_' + toString(info.param.second);
});

// ---- tensor methods and operators, in place -------------------------------------------------------------------------

class LowTypes : public testing::TestWithParam<at::ScalarType> {
 protected:
  at::ScalarType low() const { return GetParam(); }
  InForce casts{GetParam() == kHalf ? "" : "low_type bf16"};
};

TEST_P(LowTypes, MatmulIsLowAsMethodAndOnEitherSide) {
  for (const auto other : {kFloat, low()}) {
    EXPECT_EQ(ones(kFloat).matmul(ones(other)).scalar_type(), low());
    EXPECT_EQ(torch::matmul(ones(other), ones(kFloat)).scalar_type(), low());
  }
}

TEST_P(LowTypes, InPlaceFunctionsOfTheFp32ListRefuseTheLowType) {
  const torch::NoGradGuard no_grad;
  EXPECT_THROW(torch::ones({4}, low()).exp_(), c10::Error);
  EXPECT_THROW(torch::ones({4}, low()).pow_(2), c10::Error);
  EXPECT_NO_THROW(torch::ones({4}).exp_());
}

TEST_P(LowTypes, InPlaceAdditionMatchesSelf) {
  const torch::NoGradGuard no_grad;
  for (const auto self : {kFloat, low()}) {
    for (const auto other : {kFloat, low()}) {
      at::Tensor x = torch::ones({4, 4}, self);
      x += torch::ones({4, 4}, other);
      EXPECT_EQ(x.scalar_type(), self);
      EXPECT_TRUE(at::equal(x, torch::full({4, 4}, 2.0, self)));
    }
  }
}

TEST_P(LowTypes, BinaryCrossEntropyIsBannedForThem) {
  const at::Tensor p = torch::full({4}, 0.5);
  EXPECT_THROW(torch::binary_cross_entropy(p.to(low()), p), c10::NotImplementedError);
  EXPECT_EQ(torch::binary_cross_entropy(p, p).scalar_type(), kFloat);
}

// ---- recurrent networks ---------------------------------------------------------------------------------------------

TEST_P(LowTypes, RecurrentCellsRunInThem) {
  for (const auto type : {kFloat, low()}) {
    const at::Tensor x = torch::ones({4, 3}, type).requires_grad_();
    for (const at::Tensor& y :
         {torch::nn::RNNCell(3, 2)(x), torch::nn::GRUCell(3, 2)(x), std::get<0>(torch::nn::LSTMCell(3, 2)(x))}) {
      EXPECT_EQ(y.scalar_type(), low());
      x.mutable_grad() = at::Tensor();
      y.sum().backward();
      EXPECT_EQ(x.grad().scalar_type(), type);
    }
  }
}

struct Layers {
  std::int64_t count;
  bool bidirectional;
};

constexpr Layers kLayers[]{{1, false}, {2, false}, {2, true}};

TEST_P(LowTypes, RecurrentLayersRunInThem) {
  for (const auto& [count, bidirectional] : kLayers) {
    torch::nn::RNN rnn(torch::nn::RNNOptions(3, 2).num_layers(count).bidirectional(bidirectional));
    torch::nn::GRU gru(torch::nn::GRUOptions(3, 2).num_layers(count).bidirectional(bidirectional));
    torch::nn::LSTM lstm(torch::nn::LSTMOptions(3, 2).num_layers(count).bidirectional(bidirectional));
    for (const auto type : {kFloat, low()}) {
      const at::Tensor x = torch::ones({5, 4, 3}, type).requires_grad_();
      const auto state = std::get<1>(lstm(x));
      for (const at::Tensor& y :
           {std::get<0>(rnn(x)), std::get<0>(gru(x)), std::get<0>(lstm(x)), std::get<0>(state), std::get<1>(state)}) {
        EXPECT_EQ(y.scalar_type(), low());
        x.mutable_grad() = at::Tensor();
        y.sum().backward({}, /*keep_graph=*/true);
        EXPECT_EQ(x.grad().scalar_type(), type);
      }
    }
    for (const auto& parameter : lstm->parameters()) EXPECT_EQ(parameter.grad().scalar_type(), kFloat);
  }
}

TEST_P(LowTypes, PackedSequencesRunInThem) {
  namespace rnn = torch::nn::utils::rnn;
  for (const auto type : {kFloat, low()}) {
    const at::Tensor x = torch::ones({5, 4, 3}, type).requires_grad_();
    const auto packed = rnn::pack_padded_sequence(x, torch::tensor({5, 4, 2, 1}));
    for (const auto& y : {std::get<0>(torch::nn::RNN(3, 2)->forward_with_packed_input(packed)),
                          std::get<0>(torch::nn::GRU(3, 2)->forward_with_packed_input(packed)),
                          std::get<0>(torch::nn::LSTM(3, 2)->forward_with_packed_input(packed))}) {
      EXPECT_EQ(y.data().scalar_type(), low());
      x.mutable_grad() = at::Tensor();
      y.data().sum().backward({}, /*keep_graph=*/true);
      EXPECT_EQ(x.grad().scalar_type(), type);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(ApexCases, LowTypes, testing::Values(kHalf, kBFloat16),
                         [](const auto& info) { return std::string(toString(info.param)); });

// ---- backward -------------------------------------------------------------------------------------------------------

/// Returns the argument types of all mm calls so far.
std::set<at::ScalarType>& product_types() {
  static std::set<at::ScalarType> types;
  return types;
}

class NoteTypes final : public c10::OperatorKernel {
 public:
  explicit NoteTypes(ReplacedKernel replaced) : replaced_(std::move(replaced)) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    for (const auto& argument : last_values(*stack, 2)) product_types().insert(argument.toTensor().scalar_type());
    replaced_.call(op, keys, stack);
  }

 private:
  ReplacedKernel replaced_;
};

/// Installs NoteTypes over the CPU's mm kernel and its FP16 emulation, once per process.
void note_products() {
  static const bool once = [] {
    { const InForce installs_the_emulation; }
    const auto mm = c10::Dispatcher::singleton().findSchemaOrThrow("aten::mm", "");
    override_kernel<NoteTypes>(mm, c10::DispatchKey::CPU);
    return true;
  }();
  static_cast<void>(once);
  product_types().clear();
}

struct BackwardCase {
  const char* name;
  const char* policy;
  at::ScalarType products;
};

void PrintTo(const BackwardCase& backward, std::ostream* out) { *out << backward.name; }

class Backward : public testing::TestWithParam<BackwardCase> {
 protected:
  Backward() { note_products(); }
};

TEST_P(Backward, ComputesProductsInTheTypeOfForward) {
  const InForce casts(GetParam().policy);
  const at::Tensor x = ones(kFloat);
  const at::Tensor w = ones(kFloat);
  const at::Tensor loss = torch::matmul(x, w).sum();
  product_types().clear();
  loss.backward();
  EXPECT_EQ(product_types(), std::set{GetParam().products});
  EXPECT_EQ(w.grad().scalar_type(), kFloat);
}

TEST_P(Backward, OfABackwardIsNotCastEither) {
  const InForce casts(GetParam().policy);
  const at::Tensor x = ones(kFloat);
  const at::Tensor w = ones(kFloat);
  const at::Tensor y = torch::matmul(x, w).pow(2).sum();
  const at::Tensor first = torch::autograd::grad({y}, {x}, {}, std::nullopt, /*create_graph=*/true).front();
  const at::Tensor loss = first.pow(2).sum();
  product_types().clear();
  loss.backward();
  EXPECT_EQ(product_types(), std::set{GetParam().products});
  // y = sum((x w)²), so dy/dx = 2 x w wᵀ. The loss 4 |x w wᵀ|² has the gradient 8 (x w wᵀ) w wᵀ: 8 * 16 * 16.
  EXPECT_TRUE(at::equal(x.grad(), torch::full({4, 4}, 2048.0)));
}

INSTANTIATE_TEST_SUITE_P(ApexCases, Backward,
                         testing::Values(BackwardCase{"listed", "", kHalf},
                                         BackwardCase{"registered_as_fp32", "matmul fp32", kFloat},
                                         BackwardCase{"bf16", "low_type bf16", kBFloat16}),
                         [](const auto& info) { return info.param.name; });

// ---- TorchScript ----------------------------------------------------------------------------------------------------

TEST(Script, FollowsThePolicyInEveryIteration) {
  const auto module = torch::jit::compile("def f(x, w):\n  return torch.softmax(torch.mm(x, w), 1) * w\n");
  const at::Tensor w = ones(kFloat);
  for (const auto& [policy, type] : {std::pair("", kFloat), std::pair("softmax fp16\nmul fp16", kHalf)}) {
    const InForce casts(policy);
    for (int iteration = 0; iteration < 4; ++iteration) {
      const at::Tensor x = ones(kFloat);
      const at::Tensor y = module->run_method("f", x, w).toTensor();
      EXPECT_EQ(y.scalar_type(), type) << "iteration " << iteration;
      y.sum().backward();
      EXPECT_EQ(x.grad().scalar_type(), kFloat);
    }
  }
}

}  // namespace apex_cases_test
}  // namespace amp
