// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/op_calls.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <string>

#include "amp_core/levels/level.h"
#include "amp_core/torch_hooks/recompute.h"
#include "precision/cuda/kernels.h"
#include "precision/tensors/dtype_of.h"
#include "profiler/calls/call.h"
#include "profiler/calls/signatures.h"
#include "profiler/observer/backward_passes.h"
#include "profiler/observer/between_ops.h"
#include "profiler/observer/call_phase.h"
#include "profiler/observer/segments.h"
#include "profiler/observer/session.h"
#include "profiler/observer/session_core.h"
#include "profiler/observer/unrecorded_steps.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {

OpCalls::OpCalls(SessionCore& core, Segments& segments, BackwardPasses& passes, SourcePlaces& sources)
    : core_(core),
      segments_(segments),
      passes_(passes),
      sources_(sources),
      expects_fp32_(amp::is_fp32_level(core.options.level)) {}

const OpInfo& OpCalls::info_of(const c10::OperatorHandle& op, ThreadState& thread) {
  // An op's facts never change, so each thread caches them and saves a lock on every call.
  const c10::FunctionSchema* schema = &op.schema();
  ThreadState::Met& met =
      thread.ops[std::hash<const void*>{}(schema) / alignof(c10::FunctionSchema) % thread.ops.size()];
  if (met.schema != schema) met = {schema, &core_.lock()->ops.of(op, core_.stages)};
  return *met.info;
}

/// Handles the first use of a GPU. Called before the op runs, because the op may be the one that initializes the
/// driver.
void OpCalls::notice_gpu() {
  if (!core_.gpu.program_uses_one()) return;
  if (const std::string& why = cuda::why_no_kernels(); !why.empty()) {
    core_.missing.note("statistics of GPU tensors at the end of a step", why,
                       "the tensors are copied to the host at each op call instead, which is slow");
  }
  const Locked state = core_.lock();
  core_.attach.device = "cuda";
  core_.recorder.attach_again(core_.attach);
}

/// Registers the exit handler after the first call on a GPU. Handlers run in reverse order, so this one runs before
/// those of the driver and of ampprof's kernel library, which are registered by now.
void OpCalls::flush_devices_at_exit() {
  if (flushes_devices_.load(std::memory_order_relaxed) || flushes_devices_.exchange(true)) return;
  std::atexit(Session::flush_devices);
}

bool OpCalls::begin(CallContext& call) {
  const ArgumentsSeen arguments = look_at_arguments(call);
  call.access.is_on_gpu = arguments.on_gpu;
  const bool is_first_use = arguments.on_gpu && core_.gpu.is_awaited();  // CUDA may not be initialized yet
  if (is_first_use) notice_gpu();
  if (core_.gpu.recording() != nullptr && profiles_itself()) core_.gpu.program_profiles_itself();
  passes_.notice_reading(call);
  // Reading the line may take the GIL, which must not be taken under the session's lock. So the line is read before the
  // lock is taken, if the thread's previous call was recorded: then this call probably will be, too.
  const bool has_code = SourcePlaces::has_python() && (!inside_backward() || amp::recomputes_forward());
  const bool reads_first = has_code && call.thread.is_recorded;
  if (reads_first) call.place.code = sources_.in_python();
  std::vector<CallSite> new_sites;
  {
    const Locked state = core_.lock();
    call.thread.is_recorded = enter_step(state, call, arguments);
    if (!call.thread.is_recorded && leaves_trail(call)) begin_on_trail(core_, state, call);
    if (call.thread.is_recorded && (reads_first || !has_code)) enter_place(state, call, arguments, new_sites);
  }
  const bool has_place = call.thread.is_recorded || call.place.on_trail;
  if (has_code && !reads_first && has_place) call.place.code = sources_.in_python();
  if (!call.thread.is_recorded) return false;
  if (has_code && !reads_first) enter_place(core_.lock(), call, arguments, new_sites);
  if (!new_sites.empty()) write_new_sites(std::move(new_sites), call);
  call.access.is_readable = arguments.wrapper.empty();
  if (!call.access.is_readable) note_unreadable(call, arguments);
  const bool may_be_captured = call.access.is_readable && arguments.on_gpu && !is_first_use;
  if (may_be_captured && is_captured(call.arguments())) note_captured(core_.missing, call);
  call.access.has_async_host_copy = arguments.on_gpu && copies_without_waiting(call);
  return true;
}

