// SPDX-License-Identifier: Apache-2.0
#include "profiler/torch_hooks/followed_call.h"

#include <c10/core/impl/LocalDispatchKeySet.h>

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "precision/replay/variant/shadow.h"
#include "precision/replay/tape/tape.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "profiler/recorder/guarded.h"
#include "profiler/torch_hooks/collective_work.h"
#include "profiler/torch_hooks/observer_key.h"

namespace ampprof::profiler {
namespace {

struct Context {
  Followers followers;
  Missed missed;
  Followed followed{};
  bool inside_leaf = false;
};

thread_local Context* t_context = nullptr;

/// Sets a variable while it lives.
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

/// Whether the call computes nothing itself, but calls other ops above autograd. LibTorch chooses the composite kernel
/// for an autograd key where nothing is registered for its backend, even where autograd has a formula: linear and
/// matmul have one, for nested tensors.
bool is_composite(const c10::OperatorHandle& op, c10::DispatchKeySet below) {
  if (!op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd)) return false;
  const c10::DispatchKey key = (below - c10::autocast_dispatch_keyset).highestPriorityTypeId();
  if (op.hasKernelForDispatchKey(key)) return false;
  if (!c10::isIncludedInAlias(key, c10::DispatchKey::Autograd)) return true;
  return !op.hasKernelForAnyDispatchKey(c10::getBackendKeySetFromAutograd(key)) &&
         !op.hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutograd);
}

/// Inside a leaf call, autograd is excluded once the kernel has begun; before that there are only autocast's casts.
bool is_inserted_cast(const c10::OperatorHandle& op) {
  const std::string_view name = op.operator_name().name;
  return (name == "aten::to" || name == "aten::_to_copy") &&
         !c10::impl::tls_is_dispatch_key_excluded(c10::DispatchKey::AutogradFunctionality);
}

void note_if_missing(Context& context, const c10::OperatorHandle& op, const reference::Replay& again) {
  if (again.outcome == reference::ReplayOutcome::Ran) ++context.followed.leaves;
  const bool is_lost = again.outcome == reference::ReplayOutcome::Unsupported ||
                       again.outcome == reference::ReplayOutcome::Failed ||
                       again.outcome == reference::ReplayOutcome::Random;
  if (is_lost && !again.reason.empty()) context.missed(op, again.reason);
}

/// What the shadow does around a call is ours: its time does not count, and its exceptions are not the program's.
/// Returns whether there was none.
template <typename Work>
bool do_own_work(Context& context, const c10::OperatorHandle& op, Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  bool is_done = false;
  try {
    fail_if_asked(FaultPlace::Shadow);
    work();
    is_done = true;
  } catch (const std::exception& error) {
    guarded(FaultPlace::Shadow, [&] { context.missed(op, message_of(error)); });
  }
  const std::chrono::nanoseconds taken = std::chrono::steady_clock::now() - start;
  context.followed.overhead_ns += taken.count();
  return is_done;
}

/// What a follower wants of a leaf call before it runs.
struct Prepared {
  std::optional<reference::SavedCall> by_shadow{};
  std::vector<c10::IValue> shown{};
};

Prepared prepare(Context& context, const Follower& follower, const c10::OperatorHandle& op,
                 const torch::jit::Stack& stack) {
  const auto& [shadow, products] = follower;
  Prepared prepared;
  if (shadow != nullptr) {
    do_own_work(context, op, [&] { prepared.by_shadow = shadow->prepare(op, stack); });
  } else if (products != nullptr && products->wants(op)) {
    prepared.shown = torch::jit::last(stack, op.schema().arguments().size()).vec();
  }
  return prepared;
}

/// Lets them be seen on the program's own operands.
void show(shadow::OtherProducts& products, const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
          c10::ArrayRef<c10::IValue> results) {
  const tensors::ObserverDisabledGuard guard;
  std::vector<at::Tensor> outputs = reference::tensors_in(results);
  products.replace(op, arguments, arguments, results, outputs);
}

void follow(Context& context, const Follower& follower, const c10::OperatorHandle& op, Prepared& prepared,
            c10::ArrayRef<c10::IValue> results) {
  const auto& [shadow, products] = follower;
  if (!prepared.shown.empty()) {
    do_own_work(context, op, [&] { show(*products, op, prepared.shown, results); });
  }
  if (shadow == nullptr) return;
  const bool is_followed =
      prepared.by_shadow && do_own_work(context, op, [&] {
        note_if_missing(context, op, shadow->follow(op, std::move(*prepared.by_shadow), results, products));
      });
  if (!is_followed) guarded(FaultPlace::Shadow, [&] { shadow->lose(results); });
}

void run_leaf(Context& context, const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack& stack) {
  const auto& [followers, taper] = context.followers;
  c10::SmallVector<Prepared, 4> prepared;
  std::optional<tape::TapedCall> taped;
  for (const Follower& follower : followers) prepared.push_back(prepare(context, follower, op, stack));
  if (taper != nullptr) do_own_work(context, op, [&] { taped = taper->prepare(op, stack); });
  if (keeps_its_work(op)) {
    context.followed.works = run_for_works(op, below, stack);
  } else if (below.has_any(c10::autocast_dispatch_keyset)) {
    const Scoped leaf(context.inside_leaf, true);
    op.redispatchBoxed(below, &stack);
  } else {
    run_as_one(op, below, stack);
  }
  const auto results = torch::jit::last(stack, op.schema().returns().size());
  if (taped) do_own_work(context, op, [&] { taper->add(std::move(*taped), results); });
  for (std::size_t i = 0; i < followers.size(); ++i) follow(context, followers[i], op, prepared[i], results);
}

void run(Context& context, const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack& stack) {
  if (context.inside_leaf && !is_inserted_cast(op)) return run_as_one(op, below, stack);
  const Scoped leaf(context.inside_leaf, false);
  if (!is_composite(op, below)) return run_leaf(context, op, below, stack);
  op.redispatchBoxed(below, &stack);
}

}  // namespace

Followed run_followed(Followers followers, Missed missed, const c10::OperatorHandle& op, c10::DispatchKeySet below,
                      torch::jit::Stack& stack) {
  Context context{std::move(followers), missed};
  const Scoped inside(t_context, &context);
  run(context, op, below, stack);
  return context.followed;
}

bool inside_followed_call() { return t_context != nullptr; }

void run_inner(const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack& stack) {
  run(*t_context, op, below, stack);
}

}  // namespace ampprof::profiler
