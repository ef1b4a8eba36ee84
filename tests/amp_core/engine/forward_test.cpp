// SPDX-License-Identifier: Apache-2.0
// Tests which arguments amp::forward() and amp::call() cast.
#include "amp_core/engine/forward.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "amp_core/amp.h"
#include "reports/records/exponents.h"

/// Imitates a program's own batch type. A function in the type's namespace makes amp::forward() cast it.
namespace demo {

struct Batch {
  at::Tensor image;
  at::Tensor label;
  std::vector<at::Tensor> extras = {};
};

Batch cast_floating(const Batch& batch, at::ScalarType type) {
  return {amp::cast(batch.image, type), batch.label, amp::cast(batch.extras, type)};
}

struct Plain {
  at::Tensor tensor;
};

}  // namespace demo

namespace amp {
namespace forward_test {

using torch::kDouble;
using torch::kFloat;
using torch::kHalf;
using torch::kLong;
using Packed = torch::nn::utils::rnn::PackedSequence;

at::Tensor ones(at::ScalarType type = kFloat) { return torch::ones({2}, type); }

/// A model whose forward() calls the function passed to it, so that one model can take and return anything.
struct ProbeImpl : torch::nn::Module {
  template <class Function, class... Arguments>
  decltype(auto) forward(const Function& function, Arguments&&... arguments) {
    return function(std::forward<Arguments>(arguments)...);
  }

  at::Tensor encode(const at::Tensor& x, int times) const {
    seen = x.scalar_type();
    return x * times;
  }

  at::Tensor weight = register_parameter("weight", torch::ones({2}));
  mutable at::ScalarType seen = at::kInt;
};
TORCH_MODULE(Probe);

class Forward : public testing::Test {
 protected:
  void TearDown() override { shutdown(); }

