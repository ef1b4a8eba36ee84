// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/thread_casts.h"

#include <ATen/record_function.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "amp_core/casts/casts.h"
#include "amp_core/casts/casts_of_level.h"
#include "amp_core/casts/format_hook.h"
#include "amp_core/casts/registered_policy.h"
#include "amp_core/emulation/half_on_cpu.h"
#include "amp_core/levels/properties.h"

namespace amp {
namespace {

std::atomic<int> lenders = 0;
std::atomic<std::uint64_t> generation = 1;

struct CrossThreadCasts {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, std::shared_ptr<const CastTable>> tables;
};

/// Returns the tables that other threads may borrow. Never destroyed: threads may end after static objects have been
/// destroyed.
CrossThreadCasts& lent() {
  static auto* const instance = new CrossThreadCasts();
  return *instance;
}

/// The policy that the last initialize() at O1 enabled. Threads without a policy of their own use this policy.
struct PolicyOfProcess {
  std::mutex mutex;
  const ThreadCasts* owner = nullptr;
  Policy policy;
};

PolicyOfProcess& policy_of_process() {
  static auto* const instance = new PolicyOfProcess();
  return *instance;
}

void share_with_process(const ThreadCasts& owner) {
  const std::lock_guard lock(policy_of_process().mutex);
  policy_of_process().owner = &owner;
  policy_of_process().policy = owner.table->policy();
}

/// Returns whether threads without a policy of their own use the policy of this thread.
bool is_shared_with_process(const ThreadCasts& casts) {
  const std::lock_guard lock(policy_of_process().mutex);
  return policy_of_process().owner == &casts;
}

void take_back(const ThreadCasts& owner) {
  const std::lock_guard lock(policy_of_process().mutex);
  if (policy_of_process().owner == &owner) policy_of_process().owner = nullptr;
}

/// Caches of threads that have ended. Freeing a cached tensor may call Python. An ended thread has no Python state any
/// more, and Python may be shutting down. So a later thread frees the caches.
class CachesOfEndedThreads {
 public:
  void add(CastCache& cache) {
    if (cache.size() == 0) return;
    const std::lock_guard lock(mutex_);
    caches_.push_back(std::move(cache));
  }

  void clear() {
    std::vector<CastCache> ended;
    const std::lock_guard lock(mutex_);
    ended.swap(caches_);
  }

 private:
  std::mutex mutex_;
  std::vector<CastCache> caches_;
};

CachesOfEndedThreads& caches_of_ended_threads() {
  static auto* const caches = new CachesOfEndedThreads;  // never freed: threads may end while the process exits
  return *caches;
}

/// Combines the registrations on this thread with the options of initialize(). The environment overrides both.
Policy policy_of(const Properties& properties) {
  Policy policy = registered_policy().value_or(Policy());
  if (policy.list == Policy().list) policy.list = properties.cast_list;
  const ReducedType asked = properties.patch_torch_functions_type;
  if (asked != Properties().patch_torch_functions_type) policy.low_type = asked;
  if (!properties.recipe.empty()) policy.recipe = properties.recipe;
  add_policy_of_environment(policy);
  return policy;
}

/// Returns the policy for casts and recipes; empty if the level casts no functions and no recipe is set.
std::optional<Policy> policy_in_force(const Properties& properties) {
  if (properties.patch_torch_functions) return policy_of(properties);
  if (properties.has_half_model()) return std::nullopt;
  Policy policy = policy_of(properties);
  if (!policy.has_recipe()) return std::nullopt;
  keep_only_recipes(policy);
  return policy;
}

Policy policy_to_enable() {
  if (!registered_policy()) {
    const std::lock_guard lock(policy_of_process().mutex);
    if (policy_of_process().owner != nullptr) return policy_of_process().policy;
  }
  return policy_of(Properties());
}

/// Registers amp_core's kernels at the first initialize(), whatever the level: LibTorch's kernel tables must not change
/// later, while other threads run ops.
void install_kernels_of_lists() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const char* list : {"apex", "native"}) static_cast<void>(cast_table({.list = list}));
  });
}

