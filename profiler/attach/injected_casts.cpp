// SPDX-License-Identifier: Apache-2.0
#include "profiler/attach/injected_casts.h"

#include <torch/types.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "amp_core/casts/autocast_rules.h"
#include "amp_core/casts/casts.h"
#include "amp_core/casts/module_path.h"
#include "amp_core/policy/cast_list.h"
#include "amp_core/torch_hooks/version.h"
#include "profiler/torch_hooks/guarded.h"
#include "profiler/observer/session.h"

namespace ampprof::profiler {
namespace {

std::optional<amp::Policy> g_injected;  // set once, before the program runs
thread_local std::vector<std::unique_ptr<amp::DisableCasts>> t_optimizers;

std::string module_making_call(std::span<const c10::IValue> arguments) {
  std::string module;
  guarded(FaultPlace::ModuleOfCast, [&] {
    Session* session = Session::current();
    if (session == nullptr) return;
    module = session->modules().path_making_call(c10::ArrayRef<c10::IValue>(arguments.data(), arguments.size()));
  });
  return module;
}

/// What a program that did not ask for O1 is spared: functions that O1 refuses, and those that Apex's list is too old
/// to know and LibTorch's own autocast runs in FP32 (huber_loss, cdist), or in the widest type of their operands
/// (vdot). The user's own rules come later, and win.
void spare_what_would_fail(amp::Policy& policy) {
  const amp::CastList list = amp::list_named(policy.list).for_torch(amp::kTorchMinor);
  const amp::CastList native = amp::list_named("native").for_torch(amp::kTorchMinor);
  std::vector<amp::CastRule> rules;
  for (const std::string& name : list.names()) {
    if (list.find(amp::op_name_from(name)) == amp::CastPolicy::Banned) rules.push_back({name, amp::CastPolicy::Fp32});
  }
  for (const std::string& name : native.names()) {
    const amp::OpName op = amp::op_name_from(name);
    const auto policy_there = native.find(op);
    const bool widens = policy_there == amp::CastPolicy::Fp32 || policy_there == amp::CastPolicy::Promote;
    if (widens && !list.find(op)) rules.push_back({name, *policy_there});
  }
  policy.rules.insert(policy.rules.begin(), rules.begin(), rules.end());
}

}  // namespace

void inject_casts(const preload::Stub& stub, bool casts_functions) {
  try {
    g_injected = amp::casts_of_this_thread();
    (casts_functions ? spare_what_would_fail : amp::leave_recipe_alone)(*g_injected);
    amp::set_module_path_source(module_making_call);
    amp::enable_casts_on_this_thread(*g_injected);
  } catch (const std::exception& error) {
    g_injected.reset();
    std::fprintf(stderr, "ampprof: %s is not injected, so the program runs in its own types: %s\n",
                 casts_functions ? "O1" : "the recipe", error.what());
    stub.note("no-casts", error.what());
  }
}

void inject_rules(const preload::Stub& stub) {
  try {
    amp::set_module_path_source(module_making_call);
    amp::add_rules_to_autocast(amp::casts_of_this_thread());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ampprof: the policy does not count: %s\n", error.what());
    stub.note("no-casts", error.what());
  }
}

void enable_injected_casts_on_this_thread() {
  if (g_injected) amp::enable_casts_on_this_thread(*g_injected);
}

void optimizer_begins_without_casts(preload::OptimizerStepKind kind) {
  if (!g_injected) return;
  const bool runs_forward = kind == preload::OptimizerStepKind::CallsClosure;
  t_optimizers.push_back(runs_forward ? nullptr : std::make_unique<amp::DisableCasts>());
}

void optimizer_ends_without_casts() {
  if (!t_optimizers.empty()) t_optimizers.pop_back();
}

}  // namespace ampprof::profiler
