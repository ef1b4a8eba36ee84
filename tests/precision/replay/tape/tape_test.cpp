// SPDX-License-Identifier: Apache-2.0
// Compares gradients, tangents and updates of whole steps, computed from tapes, with those of the program.
#include "precision/replay/tape/tape.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "precision/replay/tape/replay.h"
#include "precision/replay/tape/update_pieces.h"
#include "profiler/torch_hooks/observer_key.h"
#include "profiler/torch_hooks/torch_state.h"
#include "tests/precision/replay/reference/fp32_setting.h"
#include "tests/profiler/taped_program.h"

namespace ampprof::tape {
namespace tape_test {

using namespace taped_program;

/// Records a tape without the rest of the profiler.
class Recording final : public profiler::LeafObserver {
 public:
  explicit Recording(tape::Identity identity, at::ScalarType precision = at::kDouble) : tape(precision, identity) {}

  std::unique_ptr<profiler::LeafCall> before(const c10::OperatorHandle& op, const torch::jit::Stack& stack) override {
    if (tape.identity() == tape::Identity::Tensor && !c10::GradMode::is_enabled()) return nullptr;
    auto prepared = tape.prepare(op, stack);
    if (!prepared) return nullptr;
    return profiler::when_leaf_ends([this, call = *std::move(prepared)](c10::ArrayRef<c10::IValue> results) mutable {
      tape.add(std::move(call), results);
    });
  }
  void failed(const c10::OperatorHandle& op, const std::string& why, c10::ArrayRef<c10::IValue>) override {
    ADD_FAILURE() << op.operator_name().name << ": " << why;
  }
  tape::Tape tape;
};

std::vector<Tensor> weights_of(const tape::Tape& tape) {
  std::vector<Tensor> all;
  for (const tape::Input& input : tape.inputs()) all.push_back(input.tensor);
  return all;
}

void move(const std::vector<Tensor>& weights, const std::vector<Tensor>& by, double step) {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (by[i].defined()) weights[i].add_(by[i], step);
  }
}

double inner(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].defined() && b[i].defined()) sum += (a[i] * b[i]).sum().item<double>();
  }
  return sum;
}

class TapeOfModel : public testing::TestWithParam<ModelCase> {
 protected:
  Model model = made(GetParam());
  Recording recording{tape::Identity::Tensor};
  Tensor loss = taped();
  std::vector<Tensor> weights = weights_of(recording.tape);
  std::vector<tape::Root> roots{{.slot = recording.tape.source_of(loss).value().slot}};

  Tensor taped() {
    const Watching watching(&recording);
    return model.loss();
  }
};

TEST_P(TapeOfModel, GivesTheGradientsOfTheProgram) {
  ASSERT_EQ(recording.tape.why_not_now(), "");
  loss.backward();
  const auto found = tape::gradients_at(recording.tape, copies(weights), roots);
  EXPECT_NEAR(found.value.item<double>(), loss.item<double>(), 1e-12);
  ASSERT_EQ(weights.size(), model.module->parameters().size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_TRUE(at::allclose(found.of_inputs[i], weights[i].grad(), 1e-9, 1e-12)) << i;
  }
}

TEST_P(TapeOfModel, GivesThemAtOtherWeights) {
  const auto direction = noise_like(weights);
  auto moved = copies(weights);
  move(moved, direction, 0.1);
  const auto found = tape::gradients_at(recording.tape, moved, roots);
  move(weights, direction, 0.1);
  const Tensor there = model.loss();
  there.backward();
  EXPECT_NEAR(found.value.item<double>(), there.item<double>(), 1e-9);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_TRUE(at::allclose(found.of_inputs[i], weights[i].grad(), 1e-6, 1e-9)) << i;
  }
}