void enable(std::shared_ptr<const CastTable> table) {
  ThreadCasts& casts = casts_of_thread();
  caches_of_ended_threads().clear();
  disable_torchscript_autocast();
  emulate_half_on_cpu();
  casts.keys_before = autocast_keys_of_this_thread();
  set_autocast_keys_of_this_thread(available_autocast_keys());
  casts.borrowed_from.reset();
  casts.table = std::move(table);
  lend_casts(casts.table);
  close_registration();
}

void disable(ThreadCasts& casts) {
  take_back(casts);
  casts.cache.clear();
  casts.recompute_cache.clear();
  casts.table = nullptr;
  lend_casts(nullptr);
}

/// Returns the policy that applies in a HalfFunction or similar scope to an op whose own policy is `listed`.
CastPolicy in_scope(CastPolicy scope, CastPolicy listed) {
  if (listed == CastPolicy::MatchSelf || listed == CastPolicy::RefuseLow) return in_place(scope);
  return listed == CastPolicy::Banned && scope != CastPolicy::Fp32 ? listed : scope;
}

std::atomic<bool> opens_regions = false;

/// Tells whether this thread is in an autocast region that the program opened. Python checkpoints and custom_bwd open a
/// region in backward if the autocast keys were on in forward, and amp_core may have set these keys. So a region in
/// backward counts only if the program has opened one outside of backward.
bool in_region_of_program() {
  if (!in_autocast_region()) return false;
  if (!in_backward()) opens_regions.store(true, std::memory_order_relaxed);
  return opens_regions.load(std::memory_order_relaxed);
}

/// Returns whether a table casts functions by a list. Other tables only check types, or only have recipes at O0.
bool casts_functions(const CastTable& table) { return !table.checks_only() && !table.leaves_types_to_program(); }

/// Tells whether the program's own autocast chooses the types: the policy has no list, and autocast is on here.
bool is_left_to_program(const ThreadCasts& casts) {
  return casts.in_force() && casts.table->leaves_types_to_program() && in_region_of_program();
}

}  // namespace

ThreadCasts& casts_of_thread() {
  thread_local ThreadCasts casts;
  return casts;
}

ThreadCasts::~ThreadCasts() {
  caches_of_ended_threads().add(cache);
  caches_of_ended_threads().add(recompute_cache);
  if (is_own()) disable(*this);
  if (borrowed_from) pass_on_casts(nullptr);
}

CastMode ThreadCasts::mode(std::size_t slot) {
  if (!anyone_lends_casts()) return CastMode::CastsOff;
  if (is_left_to_program(*this)) return CastMode::CastsOff;
  if (is_own() && in_force() && !table->has(slot)) return CastMode::Pass;
  if (in_backward() && !casts_apply_in_node()) {
    recompute_cache.clear();
    return CastMode::Pass;
  }
  borrow_or_return();
  if (!in_force() || is_left_to_program(*this)) return CastMode::CastsOff;
  return !table->has(slot) || in_kernel() ? CastMode::Pass : CastMode::Cast;
}

void ThreadCasts::borrow_or_return() {
  if (is_own()) return;
  const bool borrows = anyone_lends_casts() && in_backward() && casts_apply_in_node();
  if (!borrows) {
    if (borrowed_from) pass_on_casts(table = nullptr);
    borrowed_from.reset();
    return;
  }
  const CastLender lender{.thread = thread_of_forward(), .generation = generation_of_cross_thread_casts()};
  if (borrowed_from == lender) return;
  pass_on_casts(table = casts_lent_by(lender.thread));
  borrowed_from = lender;
}

CastCache& ThreadCasts::cache_of_call() {
  if (!in_backward()) return cache;
  const BackwardPosition here = position_in_backward();
  if (here != recompute_position) recompute_cache.clear();
  recompute_position = here;
  return recompute_cache;
}

CastPolicy ThreadCasts::policy_of(std::size_t slot, std::span<const c10::IValue> arguments) const {
  const CastTable::Entry entry = table->at(slot);
  if (scope_policy != CastPolicy::Pass && !table->checks_only() && CastTable::casts(entry)) {
    const bool is_listed = entry.everywhere != CastPolicy::Pass;
    return in_scope(scope_policy, is_listed ? entry.everywhere : table->module_rules(entry).front().policy);
  }
  return policy_in(*table, slot, arguments);
}

