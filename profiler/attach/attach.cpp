// SPDX-License-Identifier: Apache-2.0
// The functions that the preload stub calls once LibTorch is in the process.

#include <ATen/Context.h>
#include <torch/types.h>
#include <torch/utils.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <future>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "amp_core/casts/autocast_rules.h"
#include "amp_core/casts/cast_table.h"
#include "amp_core/casts/casts.h"
#include "amp_core/casts/module_path.h"
#include "amp_core/levels/level.h"
#include "amp_core/policy/cast_list.h"
#include "amp_core/policy/spared_functions.h"
#include "amp_core/torch_hooks/version.h"
#include "precision/replay/reference/skipped.h"
#include "precision/replay/tape/replay.h"
#include "precision/torch_hooks/tensor_memory.h"
#include "profiler/attach/compiled_region.h"
#include "profiler/attach/role.h"
#include "profiler/calls/thread_state.h"
#include "profiler/gradient_impact/gradient_replays.h"
#include "profiler/observer/session.h"
#include "profiler/preload/hooks.h"
#include "profiler/torch_hooks/backward_pass.h"
#include "profiler/torch_hooks/guarded.h"
#include "profiler/torch_hooks/torch_state.h"

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

/// Prepends rules that keep O1 from failing in a program that did not request O1. The user's rules follow and override
/// them.
void allow_ops_that_o1_refuses(amp::Policy& policy) {
  auto rules = amp::rules_against_errors(amp::list_named(policy.list), amp::kTorchMinor);
  std::erase_if(rules, [](const amp::CastRule& rule) { return !amp::op_exists(rule); });
  policy.rules.insert(policy.rules.begin(), rules.begin(), rules.end());
}

/// Chooses casts by the rules of the file in AMP_POLICY, if set, and the recipe in AMP_RECIPE. Ops that O1 refuses run
/// in FP32 here, because the program did not request O1. If `casts_functions` is false, only the recipe applies, and
/// all other functions keep their types. Reports an unusable policy to the stub.
void inject_casts(const preload::Stub& stub, bool casts_functions) {
  try {
    g_injected = amp::casts_of_this_thread();
    (casts_functions ? allow_ops_that_o1_refuses : amp::keep_only_recipes)(*g_injected);
    amp::enable_casts_on_this_thread(*g_injected);
  } catch (const std::exception& error) {
    g_injected.reset();
    std::fprintf(stderr, "ampprof: %s is not applied, so the program runs in its own types: %s\n",
                 casts_functions ? "O1" : "the recipe", error.what());
    stub.note("no-casts", error.what());
  }
}

/// Applies the rules of the file in AMP_POLICY while the program's own autocast is on. Reports an unusable policy to
/// the stub.
void inject_rules(const preload::Stub& stub) {
  try {
    amp::add_rules_to_autocast(amp::casts_of_this_thread());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ampprof: the policy is not applied: %s\n", error.what());
    stub.note("no-casts", error.what());
  }
}

void enable_injected_casts_on_this_thread() {
  if (g_injected) amp::enable_casts_on_this_thread(*g_injected);
}

/// Disables casts during an optimizer's step, unless the step runs forward and backward in a closure. Steps may nest on
/// one thread.
void optimizer_begins_without_casts(preload::OptimizerStepKind kind) {
  if (!g_injected) return;
  const bool runs_forward = kind == preload::OptimizerStepKind::CallsClosure;
  t_optimizers.push_back(runs_forward ? nullptr : std::make_unique<amp::DisableCasts>());
}

void optimizer_ends_without_casts() {
  if (!t_optimizers.empty()) t_optimizers.pop_back();
}

template <typename Use>
void with_session(FaultPlace place, Use&& use, Session* (*find)() = Session::current) {
  guarded(place, [&] {
    if (Session* session = find()) use(*session);
  });
}

void start_thread() {
  guarded(FaultPlace::ThreadHook, [] {
    if (!is_role_open()) return;
    observe_this_thread();
    enable_injected_casts_on_this_thread();
  });
}

// Returns the identity of a scope that has a name but no module. The identity is odd, so that it is neither null (the
// root's name is 0) nor the address of a module.
const void* identity_of(std::int64_t name) { return reinterpret_cast<const void*>(2 * name + 1); }

void* begin_backward(const void* roots, bool accumulates) {
  PassScope* scope = nullptr;
  if (tape::is_replaying()) return scope;
  with_session(FaultPlace::BeginBackward, [&](Session& s) {
    s.steps().backward_begins();
    const std::vector<BackwardRoot> where = roots_of(roots);
    auto pass = std::make_shared<BackwardPass>(s.passes().begin(where, accumulates));
    if (GradientReplays* steps = s.core().gradient_replays.get()) steps->backward_begun(where, *pass);
    scope = new PassScope(std::move(pass));
  });
  return scope;
}