  Probe probe_at(const char* level, Options options = {}) {
    Probe probe;
    options.opt_level = level;
    options.verbosity = 0;
    initialize(probe, {}, options);
    return probe;
  }
};

TEST_F(Forward, CastsTensorsDeepInsideContainers) {
  Probe probe = probe_at("O2");
  using Deep = std::map<std::string, std::vector<std::pair<int, std::optional<at::Tensor>>>>;
  const Deep deep{{"a", {{1, ones()}, {2, std::nullopt}, {3, ones(kLong)}, {4, ones(kDouble)}}}};
  const auto check = [](const Deep& values) {
    EXPECT_EQ(values.at("a")[0].second->scalar_type(), kHalf);
    EXPECT_FALSE(values.at("a")[1].second.has_value());
    EXPECT_EQ(values.at("a")[2].second->scalar_type(), kLong);
    EXPECT_EQ(values.at("a")[3].second->scalar_type(), kDouble);
    return values;
  };
  const Deep out = forward(probe, check, deep);
  EXPECT_EQ(out.at("a")[0].second->scalar_type(), kFloat);
  EXPECT_EQ(deep.at("a")[0].second->scalar_type(), kFloat) << "the caller's stays as it is";
}

TEST_F(Forward, CastsEveryKindOfContainer) {
  Probe probe = probe_at("O2");
  const auto check = [](const std::array<at::Tensor, 2>& array, const std::shared_ptr<demo::Batch>& shared,
                        const std::unordered_map<int, at::Tensor>& map,
                        const std::tuple<at::Tensor, std::string>& tuple, const at::Tensor& undefined) {
    EXPECT_EQ(array[1].scalar_type(), kHalf);
    EXPECT_EQ(shared->image.scalar_type(), kHalf);
    EXPECT_EQ(map.at(7).scalar_type(), kHalf);
    EXPECT_EQ(std::get<0>(tuple).scalar_type(), kHalf);
    EXPECT_EQ(std::get<1>(tuple), "text");
    EXPECT_FALSE(undefined.defined());
    return std::tuple(array, shared, map, 5);
  };
  const auto shared = std::make_shared<demo::Batch>(demo::Batch{ones(), ones(kLong)});
  const auto [array, batch, map, number] =
      forward(probe, check, std::array{ones(), ones()}, shared, std::unordered_map<int, at::Tensor>{{7, ones()}},
              std::tuple(ones(), std::string("text")), at::Tensor());
  EXPECT_EQ(array[0].scalar_type(), kFloat);
  EXPECT_EQ(batch->image.scalar_type(), kFloat);
  EXPECT_EQ(map.at(7).scalar_type(), kFloat);
  EXPECT_EQ(number, 5);
  EXPECT_EQ(shared->image.scalar_type(), kFloat) << "other owners keep theirs";
}

TEST_F(Forward, CastsATypeOfTheProgramsOwn) {
  Probe probe = probe_at("O2");
  const auto check = [](const std::vector<demo::Batch>& batches) {
    EXPECT_EQ(batches[0].image.scalar_type(), kHalf);
    EXPECT_EQ(batches[0].label.scalar_type(), kFloat) << "its function decides";
    EXPECT_EQ(batches[0].extras[0].scalar_type(), kHalf);
    return batches[0];
  };
  const demo::Batch out = forward(probe, check, std::vector{demo::Batch{ones(), ones(), {ones()}}});
  EXPECT_EQ(out.image.scalar_type(), kFloat);
}

TEST_F(Forward, PassesATypeThatItDoesNotKnow) {
  Probe probe = probe_at("O2");
  const demo::Plain plain{ones()};
  const auto check = [&](const demo::Plain& got) -> const demo::Plain& {
    EXPECT_EQ(&got, &plain);
    EXPECT_EQ(got.tensor.scalar_type(), kFloat);
    return got;
  };
  EXPECT_EQ(&forward(probe, check, plain), &plain);
}

TEST_F(Forward, ForwardsReferencesAndMoveOnlyValues) {
  Probe probe = probe_at("O2");
  int count = 0;
  auto owned = std::make_unique<int>(3);
  const auto take = [](int& counter, std::unique_ptr<int> number, std::vector<std::unique_ptr<int>> more,
                       at::Tensor& in_place) {
    counter = *number + static_cast<int>(more.size());
    in_place.add_(1);
    return number;
  };
  at::Tensor x = ones();
  const std::unique_ptr<int> back =
      forward(probe, take, count, std::move(owned), std::vector<std::unique_ptr<int>>(2), x);
  EXPECT_EQ(count, 5);
  EXPECT_EQ(*back, 3);
  EXPECT_EQ(x[0].item<double>(), 1.0) << "the model wrote into the cast";
}

TEST_F(Forward, WritesInPlaceWhereThereIsNothingToCast) {
  Probe probe = probe_at("O1");
  at::Tensor x = ones();
  forward(
      probe, [](at::Tensor& in_place) { in_place.add_(1); }, x);
  EXPECT_EQ(x[0].item<double>(), 2.0);
}

TEST_F(Forward, CallsModelsThatReturnNothing) {
  Probe probe = probe_at("O2");
  at::ScalarType seen = at::kInt;
  forward(
      probe, [&](const at::Tensor& x) { seen = x.scalar_type(); }, ones());
  EXPECT_EQ(seen, kHalf);
}

TEST_F(Forward, CallsOtherMemberFunctions) {
  Probe probe = probe_at("O2");
  EXPECT_EQ(call(probe, &ProbeImpl::encode, ones(), 3).scalar_type(), kFloat);
  EXPECT_EQ(probe->seen, kHalf);
  EXPECT_EQ(call(*probe, &ProbeImpl::encode, ones(), 3)[0].item<double>(), 3.0) << "by reference";
  const std::shared_ptr<ProbeImpl> shared = probe.ptr();
  EXPECT_EQ(call(shared, &ProbeImpl::encode, ones(), 2)[0].item<double>(), 2.0) << "by shared pointer";
}

TEST_F(Forward, LeavesAModelThatIsNotSetUpAlone) {
  Probe known = probe_at("O2");
  Probe probe;
  EXPECT_EQ(call(probe, &ProbeImpl::encode, ones(), 1).scalar_type(), kFloat);
  EXPECT_EQ(probe->seen, kFloat);
}

struct Outputs {
  const char* name;
  const char* level;
  std::optional<ModelType> model;
  std::optional<ModelType> outputs;
  at::ScalarType expected_input;
  at::ScalarType expected_output;
};

void PrintTo(const Outputs& outputs, std::ostream* out) { *out << outputs.name; }

class ForwardOutputs : public Forward, public testing::WithParamInterface<Outputs> {};

TEST_P(ForwardOutputs, HaveTheTypeThatTheOptionsAskFor) {
  Options options;
  options.cast_model_type = GetParam().model;
  options.cast_model_outputs = GetParam().outputs;
  Probe probe = probe_at(GetParam().level, options);
  EXPECT_EQ(call(probe, &ProbeImpl::encode, ones(), 1).scalar_type(), GetParam().expected_output);
  EXPECT_EQ(probe->seen, GetParam().expected_input);
}

INSTANTIATE_TEST_SUITE_P(
    Forward, ForwardOutputs,
    testing::Values(Outputs{"o0", "O0", {}, {}, kFloat, kFloat}, Outputs{"o1", "O1", {}, {}, kFloat, kFloat},
                    Outputs{"o2", "O2", {}, {}, kHalf, kFloat}, Outputs{"o3", "O3", {}, {}, kHalf, kFloat},
                    Outputs{"o2_half", "O2", {}, ReducedType::Float16, kHalf, kHalf},
                    Outputs{"o2_unchanged_outputs", "O2", {}, ModelType::Unchanged, kHalf, kHalf},
                    Outputs{"o1_half", "O1", {}, ReducedType::Float16, kFloat, kHalf},
                    Outputs{"o2_unchanged_model", "O2", ModelType::Unchanged, {}, kFloat, kFloat},
                    Outputs{"o2_bfloat", "O2", ReducedType::BFloat16, {}, torch::kBFloat16, kFloat},
                    Outputs{"o3_bfloat_outputs", "O3", {}, ReducedType::BFloat16, kHalf, torch::kBFloat16}),
    [](const auto& info) { return info.param.name; });

/// Compares recurrent layers in half with FP32 layers that have the same rounded weights.
template <class Layer>
class Recurrent : public Forward {
 protected:
  static Layer made() {
    torch::manual_seed(5);
    using LayerOptions = std::conditional_t<
        std::is_same_v<Layer, torch::nn::LSTM>, torch::nn::LSTMOptions,
        std::conditional_t<std::is_same_v<Layer, torch::nn::GRU>, torch::nn::GRUOptions, torch::nn::RNNOptions>>;
    return Layer(LayerOptions(3, 4).num_layers(2).bidirectional(true));
  }

