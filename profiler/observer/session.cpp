// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/session.h"

#include <ATen/SequenceNumber.h>
#include <torch/nn/module.h>
#include <torch/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>

#include "precision/reference/quiet.h"
#include "precision/shadow/shadow.h"
#include "profiler/calls/call.h"
#include "profiler/memory/resident_memory.h"
#include "profiler/nvtx/emit.h"
#include "profiler/stages/stages.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

/// Of one op in one module within a segment. A loop that never ends a step would else never end making call sites.
constexpr std::int32_t kMostSites = 4096;
/// That are told apart, so that a program with ever new shapes takes no ever growing memory.
constexpr std::int64_t kMostSignatures = 65536;

void add(CastRecord& total, const CastRecord& cast) {
  total.casts += cast.casts;
  total.cache_hits += cast.cache_hits;
  total.bytes += cast.bytes;
  total.duration_ns += cast.duration_ns;
  total.rounded_twice += cast.rounded_twice;
}

std::unique_ptr<Shadow> shadow_for(const recording::Options& options) {
  if (!options.inherited) return nullptr;
  return std::make_unique<Shadow>(options.reference == recording::ReferenceMode::Double ? at::kDouble : at::kFloat);
}

}  // namespace

std::atomic<Session*> Session::current_{nullptr};

Session::Session(const recording::Options& options, std::int64_t resident_at_start)
    : options_(options),
      resident_at_start_(resident_at_start),
      attach_(describe_torch()),
      recorder_(options.report, options.run, attach_, Recorder::kInterval, options.max_bytes),
      is_listened_to_(emission::is_listened_to()),
      ranges_(
          *new Ranges({.now_ns = [this] { return now_ns(); }, .thread = [] { return ThreadState::current().number; }})),
      stages_(make_stages(*this)),
      shadow_(shadow_for(options)),
      expects_fp32_(options.level == "O0"),
      said_scale_(options.loss_scale) {
  forget_peak_memory();
  courses_.push_back(std::make_unique<Course>(0, numbers_, 0));
  decide_recording(first_course());
  open_gpu();
  if (is_listened_to_) {
    note_missing("ranges that the program marks", "another tool takes them (NVTX_INJECTION64_PATH names it)",
                 "record without that tool to have them in the report");
  }
  recorder_.set_before_write([this] {
    collect_gpu();
    collect_ranges();
    const auto lock = locked();
    recorder_.add([&](Batch& batch) { take_what_is_in_progress(batch); });
  });
}

void Session::start(const recording::Options& options, std::int64_t resident_at_start) {
  current_.store(new Session(options, resident_at_start), std::memory_order_release);
}

void Session::drop() {
  Session* session = current_.exchange(nullptr);
  if (session == nullptr || !session->gpu_) return;
  set_quiet_listener(nullptr);
  Batch nobody_reads_it;
  session->gpu_->finish(nobody_reads_it);
}

void Session::finish() {
  Session* session = current_.exchange(nullptr);
  if (session == nullptr) return;
  {
    const auto lock = session->locked();
    session->complete_late_calls();
    session->settle_open_passes(Settle::All);
    session->note_compiled_graphs();
    session->note_absent_losses();
    session->recorder_.add([&](Batch& batch) { session->take_impacts(batch); });
  }
  RunDetach detach;
  session->describe_again(session->finish_gpu(detach));
  session->finish_ranges();
  const std::int64_t seen = session->largest_resident_;
  const std::int64_t peak = seen > 0 ? seen : peak_resident_bytes();
  detach.peak_bytes = std::max<std::int64_t>(peak - session->resident_at_start_, 0);
  detach.wall_ns = session->now_ns();
  detach.overhead_ns = session->overhead_ns_;
  session->recorder_.close(detach);
}

std::int64_t Session::now_ns() const {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - started_).count();
}

// Most calls end without the lock. What they left is taken up before anything here is looked at.
std::unique_lock<std::mutex> Session::locked() {
  std::unique_lock lock(mutex_);
  const std::int64_t end = last_end_ns_.load(std::memory_order_relaxed);
  if (end != settled_end_ns_) {
    settled_end_ns_ = end;
    for (const auto& course : courses_) course->steps.op_ended(end);
  }
  const std::int64_t overhead = overhead_ns_.load(std::memory_order_relaxed);
  first_course().steps.add_overhead(overhead - settled_overhead_ns_);
  settled_overhead_ns_ = overhead;
  return lock;
}

// ---- one op call ---------------------------------------------------------------------------------------------------

