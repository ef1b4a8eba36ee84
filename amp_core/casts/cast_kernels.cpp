// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/cast_kernels.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <map>
#include <mutex>
#include <set>
#include <unordered_map>

#include "amp_core/base/listeners.h"
#include "amp_core/casts/autocast_table.h"
#include "amp_core/casts/cast_arguments.h"
#include "amp_core/casts/format_hook.h"
#include "amp_core/casts/module_path.h"
#include "amp_core/casts/thread_casts.h"
#include "amp_core/torch_hooks/boxed_arguments.h"
#include "amp_core/torch_hooks/replaced_kernel.h"

namespace amp {
namespace {

/// If `holds`, disables recipes for calls on this thread in its scope: a recipe that does not support a composite op
/// must not apply to the ops inside it either.
class RecipesDisabledScope {
 public:
  explicit RecipesDisabledScope(bool holds) : holds_(holds) { inside_ += holds_ ? 1 : 0; }
  ~RecipesDisabledScope() { inside_ -= holds_ ? 1 : 0; }
  RecipesDisabledScope(const RecipesDisabledScope&) = delete;
  RecipesDisabledScope& operator=(const RecipesDisabledScope&) = delete;

  static bool any() { return inside_ != 0; }

 private:
  bool holds_;
  static inline thread_local int inside_ = 0;
};

class CastKernel final : public c10::OperatorKernel {
 public:
  CastKernel(ReplacedKernel replaced, std::size_t slot, const c10::FunctionSchema& schema, c10::DispatchKey key)
      : replaced_(std::move(replaced)),
        slot_(slot),
        arguments_(schema),
        device_(key == c10::DispatchKey::AutocastCPU ? at::kCPU : at::kCUDA) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    ThreadCasts& thread = casts_of_thread();
    switch (thread.mode(slot_)) {
      case CastMode::CastsOff:
        return leave_to_program(op, keys, stack);
      case CastMode::Pass:
        return replaced_.redispatch_to_next_key(op, keys, stack);
      case CastMode::Cast:
        return cast(thread, op, keys, stack);
    }
  }

 private:
  void cast(ThreadCasts& thread, const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    const auto arguments = last_values(*stack, arguments_.count);
    const CastPolicy policy = thread.policy_of(slot_, arguments);
    const auto run = is_for_tensor_cores(policy) ? recipe_run(*thread.table, op, arguments) : std::nullopt;
    if (policy == CastPolicy::Pass && !run) {
      const RecipesDisabledScope none(thread.table->at(slot_).has_matmuls);
      return replaced_.redispatch_to_next_key(op, keys, stack);
    }
    run_with({policy, thread.table->low_type(), op, arguments_, thread.cache_of_call()}, run, keys, stack);
  }

  /// Runs a call while the program's own autocast is on. Rules added with add_rules_to_autocast() apply; a call without
  /// a rule runs as in autocast.
  void leave_to_program(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    const CastTable* rules = autocast_rules_for(slot_);
    if (rules == nullptr) return replaced_.call(op, keys, stack);
    const auto arguments = last_values(*stack, arguments_.count);
    CastPolicy policy = policy_in(*rules, slot_, arguments);
    const auto run = is_for_tensor_cores(policy) ? recipe_run(*rules, op, arguments) : std::nullopt;
    if (policy == CastPolicy::Pass && !run) {
      const RecipesDisabledScope none(rules->at(slot_).has_matmuls);
      return replaced_.call(op, keys, stack);
    }
    autocast_rule_decided();
    if (run) policy = CastPolicy::Low;  // as autocast does for every function that recipes support
    CastCache of_this_call;
    run_with({policy, at::autocast::get_autocast_dtype(device_), op, arguments_, of_this_call}, run, keys, stack);
  }

  /// Tells whether a recipe may apply to an op with this policy.
  static bool is_for_tensor_cores(CastPolicy policy) { return policy == CastPolicy::Pass || policy == CastPolicy::Low; }

  std::optional<RecipeCall> recipe_run(const CastTable& table, const c10::OperatorHandle& op,
                                       std::span<const c10::IValue> arguments) const {
    if (!table.plan() || !table.at(slot_).has_matmuls || RecipesDisabledScope::any()) return std::nullopt;
    return table.plan()->run_of({op.schema(), arguments, module_path_of(arguments)});
  }

  void run_with(const CastCall& call, const std::optional<RecipeCall>& run, c10::DispatchKeySet keys,
                torch::jit::Stack* stack) {
    // Runs the op as a whole: calls inside it are not cast.
    const c10::impl::ExcludeDispatchKeyGuard inside(c10::autocast_dispatch_keyset);
    const auto arguments = last_values(*stack, arguments_.count);
    cast_arguments(call, arguments);
    if (run) {
      at::Tensor result = (*run)(arguments);
      tell([&](Listener& listener) { listener.ran_in_recipe(result); });
      torch::jit::drop(*stack, arguments_.count);
      torch::jit::push(*stack, std::move(result));
      return;
    }
    replaced_.redispatch_to_next_key(call.op, keys - c10::autocast_dispatch_keyset, stack);
  }

  ReplacedKernel replaced_;
  std::size_t slot_;
  ArgumentProperties arguments_;
  at::DeviceType device_;
};

/// The slot of each op, and the slots of the ops that have a CastKernel at each dispatch key. Never destroyed: ops may
/// run while the process exits.
struct Slots {
  std::mutex mutex;
  std::unordered_map<c10::OperatorName, std::size_t> slots;
  std::map<c10::DispatchKey, std::set<std::size_t>> installed;
  bool passes_installed = false;

  std::size_t slot_of(const c10::OperatorName& op) { return slots.try_emplace(op, slots.size()).first->second; }
  void install(const c10::OperatorName& op, c10::DispatchKey key);
};

void Slots::install(const c10::OperatorName& name, c10::DispatchKey key) {
  const std::size_t slot = slot_of(name);
  if (!installed[key].insert(slot).second) return;
  const auto op = c10::Dispatcher::singleton().findSchema(name);
  if (op) override_kernel<CastKernel>(*op, key, slot, op->schema(), key);
}

Slots& slots() {
  static auto* const instance = new Slots();
  return *instance;
}

constexpr std::array kKeys{c10::DispatchKey::AutocastCPU, c10::DispatchKey::AutocastCUDA};

}  // namespace

void install_pass_kernels() {
  const std::lock_guard lock(slots().mutex);
  if (std::exchange(slots().passes_installed, true)) return;
  for (const auto key : kKeys) {
    for (const auto& name : c10::Dispatcher::singleton().getRegistrationsForDispatchKey(key)) {
      if (name.name.starts_with("aten::")) slots().install(name, key);
    }
  }
}

std::size_t cast_kernel_slot(const c10::OperatorName& op) {
  const std::lock_guard lock(slots().mutex);
  for (const auto key : kKeys) slots().install(op, key);
  return slots().slot_of(op);
}

}  // namespace amp
