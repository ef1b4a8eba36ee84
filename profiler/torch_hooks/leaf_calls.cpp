// SPDX-License-Identifier: Apache-2.0
#include "profiler/torch_hooks/leaf_calls.h"

#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/SmallVector.h>

#include <chrono>
#include <exception>
#include <optional>
#include <string_view>

#include "profiler/torch_hooks/collective_work.h"
#include "profiler/torch_hooks/guarded.h"
#include "profiler/torch_hooks/observer_key.h"

namespace ampprof::profiler {
namespace {

struct Context {
  const std::vector<LeafObserver*>& observers;
  std::int64_t overhead_ns = 0;
  bool inside_leaf = false;
};

thread_local Context* t_context = nullptr;

/// Sets a variable for the guard's lifetime, then restores it.
template <typename Value>
class [[nodiscard]] Scoped {
 public:
  Scoped(Value& variable, Value value) : variable_(variable), before_(std::exchange(variable, value)) {}
  ~Scoped() { variable_ = before_; }
  Scoped(const Scoped&) = delete;
  Scoped& operator=(const Scoped&) = delete;

 private:
  Value& variable_;
  Value before_;
};

void run_as_one(const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack& stack) {
  const c10::impl::ExcludeDispatchKeyGuard inner_ops_are_part_of_this_one(kObserverKey);
  op.redispatchBoxed(below, &stack);
}

/// Returns whether the call dispatches to a CompositeImplicitAutograd kernel, which only calls other ops above
/// autograd. LibTorch chooses this kernel for an autograd key if no kernel is registered for the key's backend, even if
/// autograd has a formula for the op, as linear and matmul do for nested tensors.
bool is_composite(const c10::OperatorHandle& op, c10::DispatchKeySet below) {
  if (!op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd)) return false;
  const c10::DispatchKey key = (below - c10::autocast_dispatch_keyset).highestPriorityTypeId();
  if (op.hasKernelForDispatchKey(key)) return false;
  if (!c10::isIncludedInAlias(key, c10::DispatchKey::Autograd)) return true;
  return !op.hasKernelForAnyDispatchKey(c10::getBackendKeySetFromAutograd(key)) &&
         !op.hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutograd);
}

/// Returns whether an autocast kernel inserted this op, which is a cast. In a leaf call, only casts by autocast run
/// before the autograd keys are excluded.
bool is_inserted_cast(const c10::OperatorHandle& op) {
  const std::string_view name = op.operator_name().name;
  return (name == "aten::to" || name == "aten::_to_copy") &&
         !c10::impl::tls_is_dispatch_key_excluded(c10::DispatchKey::AutogradFunctionality);
}

/// The object that an observer returned for a leaf call, and the message if the observer threw.
struct Observed {
  std::unique_ptr<LeafCall> call{};
  std::optional<std::string> failure{};
};

template <typename Work>
void do_own_work(Context& context, Observed& observed, Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  try {
    fail_if_asked(FaultPlace::Replay);
    work();
  } catch (const std::exception& error) {
    observed.failure = message_of(error);
  }
  const std::chrono::nanoseconds taken = std::chrono::steady_clock::now() - start;
  context.overhead_ns += taken.count();
}

void run_leaf(Context& context, const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack& stack) {
  c10::SmallVector<Observed, 4> observed;
  observed.resize(context.observers.size());
  for (std::size_t i = 0; i < observed.size(); ++i) {
    do_own_work(context, observed[i], [&] { observed[i].call = context.observers[i]->before(op, stack); });
  }
  if (keeps_its_work(op)) {
    run_for_works(op, below, stack);
  } else if (below.has_any(c10::autocast_dispatch_keyset)) {
    const Scoped leaf(context.inside_leaf, true);
    op.redispatchBoxed(below, &stack);
  } else {
    run_as_one(op, below, stack);
  }
  const auto results = torch::jit::last(stack, op.schema().returns().size());
  for (std::size_t i = 0; i < observed.size(); ++i) {
    if (observed[i].call) do_own_work(context, observed[i], [&] { observed[i].call->after(results); });
    if (!observed[i].failure) continue;
    guarded(FaultPlace::Replay, [&] { context.observers[i]->failed(op, *observed[i].failure, results); });
  }
}

void run(Context& context, const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack& stack) {
  if (context.inside_leaf && !is_inserted_cast(op)) return run_as_one(op, below, stack);
  const Scoped leaf(context.inside_leaf, false);
  if (!is_composite(op, below)) return run_leaf(context, op, below, stack);
  op.redispatchBoxed(below, &stack);
}

}  // namespace

std::int64_t run_in_leaves(const std::vector<LeafObserver*>& observers, const c10::OperatorHandle& op,
                           c10::DispatchKeySet below, torch::jit::Stack& stack) {
  Context context{observers};
  const Scoped inside(t_context, &context);
  run(context, op, below, stack);
  return context.overhead_ns;
}

bool is_inside_leaves() { return t_context != nullptr; }

void run_inner(const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack& stack) {
  run(*t_context, op, below, stack);
}

}  // namespace ampprof::profiler
