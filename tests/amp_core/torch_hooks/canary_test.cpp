// SPDX-License-Identifier: Apache-2.0
// Canaries for LibTorch internals that amp_core relies on. A failure names the broken assumption and the file that
// relies on it.
#include <ATen/SavedTensorHooks.h>
#include <ATen/autocast_mode.h>
#include <ATen/record_function.h>
#include <gtest/gtest.h>
#include <torch/jit.h>
#include <torch/library.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/optim.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <cmath>
#include <thread>

#include "amp_core/emulation/half_on_cpu.h"
#include "amp_core/policy/apex_list.h"
#include "amp_core/policy/cast_list.h"
#include "amp_core/policy/function_names.h"
#include "amp_core/torch_hooks/autocast_keys.h"
#include "amp_core/torch_hooks/boxed_arguments.h"
#include "amp_core/torch_hooks/recompute.h"
#include "amp_core/torch_hooks/replaced_kernel.h"

namespace amp {
namespace canary_test {

at::Tensor twice(const at::Tensor& x) { return x * 2; }
at::Tensor autocast_twice(const at::Tensor& x) { return x * 20; }

TORCH_LIBRARY(amp_canary, library) {
  library.def("twice(Tensor x) -> Tensor");
  library.def("without_autocast(Tensor x) -> Tensor");
}
TORCH_LIBRARY_IMPL(amp_canary, CPU, library) {
  library.impl("twice", twice);
  library.impl("without_autocast", twice);
}
TORCH_LIBRARY_IMPL(amp_canary, AutocastCPU, library) { library.impl("twice", autocast_twice); }

c10::OperatorHandle op_called(const char* name) { return c10::Dispatcher::singleton().findSchemaOrThrow(name, ""); }

at::Tensor call(const char* name, const at::Tensor& x) {
  torch::jit::Stack stack{x};
  op_called(name).callBoxed(stack);
  return stack.front().toTensor();
}

/// Replaces a kernel and adds 1 to the result of the replaced kernel.
class PlusOne final : public c10::OperatorKernel {
 public:
  explicit PlusOne(ReplacedKernel replaced) : replaced_(std::move(replaced)) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    replaced_.call(op, keys, stack);
    stack->front() = stack->front().toTensor() + 1;
  }