TEST_P(TapeOfModel, GivesTangentsOfEveryResult) {
  const auto direction = noise_like(weights);
  const auto gradients = tape::gradients_at(recording.tape, copies(weights), roots);
  double of_loss = NAN;
  int seen = 0;
  const auto see = [&](OutputIndex place, const Tensor& tangent) {
    ++seen;
    const auto& call = recording.tape.calls()[place.call];
    if (call.results[place.output].slot == roots[0].slot) of_loss = tangent.item<double>();
  };
  const Tensor value = tape::tangents_at(recording.tape, copies(weights), direction, roots, see);
  EXPECT_NEAR(value.item<double>(), loss.item<double>(), 1e-12);
  EXPECT_GT(seen, 4);
  EXPECT_NEAR(of_loss, inner(gradients.of_inputs, direction), 1e-6 * std::abs(of_loss));
}

TEST_P(TapeOfModel, ChangesNothing) {
  const auto before = copies(model.module->parameters());
  const auto buffers = copies(model.module->buffers());
  std::vector<std::uint32_t> versions;
  for (const Tensor& tensor : model.module->buffers()) versions.push_back(tensor._version());
  const Tensor state = at::detail::getDefaultCPUGenerator().get_state();
  tape::gradients_at(recording.tape, copies(weights), roots);
  tape::tangents_at(recording.tape, copies(weights), noise_like(copies(weights)), roots,
                    [](OutputIndex, const Tensor&) {});
  const auto after = model.module->parameters();
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_TRUE(at::equal(before[i], after[i]));
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    EXPECT_TRUE(at::equal(buffers[i], model.module->buffers()[i]));
    EXPECT_EQ(versions[i], model.module->buffers()[i]._version());
  }
  for (const Tensor& parameter : after) EXPECT_FALSE(parameter.grad().defined());
}

INSTANTIATE_TEST_SUITE_P(Tape, TapeOfModel, testing::ValuesIn(kModels),
                         [](const auto& info) { return std::string(info.param.name); });

// Steps that cannot be replayed ---------------------------------------------------------------------------------------

TEST(Tape, SaysThatATensorWasOverwritten) {
  Recording recording(tape::Identity::Tensor);
  const Tensor w = numbers({600, 600}).requires_grad_();
  Tensor x = numbers({600, 600});  // too large to be copied
  {
    const Watching watching(&recording);
    (x * w).sum();
  }
  EXPECT_EQ(recording.tape.why_not_now(), "");
  x.add_(1.0);
  EXPECT_EQ(recording.tape.why_not_now(), "an input of a forward op was overwritten before the step ended");
}

TEST(Tape, EndsWhereAWeightIsWrittenBetweenForwardOps) {
  Recording recording(tape::Identity::Tensor);
  const Tensor w = numbers({3}).requires_grad_();
  const Watching watching(&recording);
  const Tensor y = w * 2;
  {
    const at::NoGradGuard no_grad;
    w.add_(1.0);
  }
  (y * w).sum();
  EXPECT_EQ(recording.tape.why_not(), "an op without gradients wrote into a tensor that has a gradient");
}

TEST(Tape, EndsAtRandomNumbersThatCannotBeDrawnAgain) {
  Recording recording(tape::Identity::Tensor);
  const Tensor w = numbers({3}).requires_grad_();
  const Watching watching(&recording);
  at::rrelu(w, 0.1, 0.3, true);
  EXPECT_NE(recording.tape.why_not().find("draws random numbers"), std::string::npos) << recording.tape.why_not();
}

/// A product of two FP32 matrices with sums so long that FP32 is not exact.
struct LongProducts {
  Tensor x = at::randn({8, 4096}), weight = at::randn({4096, 8}).requires_grad_();
  Recording recording{tape::Identity::Tensor, at::kFloat};
  Tensor loss = taped();

  Tensor taped() {
    const Watching watching(&recording);
    return x.mm(weight).sum();
  }

  /// Returns the tangent of the product for a weight that moves along `direction`.
  Tensor tangent_along(const Tensor& direction) const {
    Tensor found;
    const std::vector<tape::Root> roots{{.slot = recording.tape.source_of(loss).value().slot}};
    tape::tangents_at(recording.tape, {weight.detach()}, {direction}, roots,
                      [&](OutputIndex place, const Tensor& tangent) {
                        if (place.call == 0) found = tangent.clone();
                      });
    return found;
  }
};