namespace {

/// Returns the number, from 1 in the segment, of the backward pass to which a forward or backward call belongs. Forward
/// calls belong to the pass after them. A held call gets 1, because nearly all held calls that make tensors are for the
/// next step. Empty in other phases.
std::optional<std::int64_t> micro_batch_of(const CallContext& call) {
  if (call.place.held != 0) return 1;
  const std::int64_t begun = call.place.loop->steps.segment().passes();
  if (call.phase == Phase::Forward) return begun + 1;
  const bool is_inside = call.phase == Phase::Backward || call.phase == Phase::Recompute;
  return is_inside && begun > 0 ? std::optional(begun) : std::nullopt;
}

}  // namespace

bool OpCalls::enter_step(const Locked& state, CallContext& call, const ArgumentsSeen& arguments) {
  ThreadState& thread = call.thread;
  call.place.loop = &state->loops.of(thread);
  notice_custom_function(thread, state->scopes.links);
  call.phase = phase_of(call);
  call.place.first_node = next_sequence_number();
  passes_.begin_multiplication(call);
  segments_.advance(state, call, arguments);
  passes_.notice_unscaling(state, call);
  segments_.notice_update(state, call, arguments);
  call.place.loop = &state->loops.of(thread);
  notice_reads(core_, state, call);
  call.has_replays = segments_.has_replays(*call.place.loop, thread) && arguments.wrapper.empty();
  // A GradScaler's ops are recorded in every step, because they decide where a step ends.
  const bool decides_steps = call.info.unscales || call.info.updates_scale;
  return segments_.is_recorded(call) || decides_steps;
}

void OpCalls::enter_place(const Locked& state, CallContext& call, const ArgumentsSeen& arguments,
                          std::vector<CallSite>& new_sites) {
  ThreadState& thread = call.thread;
  call.place.module = state->scopes.module_of(call, core_.missing);
  call.record.segment = call.place.loop->steps.current().id;
  call.place.micro_batch = micro_batch_of(call);
  find_site(state, call, new_sites);
  call.record.signature = signature_of(state, call, arguments);
  call.record.dtype_in = static_cast<DType>(arguments.dtype_in);
  call.record.thread = thread.number;
  call.sampled = call.place.loop->sampled;
  call.followed = call.place.loop->followed;
  call.in_full = call.place.loop->in_full;
  if (call.phase == Phase::Backward) call.record.scale = passes_.scale_of_call(state);
  thread.casts.clear();
  thread.last_segment = call.record.segment;
  thread.recipe_result = nullptr;
  thread.in_call = true;
}

std::vector<CallSite> new_sites(const Locked& state, const std::string& op) {
  std::vector<CallSite> rows;
  for (const CallSites::Site& site : state->sites.take_new()) {
    rows.push_back({.id = site.id,
                    .phase = site.key.phase,
                    .module = state->scopes.names.text_of(site.key.module),
                    .op = op,
                    .ordinal = site.ordinal,
                    .source = ""});
  }
  return rows;
}