 private:
  ReplacedKernel replaced_;
};

struct WithAutocast {
  WithAutocast() { set_autocast_keys_of_this_thread({true, false}); }
  ~WithAutocast() { set_autocast_keys_of_this_thread({}); }
  WithAutocast(const WithAutocast&) = delete;
  WithAutocast& operator=(const WithAutocast&) = delete;
};

struct CountWarnings : c10::WarningHandler {
  void process(const c10::Warning&) override { ++count; }
  int count = 0;
};

TEST(Canary, AKernelCanBeReplacedAndTheReplacedOneStillRuns) {
  CountWarnings handler;
  const c10::WarningUtils::WarningHandlerGuard guard(&handler);
  const c10::WarningUtils::WarnAlways always;
  override_kernel<PlusOne>(op_called("amp_canary::twice"), c10::DispatchKey::CPU);
  override_kernel<PlusOne>(op_called("amp_canary::twice"), c10::DispatchKey::AutocastCPU);
  override_kernel<PlusOne>(op_called("amp_canary::without_autocast"), c10::DispatchKey::AutocastCPU);
  const at::Tensor x = torch::ones({});
  EXPECT_EQ(call("amp_canary::twice", x).item<int>(), 3) << "torch_hooks/replaced_kernel: a backend key";
  const WithAutocast on;
  EXPECT_EQ(call("amp_canary::twice", x).item<int>(), 21) << "torch_hooks/replaced_kernel: a kernel at AutocastCPU";
  EXPECT_EQ(call("amp_canary::without_autocast", x).item<int>(), 3)
      << "torch_hooks/replaced_kernel: AutocastCPU without a kernel falls through to the next key";
  EXPECT_EQ(handler.count, 0) << "torch_hooks/replaced_kernel: the warning about overriding was not silenced";
  EXPECT_EQ(c10::WarningUtils::get_warning_handler(), &handler) << "the user's warning handler was not restored";
}

TEST(Canary, BackwardIsKnownByItsCurrentNode) {
  EXPECT_FALSE(in_backward());
  bool inside = false;
  const at::Tensor x = torch::ones({2}).requires_grad_();
  const at::Tensor y = x * 2;
  y.register_hook([&](const at::Tensor& gradient) {
    inside = in_backward();
    return gradient;
  });
  y.sum().backward();
  EXPECT_TRUE(inside) << "torch_hooks/autocast_keys: get_current_node() is null in backward: casts would run there";
  EXPECT_FALSE(in_backward()) << "torch_hooks/autocast_keys: get_current_node() stays set after backward";
}

/// Returns the two results of recomputes_forward() inside the backward node of x * 2: in the node's own grad mode, and
/// with gradients enabled.
std::pair<bool, bool> recomputes_in_node(bool retain_graph, bool create_graph) {
  std::pair<bool, bool> seen{true, false};
  const at::Tensor x = torch::ones({2}).requires_grad_();
  const at::Tensor y = x * 2;
  y.register_hook([&](const at::Tensor&) {
    seen.first = recomputes_forward();
    const at::AutoGradMode records_gradients(true);
    seen.second = recomputes_forward();
  });
  y.sum().backward({}, retain_graph, create_graph);
  return seen;
}

TEST(Canary, RecomputationIsKnownByGradientsThatThePassDoesNotRecord) {
  using Seen = std::pair<bool, bool>;
  EXPECT_FALSE(recomputes_forward());
  EXPECT_EQ(recomputes_in_node(false, false), Seen(false, true)) << "torch_hooks/recompute: the node's grad mode";
  EXPECT_EQ(recomputes_in_node(true, false), Seen(false, true)) << "torch_hooks/recompute: retain_graph";
  EXPECT_EQ(recomputes_in_node(true, true), Seen(false, false)) << "torch_hooks/recompute: create_graph is not seen";
  EXPECT_EQ(recomputes_in_node(false, true), Seen(false, false)) << "torch_hooks/recompute: create_graph is not seen";
  EXPECT_EQ(recomputes_in_node(false, false), Seen(false, true)) << "torch_hooks/recompute: passes are mixed up";
}

TEST(Canary, APassInsideANodeHasModesOfItsOwn) {
  std::vector<bool> seen;
  const at::Tensor x = torch::ones({2}).requires_grad_();
  const at::Tensor y = x * 2;
  y.register_hook([&](const at::Tensor&) {
    const BackwardPosition outer = position_in_backward();
    const at::AutoGradMode records_gradients(true);
    const at::Tensor inner = torch::ones({2}).requires_grad_() * 2;
    inner.register_hook([&](const at::Tensor&) {
      seen.push_back(recomputes_forward());
      EXPECT_NE(position_in_backward().pass, outer.pass) << "torch_hooks/recompute: a pass inside has no number";
      EXPECT_NE(position_in_backward().node, outer.node) << "torch_hooks/recompute: a pass inside has no node";
    });
    inner.sum().backward();
    EXPECT_EQ(position_in_backward(), outer) << "torch_hooks/recompute: the place is not restored";
    seen.push_back(recomputes_forward());
  });
  y.sum().backward();
  EXPECT_EQ(seen, (std::vector<bool>{false, true})) << "torch_hooks/recompute: a pass inside a recomputation";
}

/// Hooks for saved tensors. The tests only count them.
struct SavedTensorHooks {
  SavedTensorHooks() {
    at::SavedTensorDefaultHooks::lazy_initialize();
    at::SavedTensorDefaultHooks::push_hooks({nullptr, nullptr}, {nullptr, nullptr});
  }
  ~SavedTensorHooks() { at::SavedTensorDefaultHooks::pop_hooks(); }
  SavedTensorHooks(const SavedTensorHooks&) = delete;
  SavedTensorHooks& operator=(const SavedTensorHooks&) = delete;
};

TEST(Canary, HooksForSavedTensorsBelongToThePassOrToTheNodesOwnCode) {
  std::vector<bool> seen;
  const at::Tensor x = torch::ones({2}).requires_grad_();
  for (const bool around_backward : {false, true}) {
    const at::Tensor y = x.sum();
    y.register_hook([&](const at::Tensor&) {
      seen.push_back(recomputes_forward());
      const SavedTensorHooks of_the_node;
      seen.push_back(recomputes_forward());
    });
    const auto of_the_caller = around_backward ? std::make_unique<SavedTensorHooks>() : nullptr;
    y.backward({}, /*retain_graph=*/false, /*create_graph=*/true);
  }
  EXPECT_EQ(seen, (std::vector<bool>{false, true, false, true})) << "torch_hooks/recompute: hooks are not told apart";
}

TEST(Canary, ANodeKnowsTheThreadOfItsForward) {
  const at::Tensor x = torch::ones({2}).requires_grad_();
  std::uint64_t recorded_by = 0;
  std::uint64_t seen = 0;
  at::Tensor y;
  std::thread([&] {
    y = x * 2;
    recorded_by = at::RecordFunction::currentThreadId();
  }).join();
  y.register_hook([&](const at::Tensor&) { seen = thread_of_forward(); });
  y.sum().backward();
  EXPECT_EQ(seen, recorded_by) << "torch_hooks/recompute: threads that recompute would not find their casts";
  EXPECT_NE(seen, at::RecordFunction::currentThreadId());
}

TEST(Canary, AutocastTellsHowDeepItsRegionsAreNested) {
  EXPECT_FALSE(in_autocast_region()) << "torch_hooks/autocast_keys: regions";
  EXPECT_EQ(at::autocast::increment_nesting(), 1) << "torch_hooks/autocast_keys: regions";
  EXPECT_TRUE(in_autocast_region()) << "torch_hooks/autocast_keys: regions";
  EXPECT_EQ(at::autocast::decrement_nesting(), 0) << "torch_hooks/autocast_keys: regions";
}

at::Tensor note_in_kernel(const at::Tensor& x) { return torch::full_like(x, in_kernel() ? 1 : 0); }

TORCH_LIBRARY_FRAGMENT(amp_canary, library) { library.def("inside(Tensor x) -> Tensor"); }
TORCH_LIBRARY_IMPL(amp_canary, CPU, library) { library.impl("inside", note_in_kernel); }
TORCH_LIBRARY_IMPL(amp_canary, Autograd, library) {
  library.impl("inside", [](const at::Tensor& x) {
    const at::AutoDispatchBelowADInplaceOrView guard;
    return call("amp_canary::inside", x);
  });
}

TEST(Canary, TheInsideOfAKernelIsKnownByAutogradsExcludedKeys) {
  const at::Tensor x = torch::ones({});
  EXPECT_FALSE(in_kernel());
  EXPECT_EQ(call("amp_canary::inside", x).item<int>(), 1)
      << "torch_hooks/autocast_keys: calls that LibTorch makes inside its kernels would be cast";
  const torch::NoGradGuard no_grad;
  EXPECT_FALSE(in_kernel()) << "torch_hooks/autocast_keys: nothing would be cast without gradients";
  const torch::InferenceMode inference;
  EXPECT_FALSE(in_kernel()) << "torch_hooks/autocast_keys: nothing would be cast in inference mode";
}

TEST(Canary, AnInPlaceUpdateRaisesTheVersion) {
  const at::Tensor x = torch::ones({2}).requires_grad_();
  const auto version = x._version();
  {
    const torch::NoGradGuard no_grad;
    x.add_(1);
  }
  EXPECT_NE(x._version(), version) << "casts/cast_cache: a changed weight would be served stale";
}

TEST(Canary, SetDataMayChangeTheTypeOfALeaf) {
  const at::Tensor x = torch::ones({2}).requires_grad_();
  (x * 2).sum().backward();
  x.mutable_grad() = at::Tensor();
  x.set_data(x.detach().to(torch::kHalf));
  (x * 2).sum().backward();
  EXPECT_EQ(x.grad().scalar_type(), torch::kHalf) << "engine/model_cast: gradients keep the old type";
}

TEST(Canary, UnscalingMultipliesAndReportsWhatIsNotFinite) {
  for (const float bad : {1.0F, INFINITY, NAN}) {
    const std::vector<at::Tensor> gradients{torch::tensor({8.0F, bad}), torch::tensor({2.0F})};
    at::Tensor found = torch::zeros({1});
    at::_amp_foreach_non_finite_check_and_unscale_(gradients, found, torch::full({1}, 0.25));
    EXPECT_EQ(found.item<float>(), std::isfinite(bad) ? 0.0F : 1.0F) << "engine/gradients: " << bad;
    EXPECT_EQ(gradients[1].item<float>(), 0.5F) << "engine/gradients: gradients are not unscaled";
  }
}

TEST(Canary, OptimizersKeyTheirStateByTensorAndPassOverUndefinedGradients) {
  const at::Tensor with = torch::ones({2}).requires_grad_();
  const at::Tensor without = torch::ones({2}).requires_grad_();
  torch::optim::Adam optimizer({with, without}, torch::optim::AdamOptions(0.1));
  with.mutable_grad() = torch::ones({2});
  optimizer.step();
  EXPECT_TRUE(optimizer.state().count(with.unsafeGetTensorImpl()) == 1) << "engine/optimizer_state: re-keying";
  EXPECT_FALSE(optimizer.state().count(without.unsafeGetTensorImpl()) == 1);
  EXPECT_TRUE(at::equal(without, torch::ones({2}))) << "engine/gradients: dropped gradients do not skip a parameter";
}

TEST(Canary, SchemasSayWhatAnOpWrites) {
  auto& dispatcher = c10::Dispatcher::singleton();
  const auto& out = dispatcher.findSchemaOrThrow("aten::mm", "out").schema().arguments().back();
  ASSERT_NE(out.alias_info(), nullptr);
  EXPECT_TRUE(out.alias_info()->isWrite() && out.is_out()) << "emulation/half_on_cpu: out arguments";
  const auto& self = dispatcher.findSchemaOrThrow("aten::addmm_", "").schema().arguments().front();
  EXPECT_TRUE(self.alias_info()->isWrite() && !self.is_out()) << "emulation/half_on_cpu: in-place arguments";
}

TEST(Canary, EveryEmulatedOpExists) { EXPECT_NO_THROW(emulate_half_on_cpu()) << "emulation/half_ops: kSlow"; }

TORCH_LIBRARY_FRAGMENT(amp_canary, library) {
  library.def("composite(Tensor x) -> Tensor");
  library.impl("composite", [](const at::Tensor& x) { return x * x; });  // for all devices; differentiable
}

TEST(Canary, TheKernelOfACompositeOpCanBeReplacedAndStaysDifferentiable) {
  override_composite_kernel<PlusOne>(op_called("amp_canary::composite"));
  const at::Tensor x = torch::full({}, 3.0).requires_grad_();
  const at::Tensor y = call("amp_canary::composite", x);
  EXPECT_EQ(y.item<double>(), 10.0) << "torch_hooks/replaced_kernel: a composite op";
  y.backward();
  EXPECT_EQ(x.grad().item<double>(), 6.0) << "torch_hooks/replaced_kernel: a composite op lost its gradient";
}

/// Records the running mean that the replaced batch norm receives.
class NoteRunningMean final : public c10::OperatorKernel {
 public:
  NoteRunningMean(ReplacedKernel replaced, at::Tensor* seen) : replaced_(std::move(replaced)), seen_(seen) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    *seen_ = last_values(*stack, 9)[3].toTensor();
    replaced_.call(op, keys, stack);
  }