void end_backward(void* begun) {
  const std::unique_ptr<PassScope> scope(static_cast<PassScope*>(begun));
  with_session(FaultPlace::EndBackward, [&](Session& s) {
    s.passes().end(*current_pass());
    if (GradientReplays* steps = s.core().gradient_replays.get()) steps->backward_ended(*current_pass());
  });
}

/// Returns the tensors at these addresses. Null becomes an undefined tensor.
std::vector<at::Tensor> tensors_at(void* const* impls, std::size_t count) {
  std::vector<at::Tensor> tensors;
  tensors.reserve(count);
  for (void* impl : std::span(impls, count)) {
    tensors.push_back(impl == nullptr ? at::Tensor()
                                      : at::Tensor(torch_hooks::another_owner_of(static_cast<c10::TensorImpl*>(impl))));
  }
  return tensors;
}

void* begin_region(const char* name, void* const* inputs, std::size_t count) {
  std::unique_ptr<RegionCall> call;
  with_session(
      FaultPlace::CompiledRegion,
      [&](Session& session) { call = RegionCall::begin(session, name, tensors_at(inputs, count)); }, session_for_op);
  return call.release();
}

preload::ComparedIn compared_in(const void* call, const char* functions) {
  auto compared = preload::ComparedIn::Nothing;
  guarded(FaultPlace::CompiledRegion, [&] {
    const auto type = static_cast<const RegionCall*>(call)->compared_in(functions);
    if (type) compared = *type == at::kDouble ? preload::ComparedIn::Fp64 : preload::ComparedIn::Fp32;
  });
  return compared;
}

bool end_region(void* begun, void* const* results, void* const* references, std::size_t count, const char* why_not) {
  const std::unique_ptr<RegionCall> call(static_cast<RegionCall*>(begun));
  bool is_compared = false;
  guarded(FaultPlace::CompiledRegion,
          [&] { is_compared = call->end(tensors_at(results, count), tensors_at(references, count), why_not); });
  return is_compared;
}

constexpr preload::Hooks kHooks{
    .module_seen =
        [](const void* module) {
          with_session(
              FaultPlace::ModuleHook, [&](Session& s) { s.modules().seen(module); }, session_for_name);
        },
    .module_entered =
        [](const void* module) {
          with_session(FaultPlace::ModuleHook, [&](Session& s) { s.modules().entered(module); });
        },
    .module_left = [] { with_session(FaultPlace::ModuleHook, [](Session& s) { s.modules().scope_left(); }); },
    .scope_entered =
        [](std::int64_t name, bool is_call) {
          with_session(FaultPlace::ModuleHook, [&](Session& s) {
            s.modules().scope_entered({static_cast<std::int32_t>(name), identity_of(name), is_call});
          });
        },
    .scope_left = [] { with_session(FaultPlace::ModuleHook, [](Session& s) { s.modules().scope_left(); }); },
    .intern =
        [](const char* name) {
          std::int64_t id = 0;
          with_session(
              FaultPlace::ModuleHook, [&](Session& s) { id = s.modules().intern(name); }, session_for_name);
          return id;
        },
    .parameter_named =
        [](void* tensor, const char* name) {
          with_session(
              FaultPlace::ParameterHook, [&](Session& s) { s.modules().parameter_named(tensor, name); },
              session_for_model);
        },
    .optimizer_begun =
        [](const void*, preload::OptimizerStepKind kind) {
          optimizer_begins_without_casts(kind);
          with_session(
              FaultPlace::OptimizerHook, [&](Session& s) { s.steps().optimizer_begun(kind); }, session_for_training);
        },
    .optimizer_ended =
        [](const void* optimizer, bool failed) {
          with_session(FaultPlace::OptimizerHook, [&](Session& s) { s.steps().optimizer_ended(optimizer, failed); });
          optimizer_ends_without_casts();
        },
    .backward_begun = begin_backward,
    .backward_ended = end_backward,
    .custom_function_ended =
        [](const void* outputs) {
          with_session(FaultPlace::CustomFunction,
                       [&](Session& s) { s.passes().custom_function_ended(outputs_of_function(outputs)); });
        },
    .cast_begun =
        [] {
          std::int64_t now_ns = 0;
          with_session(FaultPlace::AutocastCast, [&](Session& s) { now_ns = s.core().clock.now_ns(); });
          return now_ns;
        },
    .cast_ended =
        [](const void* operand, const void* result, std::int64_t begun_ns) {
          if (begun_ns == 0) return;
          with_session(FaultPlace::AutocastCast, [&](Session& s) {
            s.calls().casts().gave(*static_cast<const at::Tensor*>(operand), *static_cast<const at::Tensor*>(result),
                                   begun_ns);
          });
        },
    .cast_cache_cleared =
        [] { with_session(FaultPlace::AutocastCast, [](Session& s) { s.calls().casts().cache_cleared(); }); },
    .compile_begun = [] { ++ThreadState::current().hidden; },
    .compile_ended = [] { --ThreadState::current().hidden; },
    .region_begun = begin_region,
    .region_compared_in = compared_in,
    .region_starts = [](void* call) { static_cast<RegionCall*>(call)->start(); },
    .region_stops = [](void* call, bool keeps_graph) { return static_cast<RegionCall*>(call)->stop(keeps_graph); },
    .region_ended = end_region,
    .region_failed = [](void* call) { delete static_cast<RegionCall*>(call); },
    .step_ended = [] { with_session(FaultPlace::StepHook, [](Session& s) { s.steps().step_ended(); }); },
    .loss_scale =
        [](double scale) { with_session(FaultPlace::StepHook, [&](Session& s) { s.passes().set_loss_scale(scale); }); },
    .cannot_see =
        [](const char* what, const char* cause, const char* remedy) {
          with_session(FaultPlace::ModuleHook, [&](Session& s) { s.core().missing.note(what, cause, remedy); });
        },
    .thread_started = start_thread,
    .forked_child = role_after_fork,
    .process_ends = end_role,
    .recording_ends = end_recording,
};