namespace {

/// Sets the origin of a backward call: its forward call, or the parameter to whose gradient it adds.
void set_origin_in_backward(const Locked& state, CallSites::Key& key, CallSites::Origin& origin) {
  ModuleScopes& scopes = state->scopes;
  if (const auto* parameter = accumulated_parameter()) {
    if (const std::string* name = scopes.modules.name_of(parameter)) {
      origin.maker = ~static_cast<std::uint64_t>(scopes.names.id_of(*name));
    }
  } else if (const auto forward = scopes.links.forward_of(backward_sequence_number(), backward_forward_thread())) {
    origin.maker = static_cast<std::uint64_t>(forward->call_site);
    key.line = state->places.of(forward->call_site);
  }
}

/// Returns the number of the group of calls to which this call belongs (CallSites::Origin::run). Each collective of a
/// segment has its own call site, so that it can be matched with the same collective of other ranks.
std::int64_t call_group_of(const CallContext& call) {
  ThreadState& thread = call.thread;
  if (call.info.is_collective) return -call.record.segment;
  const auto scope = thread.scopes.empty() ? -call.record.segment : thread.scopes.back().call_group;
  if (call.phase == Phase::Backward) {
    return thread.call_group_at(reinterpret_cast<std::uintptr_t>(current_node()) ^ backward_sequence_number() << 1);
  }
  const CodePlace& code = call.place.code;
  if (code.path == 0) return scope;
  return thread.call_group_at(code.stack ^ static_cast<std::uint64_t>(scope) << 1);
}

}  // namespace

void OpCalls::find_site(const Locked& state, CallContext& call, std::vector<CallSite>& new_sites) {
  const auto loop = static_cast<std::size_t>(call.place.loop->number);
  const std::int64_t segment = call.record.segment;
  CallSites::Key key{
      .phase = call.phase, .module = call.place.module, .op = call.info.id, .line = call.place.code.line};
  CallSites::Origin origin{.maker = call.place.code.path, .call_group = call_group_of(call)};
  if (call.phase == Phase::Backward) {
    set_origin_in_backward(state, key, origin);
    call.place.code.line = key.line;
  }
  call.record.call_site = call.place.error_site = state->sites.next(key, origin, loop, segment);
  if (call.thread.function.is_open) call.thread.function.calls.emplace_back(call.info.id, call.place.error_site);
  if (call.phase == Phase::Recompute) {
    auto first = site_of_first_run(state, call).value_or(state->sites.repeated(key, loop, segment));
    key.phase = Phase::Forward;
    call.place.error_site = first != 0 ? first : state->sites.at(key);
  }
  if (!state->sites.has_new()) return;
  std::ranges::move(profiler::new_sites(state, call.info.name), std::back_inserter(new_sites));
}

/// Returns the line of the user's code that makes this call. A backward call has its forward op's line.
SourcePlaces::Id OpCalls::line_of(const CallContext& call) {
  if (call.phase == Phase::Backward) return call.place.code.line;
  const std::string in_script = script_line();
  if (!in_script.empty()) return sources_.at(in_script);
  return call.place.code.line != SourcePlaces::kUnknown ? call.place.code.line : sources_.here();
}

std::string OpCalls::line_text_of(const CallContext& call) { return sources_.text_of(line_of(call)); }

/// Runs without the session's lock, because finding the line may take the GIL, whose holder may be waiting for the
/// session's lock.
void OpCalls::write_new_sites(std::vector<CallSite> sites, const CallContext& call) {
  const SourcePlaces::Id place = line_of(call);
  const std::string source = sources_.text_of(place);
  const bool is_open = sources_.is_open(place);
  const Locked state = core_.lock();
  for (CallSite& site : sites) {
    site.source = source;
    state->places.add(site, place, is_open);
  }
  core_.recorder.add([&](Batch& batch) { std::ranges::move(sites, std::back_inserter(batch.call_sites)); });
}

/// Returns the call site that a recomputed call had in the first forward of its custom function; empty if unknown.
/// Drops the loss impact of the first forward, because the recomputation adds its own.
std::optional<std::int64_t> OpCalls::site_of_first_run(const Locked& state, const CallContext& call) {
  const std::uint64_t function = number_of_running_function();
  const auto repeated = state->functions.repeat(function, call.info.id);
  if (!repeated) return std::nullopt;
  if (repeated->is_first) state->impacts.drop(function);
  return repeated->site;
}