  static Packed packed_input() {
    return torch::nn::utils::rnn::pack_padded_sequence(torch::randn({5, 2, 3}), torch::tensor({5, 3}));
  }
};

using RecurrentLayers = testing::Types<torch::nn::RNN, torch::nn::LSTM, torch::nn::GRU>;
TYPED_TEST_SUITE(Recurrent, RecurrentLayers);

TYPED_TEST(Recurrent, LayersRunAndTrainInHalf) {
  for (const char* level : {"O2", "O3"}) {
    TypeParam reference = this->made();
    TypeParam layer = this->made();
    torch::optim::SGD optimizer(layer->parameters(), 0.1);
    initialize(layer, optimizer, {.opt_level = level, .loss_scale = 128.0, .verbosity = 0});
    for (const auto& weight : layer->all_weights()) EXPECT_EQ(weight.scalar_type(), kHalf);
    const at::Tensor x = torch::randn({5, 2, 3});
    const at::Tensor y = std::get<0>(forward(layer, x));
    EXPECT_EQ(y.scalar_type(), kFloat);
    EXPECT_TRUE(at::allclose(y, std::get<0>(reference->forward(x)), 0, 4e-3)) << level << ": a few roundings to half";
    const at::Tensor before = layer->all_weights().front().detach().clone();
    scale_loss(y.pow(2).sum(), optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
    EXPECT_TRUE(step(optimizer));
    EXPECT_FALSE(at::equal(layer->all_weights().front(), before)) << "the weights in use are those that are updated";
    shutdown();
  }
}

TYPED_TEST(Recurrent, LayersTakePackedSequences) {
  for (const char* level : {"O2", "O3"}) {
    TypeParam reference = this->made();
    TypeParam layer = this->made();
    initialize(layer, {}, {.opt_level = level, .verbosity = 0});
    const Packed input = this->packed_input();
    using Implementation = typename TypeParam::ContainedType;
    using State = std::decay_t<decltype(std::get<1>(reference->forward_with_packed_input(input)))>;
    const auto run = [](const auto& callee, const Packed& packed) {
      if constexpr (std::is_same_v<State, at::Tensor>) {
        return callee(packed, at::Tensor());
      } else {
        return callee(packed, std::optional<State>());
      }
    };
    const auto packed_forward = [&](const auto& packed, const auto& state) {
      return call(layer, &Implementation::forward_with_packed_input, packed, state);
    };
    const auto [output, state] = run(packed_forward, input);
    EXPECT_EQ(output.data().scalar_type(), kFloat);
    EXPECT_TRUE(at::equal(output.batch_sizes(), input.batch_sizes()));
    const auto expected = std::get<0>(reference->forward_with_packed_input(input));
    EXPECT_TRUE(at::allclose(output.data(), expected.data(), 0, 4e-3)) << level;
    shutdown();
  }
}

}  // namespace forward_test
}  // namespace amp