TEST(Tape, RunsInDoubleWhereTheProgramShortensFp32) {
  at::manual_seed(6);
  const LongProducts products;
  const Tensor direction = at::randn({4096, 8});
  const Tensor exact = products.x.to(at::kDouble).mm(direction.to(at::kDouble)).to(at::kFloat);
  EXPECT_FALSE(at::equal(products.tangent_along(direction), exact)) << "FP32 rounds its sums";
  const Fp32Setting setting(c10::kCPU, torch_hooks::Fp32Op::Matmul, torch_hooks::Fp32Precision::Bf16);
  EXPECT_TRUE(at::equal(products.tangent_along(direction), exact));
}

// Updates -------------------------------------------------------------------------------------------------------------

using Update = std::function<void(const std::vector<Tensor>& weights, const std::vector<Tensor>& gradients)>;
/// An update that starts from the same state each time.
struct UpdateCase {
  const char* name;
  Update (*make)();
};
void PrintTo(const UpdateCase& update, std::ostream* out) { *out << update.name; }

/// Returns the third step of a LibTorch optimizer as an update.
template <typename Optimizer, typename Options>
Update optimizer(const Options& options) {
  return [options](const std::vector<Tensor>& weights, const std::vector<Tensor>& gradients) {
    std::vector<Tensor> leaves;
    for (const Tensor& weight : weights) leaves.push_back(weight.requires_grad_());
    Optimizer optimizer(leaves, options);
    for (int step = 0; step < 2; ++step) {
      const c10::impl::ExcludeDispatchKeyGuard unseen(profiler::kObserverKey);
      for (std::size_t i = 0; i < leaves.size(); ++i) leaves[i].mutable_grad() = (leaves[i] * (0.3 + step)).detach();
      optimizer.step();
    }
    for (std::size_t i = 0; i < leaves.size(); ++i) leaves[i].mutable_grad() = gradients[i];
    optimizer.step();
  };
}

using torch::optim::Adam;
using torch::optim::AdamOptions;
using torch::optim::AdamW;
using torch::optim::AdamWOptions;
using torch::optim::RMSprop;
using torch::optim::RMSpropOptions;
using torch::optim::SGD;
using torch::optim::SGDOptions;

Update fused_adam(bool decouples, bool amsgrad) {
  return [=](const std::vector<Tensor>& weights, const std::vector<Tensor>& gradients) {
    const at::NoGradGuard no_grad;
    std::vector<Tensor> means, squares, largest, steps;
    for (const Tensor& weight : weights) {
      means.push_back((weight * 0.1).detach());
      squares.push_back((weight * weight * 0.2 + 0.01).detach());
      if (amsgrad) largest.push_back((weight * weight * 0.1 + 0.02).detach());
      steps.push_back(at::full({}, 3.0, at::kFloat));
    }
    const auto run = [&](auto update) {
      update(weights, gradients, means, squares, largest, steps, 0.05, 0.9, 0.99, 0.1, 1e-8, amsgrad, false);
    };
    if (decouples) {
      run([](const auto&... arguments) { at::_fused_adamw_(arguments...); });
    } else {
      run([](const auto&... arguments) { at::_fused_adam_(arguments...); });
    }
  };
}

/// Returns one step of fused SGD. `found_inf` is the flag of a GradScaler, if there is one.
Update fused_sgd(bool first, const std::optional<Tensor>& found_inf = {}) {
  return [=](const std::vector<Tensor>& weights, const std::vector<Tensor>& gradients) {
    const at::NoGradGuard no_grad;
    std::vector<Tensor> buffers;
    for (const Tensor& weight : weights) buffers.push_back((weight * 0.3).detach());
    const auto scale = found_inf ? std::optional(at::full({1}, 4.0)) : std::nullopt;
    at::_fused_sgd_(weights, gradients, buffers, 0.1, 0.9, 0.05, 0.2, false, false, first, scale, found_inf);
  };
}

