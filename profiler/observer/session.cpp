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
#include "profiler/observer/call.h"
#include "profiler/observer/process.h"
#include "profiler/stages/stages.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

constexpr std::int32_t kUnknownModule = 0;  // the empty path

/// What the program is inside of, on this thread.
struct ThreadScopes {
  struct Scope {
    std::int32_t name;
    const void* identity;
  };
  std::vector<Scope> scopes;
  int optimizer_depth = 0;
  std::vector<CastRecord> casts;  ///< that AMP inserted in the call in progress
  bool in_call = false;
  std::int64_t last_segment = 0;  ///< of the last call that was recorded
  std::int64_t last_site = 0;
  bool naming = false;  ///< walking a module tree calls functions that report modules themselves
};

thread_local ThreadScopes t_scopes;

void add(CastRecord& total, const CastRecord& cast) {
  total.casts += cast.casts;
  total.cache_hits += cast.cache_hits;
  total.bytes += cast.bytes;
  total.duration_ns += cast.duration_ns;
  total.rounded_twice += cast.rounded_twice;
}

std::unique_ptr<Shadow> shadow_for(const RecordOptions& options) {
  if (!options.inherited) return nullptr;
  return std::make_unique<Shadow>(options.reference == ReferenceMode::Double ? at::kDouble : at::kFloat);
}

}  // namespace

std::atomic<Session*> Session::current_{nullptr};

Session::Session(const RecordOptions& options)
    : options_(options),
      resident_at_start_(resident_bytes()),
      attach_(describe_torch()),
      recorder_(options.report, options.run, attach_),
      stages_(make_stages(*this)),
      shadow_(shadow_for(options)) {
  forget_peak_memory();
  decide_recording();
  recorder_.set_before_write([this](Batch& batch) {
    const std::lock_guard lock(mutex_);
    batch.segments.push_back(steps_.current());
    for (auto& [key, missing] : missing_) batch.missing.push_back(std::move(missing));
    missing_.clear();
  });
}

void Session::start(const RecordOptions& options) { current_.store(new Session(options), std::memory_order_release); }

void Session::finish() {
  Session* session = current_.exchange(nullptr);
  if (session == nullptr) return;
  {
    const std::lock_guard lock(session->mutex_);
    session->complete_late_calls();
    session->recorder_.add([&](Batch& batch) { session->take_impacts(batch); });
  }
  RunDetach detach;
  const std::int64_t seen = session->largest_resident_;
  const std::int64_t peak = seen > 0 ? seen : peak_resident_bytes();
  detach.peak_bytes = std::max<std::int64_t>(peak - session->resident_at_start_, 0);
  detach.wall_ns = session->now_ns();
  detach.tool_ns = session->tool_ns_;
  session->recorder_.close(detach);
}

std::int64_t Session::now_ns() const {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - started_).count();
}

// ---- one op call ---------------------------------------------------------------------------------------------------

const OpInfo& Session::info_of(const c10::OperatorHandle& op) {
  // What is read once never changes, so each thread remembers what it met: one lock less on every call.
  constexpr std::size_t kPlaces = 256;
  thread_local std::array<std::pair<const c10::FunctionSchema*, const OpInfo*>, kPlaces> met{};
  const c10::FunctionSchema* schema = &op.schema();
  auto& [known, info] = met[std::hash<const void*>{}(schema) / alignof(c10::FunctionSchema) % kPlaces];
  if (known != schema) {
    const std::lock_guard lock(mutex_);
    info = &ops_.of(op);
    known = schema;
  }
  return *info;
}

Phase Session::phase_of(const Call& call) const {
  if (inside_backward()) return Phase::Backward;
  if (t_scopes.optimizer_depth > 0 || call.info.unscales || call.info.updates_scale) return Phase::Optimizer;
  if (c10::GradMode::is_enabled()) return Phase::Forward;
  // Between backward and update: clipping, unscaling, or an optimizer of the program's own.
  if (steps_.awaits_update()) return Phase::Optimizer;
  return Phase::Inference;
}

void Session::finish_segment(const std::optional<Segment>& finished) {
  if (!finished) return;
  complete_late_calls();
  recorder_.add([&](Batch& batch) {
    batch.segments.push_back(*finished);
    take_impacts(batch);
  });
  decide_recording();
  // An optimizer that nothing announced, or a step that does not end with an update.
  if (steps_.expected_step() != finished->step && shadow_restarted_in_ != finished->id) restart_shadow();
}

void Session::decide_recording() {
  steps_.set_recorded(options_.records(steps_.expected_step(), steps_.current().start_ns));
  deep_ = options_.goes_deep(steps_.expected_step());
}

// What a program does between an update and the next step prepares that step: the rounding of its batch, say.
bool Session::is_recorded() const {
  if (steps_.current().recorded) return true;
  const bool prepares = options_.impact && steps_.is_step_over();
  return prepares && options_.records(steps_.current().step + 1, now_ns());
}