/// Ends the recording on another thread, and waits for that thread at most kPatience, because the failing thread may
/// hold a lock that end_role() needs.
void end_within_seconds() {
  constexpr std::chrono::seconds kPatience{5};
  auto ended = std::make_shared<std::promise<void>>();
  std::thread([ended] {
    end_role();
    ended->set_value();
  }).detach();
  ended->get_future().wait_for(kPatience);
}

/// Writes the steps kept by `ampprof run --ring` if the program fails: if it exits with a status other than 0, or
/// throws an uncaught exception.
void write_kept_at_failure() {
  static std::terminate_handler before = nullptr;
  static bool is_registered = false;
  if (std::exchange(is_registered, true)) return;
  before = std::set_terminate([] {
    with_session(FaultPlace::EndOfRun, [](Session& s) { s.core().recorder.write_kept(); });
    end_within_seconds();
    if (before != nullptr) before();
    std::abort();
  });
  on_exit(
      [](int status, void*) {
        if (status == 0) return;
        with_session(FaultPlace::EndOfRun, [](Session& s) { s.core().recorder.write_kept(); });
      },
      nullptr);
}

/// Returns whether Python's multiprocessing spawned this process, which its command line shows.
bool is_started_by_multiprocessing() {
  std::ifstream file("/proc/self/cmdline");
  const std::string words((std::istreambuf_iterator<char>(file)), {});
  return words.find("--multiprocessing-fork") != std::string::npos ||
         words.find("from multiprocessing.") != std::string::npos;
}

// Seeds and injects casts in every process of the program before its first op, not only in the recorded process.
const preload::Hooks* attach(const preload::Stub& stub) {
  const auto options = recording::options_from(stub.variable);
  if (!options) return nullptr;
  reference::allow_replays_of(options->rerun);
  begin_role(stub, *options, !stub.is_own && is_started_by_multiprocessing());
  at::globalContext();  // constructed here, so destroyed after end_role(), which reads settings from it
  [[maybe_unused]] static const int once = std::atexit(end_role);
  if (options->ring > 0) write_kept_at_failure();
  if (options->seed) at::manual_seed(*options->seed);
  if (!stub.program_has_amp_core) {
    // Set even without casts: a Python script may load amp_core later, and amp_core's policies use the reports' module
    // paths.
    amp::set_module_path_source(module_making_call);
    if (options->inject_casts) inject_casts(stub, amp::patches_functions(options->level));
    if (options->inject_rules) inject_rules(stub);
  }
  start_thread();
  return &kHooks;
}

}  // namespace
}  // namespace ampprof::profiler

extern "C" __attribute__((visibility("default"))) const ampprof::preload::Hooks* ampprof_attach(
    const ampprof::preload::Stub& stub) {
  if (stub.size_of_hooks == sizeof(ampprof::preload::Hooks)) return ampprof::profiler::attach(stub);
  std::fputs(
      "ampprof: the recorder for this LibTorch is from another build, so nothing is recorded; rebuild it: make torch\n",
      stderr);
  return nullptr;
}