const OpInfo& Session::info_of(const c10::OperatorHandle& op, ThreadState& thread) {
  // What is read once never changes, so each thread remembers what it met: one lock less on every call.
  const c10::FunctionSchema* schema = &op.schema();
  ThreadState::Met& met =
      thread.ops[std::hash<const void*>{}(schema) / alignof(c10::FunctionSchema) % thread.ops.size()];
  if (met.schema != schema) {
    const auto lock = locked();
    met = {schema, &ops_.of(op)};
  }
  return *met.info;
}

std::int32_t Session::module_around(c10::ArrayRef<c10::IValue> arguments, std::int32_t scope) {
  if (scope != kUnknownModule) return scope;
  // No module says so: then the parameter that the op takes does.
  std::int32_t module = kUnknownModule;
  bool has_tensor = false;
  for_each_tensor(arguments, [&](const at::Tensor& tensor) {
    has_tensor = true;
    if (module != kUnknownModule) return;
    const std::string* name = module_names_.name_of(tensor.unsafeGetTensorImpl());
    if (name != nullptr) module = names_.id_of(module_of_parameter(*name));
  });
  if (module == kUnknownModule && has_tensor) {
    if (const std::string path = script_module_path(); !path.empty()) return module_in_script(path);
  }
  return module;
}

Session::SiteCounter& Session::counter_of(Phase phase, std::int32_t module, const OpInfo& info) {
  const std::uint64_t key = static_cast<std::uint64_t>(module) << 32 | static_cast<std::uint64_t>(info.id) << 3 |
                            static_cast<std::uint64_t>(phase);
  SiteCounter*& known = counter_memo_[key];
  if (known == nullptr) known = &counters_[key];
  return *known;
}

std::int64_t Session::site_at(SiteCounter& counter, std::size_t ordinal, Phase phase, const BareCall& call) {
  while (counter.sites.size() <= ordinal) {
    CallSite site{.id = ++site_count_,
                  .phase = phase,
                  .module = names_.text_of(call.module),
                  .op = call.info.name,
                  .ordinal = static_cast<std::int32_t>(counter.sites.size()),
                  .source = ""};
    counter.sites.push_back(site.id);
    recorder_.add([&](Batch& batch) { batch.call_sites.push_back(std::move(site)); });
  }
  return counter.sites[ordinal];
}

void Session::find_site(BareCall& call) {
  SiteCounter& counter = counter_of(call.phase, call.module, call.info);
  const auto course = static_cast<std::size_t>(call.course->number);
  if (counter.counts.size() <= course) counter.counts.resize(course + 1);
  auto& [segment, calls] = counter.counts[course];
  if (std::exchange(segment, call.record.segment) != call.record.segment) calls = 0;
  const auto ordinal = static_cast<std::size_t>(std::min(calls, kMostSites - 1));
  if (calls++ >= kMostSites) ++calls_without_site_;
  call.record.call_site = call.error_site = site_at(counter, ordinal, call.phase, call);
  if (call.thread.function.is_open) call.thread.function.calls.emplace_back(call.info.id, call.error_site);
  if (call.phase != Phase::Recompute) return;
  const auto first = site_of_first_run(call);
  call.error_site =
      first ? *first : site_at(counter_of(Phase::Forward, call.module, call.info), ordinal, Phase::Forward, call);
}

std::int32_t Session::module_in_script(const std::string& path) {
  if (loses_script_module_paths() && !std::exchange(has_noted_script_paths_, true)) {
    note_missing("module paths inside TorchScript", "its profiling executor rewrites a graph after its first calls",
                 "torch._C._jit_set_profiling_mode(False) (C++: torch::jit::getProfilingMode() = false) in the program "
                 "keeps them; it may change last bits");
  }
  return names_.id_of(path);
}

std::int64_t Session::signature_of(const BareCall& call, const ArgumentsSeen& arguments) {
  std::int64_t& known = signature_memo_[arguments.hash];
  if (known != 0) return known;
  if (std::ssize(signatures_) >= kMostSignatures && !signatures_.contains(arguments.hash)) return kOtherShapes;
  const auto [place, is_new] = signatures_.try_emplace(arguments.hash, signatures_.size() + 1);
  known = place->second;
  if (is_new) {
    recorder_.add([&](Batch& batch) { batch.signatures.push_back({place->second, signature_text(call)}); });
  }
  return place->second;
}