 private:
  ReplacedKernel replaced_;
  at::Tensor* seen_;
};

TEST(Canary, ABatchNormLayerCallsACompositeOpWithItsOwnRunningMean) {
  static at::Tensor seen;  // must live as long as the kernel
  override_composite_kernel<NoteRunningMean>(op_called("aten::batch_norm"), &seen);
  torch::nn::BatchNorm1d layer(2);
  const at::Tensor y = layer->forward(torch::ones({3, 2}));
  EXPECT_TRUE(seen.is_same(layer->running_mean)) << "parallel/convert_sync_batch_norm: layers are not recognized";
  EXPECT_TRUE(y.requires_grad()) << "parallel/convert_sync_batch_norm: others lose their gradients";
  seen = at::Tensor();
}

TEST(Canary, EveryNameOfTheCastListIsAnOp) {
  std::set<std::string> known;
  for (const auto& name : c10::Dispatcher::singleton().getAllOpNames()) known.insert(name.name);
  for (const auto& name : CastList(kApexList).names()) {
    EXPECT_TRUE(known.contains("aten::" + op_name_from(name).base)) << "policy/apex_list: " << name << " is gone";
  }
  for (const auto& function : function_names()) {
    for (const auto& op : operators_of(function)) {
      EXPECT_TRUE(known.contains("aten::" + op)) << "policy/function_names: " << op << " of " << function << " is gone";
    }
  }
}

TEST(Canary, ListsOnTheStackAreReplacedNotChanged) {
  const c10::List<at::Tensor> list({torch::zeros({}), torch::zeros({})});
  c10::IValue value = list;
  change_tensors(value, [](const at::Tensor& tensor) { return tensor + 1; });
  EXPECT_EQ(value.toTensorVector().at(1).item<int>(), 1);
  EXPECT_EQ(list.get(1).item<int>(), 0) << "torch_hooks/boxed_arguments: the caller's list was changed";
}

}  // namespace canary_test
}  // namespace amp