/// Unscales as a GradScaler does, clips the norm, and updates through .data(), without an optimizer.
Update by_hand() {
  return [](const std::vector<Tensor>& weights, const std::vector<Tensor>& gradients) {
    const at::NoGradGuard no_grad;
    const Tensor found = at::zeros({1}), inverse = at::full({1}, 0.25);
    at::_amp_foreach_non_finite_check_and_unscale_(gradients, const_cast<Tensor&>(found), inverse);
    Tensor square = at::zeros({}, at::kDouble);
    for (const Tensor& gradient : gradients) square += gradient.square().sum();
    for (const Tensor& gradient : gradients) gradient.mul_(0.5 / square.sqrt());
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i].data().sub_(gradients[i].data() * 0.1);
  };
}

/// Copies gradients to one buffer, as DDP does, and updates weights through slices of another.
Update in_buckets() {
  return [](const std::vector<Tensor>& weights, const std::vector<Tensor>& gradients) {
    const at::NoGradGuard no_grad;
    const Tensor flat = at::zeros({17}, at::kDouble);
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      flat.narrow(0, begin, weights[i].numel()).copy_(gradients[i].reshape(-1));
      begin += weights[i].numel();
    }
    const std::vector<Tensor> pieces{at::zeros({12}, at::kDouble), at::zeros({5}, at::kDouble)};
    at::_foreach_copy_(pieces, flat.split_with_sizes({12, 5}));
    const Tensor step = at::cat(pieces).tanh();
    weights[0].sub_(step.narrow(0, 0, 12).view({3, 4}), 0.1);
    weights[1].sub_(step.narrow(0, 12, 5) * flat.sum(), 0.1);
  };
}

/// Updates all tensors in one call, as foreach optimizers do.
Update in_lists() {
  return [](const std::vector<Tensor>& weights, const std::vector<Tensor>& gradients) {
    const at::NoGradGuard no_grad;
    std::vector<Tensor> means;
    for (const Tensor& weight : weights) means.push_back((weight * 0.1).detach());
    at::_foreach_mul_(means, 0.9);
    at::_foreach_addcmul_(means, gradients, gradients, 0.1);
    const std::vector<Tensor> roots = at::_foreach_sqrt(at::_foreach_abs(means));
    at::_foreach_add_(at::TensorList(roots), 0.5);
    at::_foreach_addcdiv_(weights, gradients, roots, -0.1);
    for (const Tensor& weight : weights) weight.lerp_(means[0].sum(), 0.01).clamp_(-9.0, 9.0).pow_(2.0);
  };
}

/// Clips all gradients by one factor, from their common norm, like Python's clip_grad_norm_().
Update in_lists_clipped() {
  return [](const std::vector<Tensor>& weights, const std::vector<Tensor>& gradients) {
    const at::NoGradGuard no_grad;
    const Tensor norm = at::stack(at::_foreach_norm(gradients)).norm();
    at::_foreach_mul_(gradients, (0.5 / (norm + 1e-6)).clamp_max(1.0));
    at::_foreach_add_(weights, gradients, -0.1);
  };
}

const UpdateCase kUpdates[]{
    {"sgd", [] { return optimizer<SGD>(SGDOptions(0.1)); }},
    {"sgd_with_momentum",
     [] { return optimizer<SGD>(SGDOptions(0.1).momentum(0.9).dampening(0.1).weight_decay(0.1)); }},
    {"sgd_with_nesterov", [] { return optimizer<SGD>(SGDOptions(0.1).momentum(0.9).nesterov(true)); }},
    {"adam", [] { return optimizer<Adam>(AdamOptions(0.05).weight_decay(0.1)); }},
    {"adam_amsgrad", [] { return optimizer<Adam>(AdamOptions(0.05).amsgrad(true)); }},
    {"adamw", [] { return optimizer<AdamW>(AdamWOptions(0.05)); }},
    {"rmsprop", [] { return optimizer<RMSprop>(RMSpropOptions(0.05)); }},
    {"fused_adam", [] { return fused_adam(false, false); }},
    {"fused_adamw_amsgrad", [] { return fused_adam(true, true); }},
    {"fused_sgd", [] { return fused_sgd(false); }},
    {"fused_sgd_first", [] { return fused_sgd(true); }},
    {"fused_sgd_scaled", [] { return fused_sgd(false, at::zeros({1})); }},
    {"fused_sgd_skipped", [] { return fused_sgd(false, at::ones({1})); }},
    {"in_buckets", in_buckets},
    {"in_lists", in_lists},
    {"in_lists_clipped", in_lists_clipped},
    {"by_hand", by_hand}};