bool Session::begin(BareCall& call) {
  ThreadState& thread = call.thread;
  const ArgumentsSeen arguments = look_at_arguments(call);
  const auto lock = locked();
  call.course = &course_of(thread);
  notice_custom_function(thread);
  call.phase = phase_of(call);
  call.first_node = at::sequence_number::peek();
  if (call.phase == Phase::Forward) call.factor = factor_of(call);
  advance_segment(call, arguments);
  notice_unscaling(call);
  notice_update(call, arguments);
  call.course = &course_of(thread);
  call.is_followed = is_followed(*call.course) && arguments.wrapper.empty();
  // A GradScaler's ops count in every step: where a step ends depends on them.
  const bool decides_steps = call.info.unscales || call.info.updates_scale;
  if (!is_recorded(*call.course) && !decides_steps) return false;

  call.module = module_of(call);
  call.record.segment = call.course->steps.current().id;
  find_site(call);
  call.record.signature = signature_of(call, arguments);
  call.record.dtype_in = static_cast<DType>(arguments.dtype_in);
  call.record.thread = thread.number;
  call.deep = call.course->deep;
  if (call.phase == Phase::Backward) call.record.scale = scale_of_call();
  thread.casts.clear();
  thread.in_call = true;
  call.with_values = arguments.wrapper.empty();
  if (!call.with_values) note_without_values(call, arguments);
  return true;
}

void Session::note_without_values(BareCall& call, const ArgumentsSeen& arguments) {
  call.is_followed = false;
  note_missing("values of op calls", "tensors without memory of their own: " + std::string(arguments.wrapper),
               "their calls are counted and timed; judge them by the ops around them");
}

void Session::end(BareCall& call, std::int64_t overhead_ns) {
  ThreadState& thread = call.thread;
  for_each_tensor(call.results(), [&](const at::Tensor& tensor) {
    if (call.record.dtype_out == DType::Unknown && tensor.is_floating_point()) call.record.dtype_out = dtype_of(tensor);
  });
  if (expects_fp32_.load(std::memory_order_relaxed) && is_reduced_precision(call.record.dtype_out)) note_own_types();
  for (CastRecord& cast : thread.casts) {
    cast.segment = call.record.segment;
    cast.call_site = call.record.call_site;
    call.record.cast_bytes += cast.bytes;
  }
  thread.in_call = false;
  thread.last_segment = call.record.segment;
  thread.last_site = call.record.call_site;
  thread.seen_ns += call.record.duration_ns;
  last_end_ns_.store(call.record.start_ns + call.record.duration_ns, std::memory_order_relaxed);
  overhead_ns_.fetch_add(overhead_ns, std::memory_order_relaxed);
  const std::uint64_t next_node = at::sequence_number::peek();
  const bool makes_nodes = call.phase == Phase::Forward || call.phase == Phase::Recompute;
  if (makes_nodes && next_node != call.first_node) {
    const auto lock = locked();
    links_.link(call.first_node, next_node, forward_thread(), call.module);
  }
  notice_scaling(call);
  if (!thread.casts.empty()) {
    recorder_.add([&](Batch& batch) { std::ranges::copy(thread.casts, std::back_inserter(batch.casts)); });
  }
}

// ---- what the AMP engine and optimizers tell

void Session::master_created(const at::Tensor& parameter, const at::Tensor& master) {
  const auto lock = locked();
  masters_.add(parameter, master);
  module_names_.add_copy(parameter.unsafeGetTensorImpl(), master.unsafeGetTensorImpl());
  if (shadow_) shadow_->memory().link(parameter, master);
}

void Session::optimizer_begun(OptimizerStepKind kind) {
  ThreadState::current().optimizer_steps.push_back({.kind = kind, .node = current_node()});
}

void Session::optimizer_ended(const void* optimizer, bool skipped) {
  ThreadState& thread = ThreadState::current();
  auto& steps = thread.optimizer_steps;
  if (steps.empty()) return;
  const Leaves leaves = std::move(steps.back().leaves);
  steps.pop_back();
  if (!steps.empty()) {  // the AMP engine's step around LibTorch's own
    steps.back().leaves.insert(steps.back().leaves.end(), leaves.begin(), leaves.end());
    return;
  }
  const auto lock = locked();
  updated(thread, optimizer, leaves, skipped);
  Course& course = course_of(thread);
  if (course.steps.is_step_over()) restart_shadow(course);
  complete_late_calls();
  trace_.clear_unless_from_optimizer();
}

void Session::step_ended() {
  const auto lock = locked();
  Course& course = course_of(ThreadState::current());
  finish_segment(course, course.steps.step_ended(now_ns()));
}

void Session::add_cast(const CastRecord& cast) {
  ThreadState& thread = ThreadState::current();
  auto& casts = thread.casts;
  if (thread.in_call) {
    const auto same = [&](const CastRecord& other) { return other.from == cast.from && other.to == cast.to; };
    const auto found = std::ranges::find_if(casts, same);
    found == casts.end() ? casts.push_back(cast) : add(*found, cast);
    return;
  }
  // Of a model's input: it was a call by itself.
  if (thread.last_site == 0) return;
  CastRecord made = cast;
  made.segment = thread.last_segment;
  made.call_site = thread.last_site;
  recorder_.add([&](Batch& batch) { batch.casts.push_back(made); });
}

}  // namespace ampprof::profiler