std::int64_t OpCalls::signature_of(const Locked& state, const CallContext& call, const ArgumentsSeen& arguments) {
  const SignatureIds::Found found = state->signatures.id_of(arguments.hash);
  if (found.is_new) {
    core_.recorder.add([&](Batch& batch) { batch.signatures.push_back({found.id, signature_text(call)}); });
  }
  return found.id;
}

void OpCalls::note_unreadable(CallContext& call, const ArgumentsSeen& arguments) {
  call.has_replays = false;
  core_.missing.note("values of op calls", "tensors without memory of their own: " + std::string(arguments.wrapper),
                     "their calls are counted and timed; judge them by the ops around them");
}

void note_captured(MissingNotes& missing, CallContext& call) {
  call.access.is_readable = call.has_replays = false;
  missing.note("values of op calls", "the calls were captured into a CUDA graph",
               "their calls are counted once, however often the graph is launched; run the program without capture to "
               "see the errors of these calls");
}

void OpCalls::note_own_types() {
  if (core_.has_engine || !expects_fp32_.exchange(false)) return;
  core_.missing.note("FP32 of O0",
                     "the program itself uses reduced types (autocast, or half tensors), which O0 does not change",
                     "compare with a run in which the program's own autocast is off");
}

void OpCalls::end(CallContext& call, std::int64_t overhead_ns) {
  if (call.access.is_on_gpu) flush_devices_at_exit();
  ThreadState& thread = call.thread;
  for_each_tensor(call.results(), [&](const at::Tensor& tensor) {
    if (call.record.dtype_out == DType::Unknown && tensor.is_floating_point())
      call.record.dtype_out = tensors::dtype_of(tensor);
  });
  if (expects_fp32_.load(std::memory_order_relaxed) && is_reduced_precision(call.record.dtype_out)) note_own_types();
  if (call.place.held != 0) notice_made(core_.lock(), call);
  for (CastRecord& cast : thread.casts) {
    cast.segment = call.recorded_segment();
    cast.call_site = call.record.call_site;
    call.record.cast_bytes += cast.bytes;
  }
  thread.in_call = false;
  thread.last_site = call.record.call_site;
  thread.seen_ns += call.record.duration_ns;
  core_.state.leave_end(call.record.start_ns + call.record.duration_ns);
  core_.clock.add_overhead(overhead_ns);
  link_nodes(call);
  passes_.notice_result(call);
  if (!thread.casts.empty()) {
    core_.recorder.add([&](Batch& batch) { std::ranges::copy(thread.casts, std::back_inserter(batch.casts)); });
  }
}

std::vector<GradientLeaves::Versioned> OpCalls::leaves_with_gradients(const CallContext& call) {
  const Locked state = core_.lock();
  return call.place.loop->leaves.versions();
}

void OpCalls::notice_written(const CallContext& call, const std::vector<GradientLeaves::Versioned>& leaves) {
  if (leaves.empty()) return;
  const Locked state = core_.lock();
  segments_.leaves_written(state, call, call.place.loop->leaves.changed_since(leaves));
}

void OpCalls::link_nodes(const CallContext& call) {
  if (call.phase != Phase::Forward && call.phase != Phase::Recompute) return;
  const std::uint64_t next_node = next_sequence_number();
  const bool makes_nodes = next_node != call.place.first_node;
  if (!makes_nodes && !call.thread.function.is_open) return;
  const Locked state = core_.lock();
  BackwardLinks& links = state->scopes.links;
  const std::int64_t site = call.record.call_site;
  if (makes_nodes) {
    links.link(call.place.first_node, next_node, forward_thread(), {.module = call.place.module, .call_site = site});
  }
  link_custom_function(call.thread, site, links);
}

void OpCalls::end_unrecorded(CallContext& call) {
  if (call.access.is_on_gpu) flush_devices_at_exit();
  leave_call(call.thread);
  if (call.place.on_trail) end_on_trail(core_.lock(), call);
  passes_.notice_result(call);
}

}  // namespace ampprof::profiler