class TapeOfUpdate : public testing::TestWithParam<UpdateCase> {
 protected:
  static bool takes_memory_as_it_lies() { return std::string(GetParam().name).starts_with("fused"); }

  void expect_derivative(const std::vector<Tensor>& start, const std::vector<Tensor>& gradients) const {
    const std::vector<Tensor> cotangents = noise_like(start), direction = noise_like(start);
    const auto updated = [&](double step) {
      const std::vector<Tensor> weights = copies(start), moved = copies(gradients);
      move(moved, direction, step);
      update(weights, moved);
      return copies(weights);
    };
    const std::vector<Tensor> weights = copies(start), given = copies(gradients);
    Recording recording(tape::Identity::Memory);
    for (const Tensor& gradient : given) recording.tape.add_input(gradient);
    {
      const Watching watching(&recording);
      update(weights, given);
    }
    ASSERT_EQ(recording.tape.why_not(), "");
    const auto pulled = tape::pulled_back(recording.tape, {}, weights, cotangents);
    constexpr double kStep = 1e-6;
    const auto ahead = updated(kStep), behind = updated(-kStep);
    double expected = 0.0;
    for (std::size_t i = 0; i < ahead.size(); ++i) {
      expected += (cotangents[i] * (ahead[i] - behind[i])).sum().item<double>() / (2 * kStep);
    }
    EXPECT_NEAR(inner(pulled, direction), expected, 1e-6 * std::abs(expected) + 1e-9 * start[0].numel());
    const std::vector<Tensor> other = updated(0.5), moved = copies(gradients);
    move(moved, direction, 0.5);
    const auto own = tape::written_at(recording.tape, {}, weights),
               found = tape::written_at(recording.tape, moved, weights);
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_TRUE(at::allclose(found[i] - own[i], other[i] - weights[i], 1e-9, 1e-9)) << i;
    }
    is_in_pieces = !tape::pieces_of(recording.tape, recording.tape.source_of(weights[0]).value().slot).empty();
  }

  const Update update = GetParam().make();
  mutable bool is_in_pieces = false;
};

TEST_P(TapeOfUpdate, GivesItsDerivative) {
  at::manual_seed(4);
  const Tensor transposed = numbers({4, 3}).t();
  const std::vector<Tensor> gradients{takes_memory_as_it_lies() ? transposed.contiguous() : transposed, numbers({5})};
  expect_derivative({numbers({3, 4}), numbers({5})}, gradients);
  EXPECT_FALSE(is_in_pieces);
}

TEST_P(TapeOfUpdate, GivesThatOfLargeWeightsPieceByPiece) {
  const std::string name = GetParam().name;
  if (name == "in_buckets") GTEST_SKIP() << "of small weights alone";
  at::manual_seed(5);
  const std::int64_t rows = 201 * at::get_num_threads();
  expect_derivative({numbers({rows, 501}), numbers({5})}, {numbers({rows, 501}) + 2.0, numbers({5})});
  const bool is_pointwise = !name.starts_with("fused") && name != "by_hand" && !name.starts_with("in_lists");
  if (name != "adam_amsgrad") {
    EXPECT_EQ(is_in_pieces, is_pointwise);
  }
}