void Session::take_impacts(Batch& batch) {
  // Where nobody scales losses, nothing has to be divided.
  if (!has_engine_ && !has_grad_scaler_) impacts_.scale_was(1.0);
  for (LossImpact& impact : impacts_.take()) batch.impacts.push_back(std::move(impact));
}

// A shadow begins where the step before it ended, so that it sees the batch being cast. Before the first step it waits
// for the engine: until then there are no types to follow.
bool Session::is_followed(std::int64_t now) const {
  if (!shadow_) return false;
  const Segment& current = steps_.current();
  const auto is_wanted = [&](std::int64_t step) { return options_.records(step, now) && options_.goes_deep(step); };
  if (current.step == 0) return has_engine() && is_wanted(1);
  if (steps_.is_step_over()) return is_wanted(current.step + 1);
  return current.recorded && options_.goes_deep(steps_.expected_step());
}

void Session::restart_shadow() {
  if (shadow_) shadow_->memory().clear();
  shadow_restarted_in_ = steps_.current().id;
}

void Session::advance_segment(const Call& call, const ArgumentsSeen& arguments, std::int64_t now) {
  if (call.phase == Phase::Backward) steps_.backward_op();
  const bool makes_graph = call.phase == Phase::Forward && arguments.has_grad && call.info.returns_tensor &&
                           !call.info.writes_first && call.info.name != "detach";
  if (makes_graph) finish_segment(steps_.forward_op(now));
}

std::int32_t Session::module_of(const Call& call) {
  if (call.phase == Phase::Backward) {
    if (const auto* parameter = accumulated_parameter()) {
      const std::string* name = module_names_.name_of(parameter);
      return name == nullptr ? kUnknownModule : names_.id_of(module_of_parameter(*name));
    }
    return links_.module_of(backward_sequence_number()).value_or(kUnknownModule);
  }
  return module_around(call.arguments(), /*in_scope=*/call.phase != Phase::Optimizer);
}

std::int32_t Session::module_around(c10::ArrayRef<c10::IValue> arguments, bool in_scope) {
  in_scope = in_scope && !t_scopes.scopes.empty();
  if (in_scope && t_scopes.scopes.back().name != kUnknownModule) return t_scopes.scopes.back().name;
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
    if (const std::string path = script_module_path(); !path.empty()) return names_.id_of(path);
  }
  return module;
}

std::int64_t Session::site_of(Phase phase, std::int32_t module, const OpInfo& info) {
  const std::uint64_t key = static_cast<std::uint64_t>(module) << 32 | static_cast<std::uint64_t>(info.id) << 2 |
                            static_cast<std::uint64_t>(phase);
  SiteCounter& counter = counters_[key];
  if (counter.segment != steps_.current().id) counter.calls = 0;
  counter.segment = steps_.current().id;
  const auto ordinal = static_cast<std::size_t>(counter.calls++);
  if (ordinal < counter.sites.size()) return counter.sites[ordinal];

  counter.sites.push_back(++site_count_);
  CallSite site{.id = site_count_,
                .phase = phase,
                .module = names_.text_of(module),
                .op = info.name,
                .ordinal = static_cast<std::int32_t>(ordinal),
                .source = ""};
  recorder_.add([&](Batch& batch) { batch.call_sites.push_back(std::move(site)); });
  return site_count_;
}

std::int64_t Session::signature_of(const Call& call, const ArgumentsSeen& arguments) {
  const auto [place, is_new] = signatures_.try_emplace(arguments.hash, signatures_.size() + 1);
  if (is_new) {
    recorder_.add([&](Batch& batch) { batch.signatures.push_back({place->second, signature_text(call)}); });
  }
  return place->second;
}

bool Session::begin(Call& call, std::int64_t now) {
  const ArgumentsSeen arguments = look_at_arguments(call);
  const std::lock_guard lock(mutex_);
  call.phase = phase_of(call);
  call.first_node = at::sequence_number::peek();
  advance_segment(call, arguments, now);
  // An optimizer that nothing announces: it writes to leaves after a backward pass.
  if (arguments.writes_leaf && t_scopes.optimizer_depth == 0 && steps_.awaits_update() &&
      !c10::GradMode::is_enabled()) {
    steps_.updated(nullptr, false, now);
  }
  call.is_followed = is_followed(now);
  // A GradScaler's ops count in every step: where a step ends depends on them.
  const bool decides_steps = call.info.unscales || call.info.updates_scale;
  if (!is_recorded() && !decides_steps) return false;

  const std::int32_t module = module_of(call);
  call.module = module;
  call.record.segment = steps_.current().id;
  call.record.call_site = site_of(call.phase, module, call.info);
  call.record.signature = signature_of(call, arguments);
  call.record.dtype_in = static_cast<DType>(arguments.dtype_in);
  call.record.thread = thread_number();
  call.deep = deep_;
  if (call.phase == Phase::Backward) call.record.scale = scale_;
  t_scopes.casts.clear();
  t_scopes.in_call = true;
  call.with_values = decides_steps || recorder_.bytes_written() < options_.max_bytes;
  if (!call.with_values) {
    call.is_followed = false;
    note_missing("values of op calls", "the report reached its largest size",
                 "raise --max-report, or record fewer steps with --steps or --every");
  }
  return true;
}