void enable_casts_on_this_thread() {
  if (!casts_of_thread().is_own()) enable(cast_table(policy_to_enable()));
}

void enable_casts_on_this_thread(const Policy& policy) {
  if (!casts_of_thread().is_own()) enable(cast_table(policy));
}

bool change_casts_on_this_thread(const Policy& policy) {
  ThreadCasts& casts = casts_of_thread();
  if (!casts.is_own() || !casts_functions(*casts.table)) return false;
  casts.table = cast_table(policy);
  casts.cache.clear();
  lend_casts(casts.table);
  if (is_shared_with_process(casts)) share_with_process(casts);
  return true;
}

bool any_thread_casts() {
  const std::lock_guard lock(lent().mutex);
  return std::ranges::any_of(lent().tables, [](const auto& entry) { return casts_functions(*entry.second); });
}

void enable_type_checks_on_this_thread() {
  if (!casts_of_thread().is_own()) enable(type_check_table());
}

void disable_casts_on_this_thread() {
  ThreadCasts& casts = casts_of_thread();
  reopen_registration();
  if (!casts.is_own()) return;
  set_autocast_keys_of_this_thread(casts.keys_before);
  disable(casts);
}

void check_casts(const Properties& properties) {
  if (casts_of_thread().is_own()) return;
  if (const auto policy = policy_in_force(properties)) cast_table(*policy);
}

void set_up_casts(const Properties& properties) {
  install_kernels_of_lists();
  reset_recipe_state(properties.verbosity > 0);
  if (const auto policy = policy_in_force(properties)) {
    if (!casts_of_thread().is_own()) enable(cast_table(*policy));
    share_with_process(casts_of_thread());
  } else if (properties.has_half_model()) {
    enable_type_checks_on_this_thread();
  } else {
    close_registration();
  }
}

bool casts_enabled() {
  ThreadCasts& casts = casts_of_thread();
  casts.borrow_or_return();
  return casts.in_force() && casts_functions(*casts.table);
}

Policy casts_of_this_thread() {
  casts_of_thread().borrow_or_return();
  const auto& table = casts_of_thread().table;
  return table && !table->checks_only() ? table->policy() : policy_to_enable();
}

void clear_cast_cache() {
  caches_of_ended_threads().clear();
  casts_of_thread().cache.clear();
  casts_of_thread().recompute_cache.clear();
}

DisableCasts::DisableCasts() {
  ThreadCasts& casts = casts_of_thread();
  casts.borrow_or_return();
  were_enabled_ = casts.in_force();
  const AutocastKeys keys = autocast_keys_of_this_thread();
  cpu_key_ = keys.cpu;
  cuda_key_ = keys.cuda;
  if (!were_enabled_) return;
  ++casts.disabled;
  set_autocast_keys_of_this_thread({});
}

DisableCasts::~DisableCasts() {
  if (!were_enabled_) return;
  --casts_of_thread().disabled;
  set_autocast_keys_of_this_thread({cpu_key_, cuda_key_});
}

void pass_on_casts(std::shared_ptr<const CastTable> table) {
  const std::uint64_t thread = at::RecordFunction::currentThreadId();
  const std::lock_guard lock(lent().mutex);
  if (table) {
    lent().tables.insert_or_assign(thread, std::move(table));
  } else {
    lent().tables.erase(thread);
  }
  lenders = static_cast<int>(lent().tables.size());
}

void lend_casts(std::shared_ptr<const CastTable> table) {
  pass_on_casts(std::move(table));
  ++generation;
}

bool anyone_lends_casts() { return lenders.load(std::memory_order_relaxed) != 0; }

std::uint64_t generation_of_cross_thread_casts() { return generation.load(std::memory_order_acquire); }

std::shared_ptr<const CastTable> casts_lent_by(std::uint64_t thread) {
  const std::lock_guard lock(lent().mutex);
  const auto found = lent().tables.find(thread);
  return found == lent().tables.end() ? nullptr : found->second;
}

}  // namespace amp