TEST(Tape, LeavesOutCallsThatOnlyTellANumber) {
  const Tensor gradient = numbers({3}), weight = numbers({3});
  Recording recording(tape::Identity::Memory);
  recording.tape.add_input(gradient);
  {
    const Watching watching(&recording);
    const at::NoGradGuard no_grad;
    const Tensor largest = gradient.max();
    weight.sub_(gradient, largest.item<double>() > 1e9 ? 2.0 : 1.0);
  }
  std::vector<std::string> names;
  for (const tape::TapedCall& call : recording.tape.calls()) names.push_back(call.op.operator_name().name);
  EXPECT_EQ(names, (std::vector<std::string>{"aten::max", "aten::sub_"}));
}

TEST(Tape, RunsNoCallAgainThatNothingWantedDependsOn) {
  const Tensor w = numbers({3}).requires_grad_();
  Recording recording(tape::Identity::Tensor);
  Tensor loss;
  {
    const Watching watching(&recording);
    const Tensor doubled = w * 2.0;
    const Tensor told = doubled.exp();
    doubled.narrow(0, 0, 1).mul_(3.0);
    loss = doubled.sum();
  }
  Tensor last;
  std::vector<std::string> names;
  const std::vector<tape::Root> roots{{.slot = recording.tape.source_of(loss).value().slot}};
  tape::tangents_at(recording.tape, {w.detach()}, {at::ones({3}, at::kDouble)}, roots,
                    [&](OutputIndex place, const Tensor& tangent) {
                      names.push_back(recording.tape.calls()[place.call].op.operator_name().name);
                      last = tangent;
                    });
  EXPECT_EQ(last.item<double>(), 10.0);
  EXPECT_EQ(names, (std::vector<std::string>{"aten::mul", "aten::slice", "aten::mul_", "aten::sum"}));
}

/// Returns the vector-Jacobian product of ones for two weights that `update` writes from gradients in one storage.
template <typename Update>
std::vector<Tensor> pulled_from(const Tensor& bucket, Update&& update, const std::vector<Tensor>& inputs = {}) {
  const Tensor weight = numbers({3}), other = numbers({4});
  Recording recording(tape::Identity::Memory);
  recording.tape.add_input(bucket.narrow(0, 0, 3));
  recording.tape.add_input(bucket.narrow(0, 3, 4));
  {
    const Watching watching(&recording);
    const at::NoGradGuard no_grad;
    update(weight, other);
  }
  return tape::pulled_back(recording.tape, inputs, {weight, other}, {at::ones({3}), at::ones({4})});
}

TEST(Tape, KnowsInputsThatLieInOneMemory) {
  const Tensor bucket = numbers({7});
  const auto pulled = pulled_from(bucket, [&](const Tensor& weight, const Tensor& other) {
    bucket.mul_(2.0);
    weight.sub_(bucket.narrow(0, 0, 3), 0.5);
    other.sub_(bucket.narrow(0, 3, 4), 0.25);
  });
  EXPECT_TRUE(at::equal(pulled[0], at::full({3}, -1.0, at::kDouble)));
  EXPECT_TRUE(at::equal(pulled[1], at::full({4}, -0.5, at::kDouble)));
}

TEST(Tape, OfAnUpdateIsDifferentiatedWhereItIsAskedTo) {
  const Tensor bucket = numbers({7}), elsewhere = numbers({3});
  const auto square = [&](const Tensor& weight, const Tensor& other) {
    const Tensor squares = bucket.square();
    weight.sub_(squares.narrow(0, 0, 3));
    other.sub_(squares.narrow(0, 3, 4));
  };
  const auto pulled = pulled_from(bucket, square, {elsewhere, Tensor()});
  EXPECT_TRUE(at::equal(pulled[0], elsewhere * -2.0));
  EXPECT_TRUE(at::equal(pulled[1], bucket.narrow(0, 3, 4) * -2.0)) << "its own value";
}

INSTANTIATE_TEST_SUITE_P(Tape, TapeOfUpdate, testing::ValuesIn(kUpdates),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace tape_test
}  // namespace ampprof::tape