void Session::end(Call& call, std::int64_t tool_ns) {
  if (!call.results().empty()) {
    for_each_tensor(call.results(), [&](const at::Tensor& tensor) {
      if (call.record.dtype_out == DType::Unknown && tensor.is_floating_point()) {
        call.record.dtype_out = dtype_of(tensor);
      }
    });
  }
  for (CastRecord& cast : t_scopes.casts) {
    cast.segment = call.record.segment;
    cast.call_site = call.record.call_site;
    call.record.cast_bytes += cast.bytes;
  }
  t_scopes.in_call = false;
  t_scopes.last_segment = call.record.segment;
  t_scopes.last_site = call.record.call_site;
  const std::lock_guard lock(mutex_);
  if (call.phase == Phase::Forward) links_.link(call.first_node, at::sequence_number::peek(), call.module);
  steps_.op_ended(call.record.start_ns + call.record.duration_ns);
  steps_.add_tool_time(tool_ns);
  tool_ns_ += tool_ns;
  record(call);
  if (!t_scopes.casts.empty()) {
    recorder_.add([](Batch& batch) { std::ranges::copy(t_scopes.casts, std::back_inserter(batch.casts)); });
  }
}

// ---- scopes and steps ----------------------------------------------------------------------------------------------

void Session::module_seen(const void* module) {
  if (t_scopes.naming) return;
  t_scopes.naming = true;
  {
    const Quiet quiet;
    const std::lock_guard lock(mutex_);
    module_names_.add_root(*static_cast<const torch::nn::Module*>(module));
  }
  t_scopes.naming = false;
}

void Session::module_entered(const void* module) {
  std::int32_t name = kUnknownModule;
  {
    const std::lock_guard lock(mutex_);
    const std::string* path = module_names_.path_of(module);
    // A module that no known tree holds runs as a part of what is around it.
    if (path != nullptr) {
      name = names_.id_of(*path);
    } else if (!t_scopes.scopes.empty()) {
      name = t_scopes.scopes.back().name;
    }
  }
  scope_entered(name, module);
}

void Session::scope_entered(std::int32_t name, const void* identity) {
  const bool outermost = t_scopes.scopes.empty();
  t_scopes.scopes.push_back({name, identity});
  if (!outermost || c10::GradMode::is_enabled() || inside_backward()) return;
  const std::lock_guard lock(mutex_);
  const auto finished = steps_.inference_module_entered(identity, now_ns());
  finish_segment(finished);
  if (finished) trace_.clear();
}

void Session::scope_left() {
  if (!t_scopes.scopes.empty()) t_scopes.scopes.pop_back();
}

std::int32_t Session::intern(const char* name) {
  const std::lock_guard lock(mutex_);
  return names_.id_of(name);
}

void Session::parameter_named(void* tensor, const char* name) {
  const std::lock_guard lock(mutex_);
  module_names_.add_parameter(static_cast<c10::TensorImpl*>(tensor), name);
}

std::string Session::module_making_call(c10::ArrayRef<c10::IValue> arguments) {
  const std::lock_guard lock(mutex_);
  return names_.text_of(module_around(arguments, /*in_scope=*/true));
}

void Session::master_created(const at::Tensor& parameter, const at::Tensor& master) {
  const std::lock_guard lock(mutex_);
  masters_.add(parameter, master);
  module_names_.add_copy(parameter.unsafeGetTensorImpl(), master.unsafeGetTensorImpl());
  if (shadow_) shadow_->memory().link(parameter, master);
}

void Session::optimizer_begun() { ++t_scopes.optimizer_depth; }

void Session::optimizer_ended(const void* optimizer, bool skipped) {
  if (t_scopes.optimizer_depth > 0) --t_scopes.optimizer_depth;
  if (t_scopes.optimizer_depth > 0) return;  // the AMP engine's step around LibTorch's own
  const std::lock_guard lock(mutex_);
  steps_.updated(optimizer, skipped, now_ns());
  if (steps_.is_step_over()) restart_shadow();
  complete_late_calls();
  trace_.clear_unless_from_optimizer();
}

void Session::step_ended() {
  const std::lock_guard lock(mutex_);
  finish_segment(steps_.step_ended(now_ns()));
}

void Session::add_cast(const CastRecord& cast) {
  auto& casts = t_scopes.casts;
  if (t_scopes.in_call) {
    const auto same = [&](const CastRecord& other) { return other.from == cast.from && other.to == cast.to; };
    const auto found = std::ranges::find_if(casts, same);
    found == casts.end() ? casts.push_back(cast) : add(*found, cast);
    return;
  }
  // Of a model's input: it was a call by itself.
  if (t_scopes.last_site == 0) return;
  CastRecord made = cast;
  made.segment = t_scopes.last_segment;
  made.call_site = t_scopes.last_site;
  recorder_.add([&](Batch& batch) { batch.casts.push_back(made); });
}

}  // namespace ampprof::profiler
