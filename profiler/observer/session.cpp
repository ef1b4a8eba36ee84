// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/session.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "amp_core/casts/autocast_rules.h"
#include "amp_core/levels/level.h"
#include "precision/recipes/plan.h"
#include "precision/replay/tape/replay.h"
#include "precision/tensors/device_memory_budget.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"
#include "profiler/calls/thread_state.h"
#include "profiler/drift/drift_tracker.h"
#include "profiler/gradient_impact/gradient_replays.h"
#include "profiler/observer/gradient_events.h"
#include "profiler/observer/make_stages.h"
#include "profiler/observer/pending.h"
#include "profiler/replays/step_replays.h"
#include "profiler/torch_hooks/guarded.h"
#include "profiler/torch_hooks/torch_state.h"
#include "reports/text/numbers.h"

namespace ampprof::profiler {
namespace {

/// Returns the current session's GPU recording; null if there is none.
GpuRecording* current_gpu_recording() {
  Session* session = Session::current();
  return session == nullptr ? nullptr : session->core().gpu.recording();
}

// Attributes GPU work to ampprof while the observer is disabled.
void quiet_changed(bool begins) {
  GpuRecording* gpu = current_gpu_recording();
  if (gpu == nullptr) return;
  begins ? gpu->push(LaunchedBy::ampprof()) : gpu->pop();
}

void own_backward_changed(bool begins) {
  GpuRecording* gpu = current_gpu_recording();
  if (gpu == nullptr) return;
  begins ? gpu->own_pass_began() : gpu->own_pass_ended();
}

void listen_to_own_work() {
  tensors::set_observer_guard_listener(quiet_changed);
  tape::set_own_backward_listener(own_backward_changed);
}

void stop_listening_to_own_work() {
  tensors::set_observer_guard_listener(nullptr);
  tape::set_own_backward_listener(nullptr);
}

/// Returns the parameters' gradients, each with its value in the exact shadow; an empty list if there is no shadow.
std::vector<GradientPair> gradients_beside_exact(SessionCore& core) {
  std::vector<GradientPair> pairs;
  if (!core.replays.have_steps()) return pairs;
  {
    const Locked state = core.lock();
    const auto masters = state->masters.all();
    state->scopes.modules.each_parameter(
        [&](const c10::intrusive_ptr<c10::TensorImpl>& parameter, const std::string& name) {
          const at::Tensor& gradient = at::Tensor(parameter).grad();
          const bool is_of_run = gradient.defined() && !masters.contains(parameter.get());
          if (is_of_run && tensors::has_plain_memory(gradient)) pairs.push_back({name, gradient, {}});
        });
  }
  const tensors::ObserverDisabledGuard guard;
  for (GradientPair& pair : pairs) pair.exact = core.replays.step(0)->memory().to_read(pair.run);
  return pairs;
}

at::Tensor in_exact(SessionCore& core, const at::Tensor& gradient) {
  return core.replays.have_steps() ? core.replays.step(0)->of(gradient) : at::Tensor();
}

void note_exceeded_bound(SessionCore& core, const TrainingLoop& loop) {
  const auto exceeded = loop.choice.exceeded(core.options, core.clock.now_ns(), core.clock.overhead_ns());
  if (!exceeded) return;
  core.missing.note("steps within the bound on overhead",
                    "even in steps that it does not record, ampprof takes " + text::percent(exceeded->share) +
                        " of the program's time, and the bound is " + text::percent(exceeded->bound) +
                        ", so it recorded few steps",
                    "allow a larger share, as in --overhead 25%, or record chosen steps, as in --steps 1:20");
}

/// Returns null if the options do not ask for errors of gradients.
std::unique_ptr<GradientReplays> gradient_replays_for(SessionCore& core, ParameterFacts& facts) {
  const recording::Options& options = core.options;
  if (!options.impact || options.reference == recording::ReferenceMode::Off) return nullptr;
  const bool have_recipes = core.replays.have_recipes();
  const TapeOptions how{.precision = precision_of(options),
                        .error_bytes = options.impact_bytes,
                        .is_what_if = !options.what_if.empty(),
                        .results = &core.results,
                        .every = have_recipes ? RecipeArithmetic::kStepsForTape : 1,
                        .tapes_all = have_recipes,
                        .runs = core.recorder.runs()};
  const KnownParameters parameters{[&facts](const at::Tensor& parameter) { return facts.master_of(parameter); },
                                   [&facts](const at::Tensor& parameter) { return facts.name_of(parameter); },
                                   [&core] { return gradients_beside_exact(core); },
                                   [&core](const at::Tensor& gradient) { return in_exact(core, gradient); }};
  return std::make_unique<GradientReplays>(how, parameters, core.recorder, core.missing, core.clock);
}

}  // namespace

std::atomic<Session*> Session::current_{nullptr};

Session::Session(const recording::Options& options, std::int64_t resident_at_start)
    : resident_at_start_(resident_at_start), core_(options), sources_(torch_folder()) {
  core_.gradient_replays = gradient_replays_for(core_, services_);
  if (options.inherited && options.what_if.empty()) core_.drift = std::make_unique<DriftTracker>(services_);
  core_.stages = make_stages(core_, services_, services_, engine_);
  forget_peak_memory();
  {
    const Locked state = core_.lock();
    if (options.loss_scale) state->scales.program_scales_by(*options.loss_scale);
    segments_.decide_recording(state->loops.first());
  }
  core_.gpu.set_make_site([this](const std::string& what, std::int32_t number) { return make_site(what, number); });
  if (options.gpu) core_.gpu.want();
  listen_to_own_work();
  core_.recorder.set_before_write([this] { collect(); });
}

void Session::start(const recording::Options& options, std::int64_t resident_at_start) {
  ThreadState::forget_all();
  current_.store(new Session(options, resident_at_start), std::memory_order_release);
}

/// Returns the session that was current; null if none was.
Session* Session::end() {
  Session* session = current_.exchange(nullptr);
  if (session != nullptr) session->core_.is_over.store(true, std::memory_order_release);
  return session;
}

void Session::forget() {
  if (Session* session = end()) session->control_.leave();
}

void Session::drop() {
  Session* session = end();
  if (session == nullptr) return;
  stop_listening_to_own_work();
  session->control_.close();
  session->core_.gpu.drop();
}

// Runs on a new thread, because the thread of exit() has lost LibTorch's thread-local state, such as its current
// stream.
void Session::flush_devices() {
  Session* session = current();
  if (session == nullptr) return;
  guarded(FaultPlace::EndOfRun, [&] { std::thread([&] { session->bring_from_devices(); }).join(); });
  session->core_.results.close();
}

void Session::bring_from_devices() {
  guarded(FaultPlace::EndOfRun, [&] {
    wait_for_devices();
    see_gpu_memory();
    core_.gpu.close(core_.recorder);
    const Locked state = core_.lock();
    complete_all(core_, state);
    passes_.settle(state, LossScales::Which::All);
  });
}

// Runs in an exit handler. A part that fails must not stop the others.
void Session::finish() {
  Session* session = end();
  if (session == nullptr) return;
  SessionCore& core = session->core_;
  RunDetach detach;
  const auto part = [](auto&& work) { guarded(FaultPlace::EndOfRun, work); };
  part([&] { session->settle(); });
  part([&] { session->write_drifts(); });
  part([&] { session->finish_gpus(detach); });
  part([&] { core.ranges.finish(core.clock.now_ns(), core.recorder); });
  part([&] { session->write_native_lines(); });
  detach.peak_bytes = session->peak_bytes();
  detach.wall_ns = core.clock.now_ns();
  detach.overhead_ns = core.clock.overhead_ns();
  core.recorder.close(detach);
  session->control_.close();
}

void Session::release() {
  guarded(FaultPlace::EndOfRun, [&] {
    core_.replays.restart();
    core_.rounded_inputs.clear();
    if (core_.gradient_replays) core_.gradient_replays->release();
    core_.gpu.release();
    core_.recorder.release();
  });
}

/// With --reference off, takes the allocator's peak as the program's, since ampprof then has no copies on a GPU.
void Session::see_gpu_memory() {
  if (core_.options.reference != recording::ReferenceMode::Off) return;
  const auto gpus = static_cast<c10::DeviceIndex>(number_of_gpus());
  for (c10::DeviceIndex gpu = 0; gpu < gpus; ++gpu) core_.gpu_memory.see(core_.memory_budget->peak_allocated(gpu));
}

/// Returns the peak of GPU memory if the program used a GPU, otherwise the peak of the process's host memory.
std::int64_t Session::peak_bytes() const {
  if (core_.gpu_memory.bytes() > 0) return core_.gpu_memory.bytes();
  const std::int64_t seen = core_.memory.bytes();
  const std::int64_t peak = seen > 0 ? seen : peak_resident_bytes();
  return std::max<std::int64_t>(peak - resident_at_start_, 0);
}

void Session::settle() {
  const Locked state = core_.lock();
  complete_all(core_, state);
  passes_.settle(state, LossScales::Which::All);
  passes_.note_absent_losses(state);
  state->loops.for_each([&](TrainingLoop& loop) {
    loop.steps.end(core_.clock.now_ns());
    record_corrections(core_, loop);
    note_exceeded_bound(core_, loop);
  });
  if (core_.options.inject_rules && !core_.options.inject_casts && !amp::autocast_rules_were_used()) {
    core_.missing.note("the policy", "none of its rules matched a call inside the program's own autocast regions",
                       "use O1's casts, which need no autocast: ampprof run --levels O1 --policy ...");
  }
  if (const std::string& level = core_.options.level;
      !level.empty() && !amp::is_fp32_level(level) && !core_.options.inject_casts && !core_.has_engine) {
    core_.missing.note("the opt level",
                       "the program has amp_core, but never called initialize(), so it ran in its own types",
                       "call initialize(), or, if amp_core is only in the directory of a script that uses apex, move "
                       "it to a folder of its own");
  }
  if (const std::string recipes = amp::recipes::recipes_planned(); !recipes.empty() && !engine_.has_run_in_recipe()) {
    core_.missing.note("the recipe",
                       "no matmul ran in " + recipes + ": no matmul suits the recipe, or autocast is switched off",
                       "remove autocast(enabled=False) from the program, or use another recipe");
  }
  core_.recorder.add([&](Batch& batch) {
    if (auto missing = state->regions.missing()) batch.missing.push_back(std::move(*missing));
  });
  record_impacts(core_, state);
}

void Session::write_drifts() {
  if (core_.drift == nullptr) return;
  std::vector<Drift> rows = core_.drift->rows(core_.missing);
  core_.recorder.add([&](Batch& batch) { batch.drifts = std::move(rows); });
}

void Session::finish_gpus(RunDetach& detach) {
  stop_listening_to_own_work();
  describe_again(core_.gpu.finish(core_.recorder, detach));
}

// Describes LibTorch again at the end: the program may have changed its switches for TF32 and reduced-precision sums,
// which decide what the errors mean.
void Session::describe_again(const std::vector<DeviceClocks>& gpus) {
  const std::string level = core_.attach.level;
  core_.attach = describe_torch(!core_.gpu.is_awaited());
  core_.attach.settings_json = with_clocks(core_.attach.settings_json, gpus);
  if (!gpus.empty() && !gpus.front().name.empty()) core_.attach.device = gpus.front().name;
  core_.attach.level = level;
  core_.recorder.attach_again(core_.attach);
}

/// Looks up source lines of native code. Called at the end, when this does not delay the program.
void Session::write_native_lines() {
  std::vector<SitePlaces::Open> sites = core_.lock()->places.take_open();
  if (sites.empty()) return;
  if (sources_.resolve() > 0) {
    core_.missing.note("lines of code", "the program, or a part of it, was built without debug information",
                       "compile it with -g; without it, names of functions are shown instead of lines");
  }
  core_.recorder.add([&](Batch& batch) {
    for (auto& [site, place] : sites) {
      site.source = sources_.text_of(place);
      batch.call_sites.push_back(std::move(site));
    }
  });
}

/// The site gets an op number above all op ids, since `what` is not an op.
std::int64_t Session::make_site(const std::string& what, std::int32_t number) {
  constexpr std::int32_t kBeyondOps = 1 << 24;
  const Locked state = core_.lock();
  const std::int64_t id = state->sites.at({.phase = Phase::Forward, .module = 0, .op = kBeyondOps + number});
  (void)state->sites.take_new();  // takes only this site: other code takes its new sites before it unlocks
  core_.recorder.add([&](Batch& batch) {
    batch.call_sites.push_back(
        {.id = id, .phase = Phase::Forward, .module = "", .op = what, .ordinal = 0, .source = ""});
  });
  return id;
}

/// Adds activities, ranges, segments in progress and notes to the next write. Runs on the writer's thread.
void Session::collect() {
  control_.look();
  core_.gpu.collect(core_.recorder);
  core_.ranges.collect(core_.recorder);
  const Locked state = core_.lock();
  core_.recorder.add([&](Batch& batch) {
    state->loops.add_progress_to(batch);
    if (const std::int64_t calls = state->sites.take_calls_without_site(); calls > 0) {
      batch.missing.push_back(
          {.what = "call sites",
           .count = calls,
           .cause = "one call of a module, or one step without modules, called the same op more than 4096 times",
           .remedy = "further calls count at the last call site of that op; if steps are too long, mark their ends "
                     "with ampprof::step()"});
    }
    std::ranges::move(take_faults(), std::back_inserter(batch.missing));
    std::ranges::move(core_.missing.take(), std::back_inserter(batch.missing));
  });
}

}  // namespace ampprof::profiler
