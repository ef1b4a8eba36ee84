// SPDX-License-Identifier: Apache-2.0
#include "profiler/attach/compiled_region.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <map>
#include <mutex>
#include <ranges>
#include <utility>

#include "precision/replay/reference/fp32_mode.h"
#include "precision/replay/reference/skipped.h"
#include "profiler/attach/call_access.h"
#include "profiler/attach/observed_call.h"
#include "profiler/nvtx/emit.h"
#include "profiler/observer/call_phase.h"
#include "profiler/observer/session.h"
#include "profiler/replays/call_replays.h"
#include "profiler/replays/step_replays.h"
#include "profiler/torch_hooks/guarded.h"
#include "profiler/torch_hooks/leaf_calls.h"
#include "profiler/torch_hooks/torch_state.h"
#include "reports/records/compiled_region.h"

namespace ampprof::profiler {
namespace {

/// Returns the operator that represents a region. Its schema takes and returns a list of tensors. It has no kernel,
/// because it is never called.
c10::OperatorHandle operator_of(const std::string& name) {
  static std::mutex mutex;
  static auto& registered = *new std::map<std::string, c10::RegistrationHandleRAII>;  // lives as long as the dispatcher
  const std::string op(kCompiledRegion);
  const std::lock_guard lock(mutex);
  if (!registered.contains(name)) {
    c10::FunctionSchema schema(op, name, {c10::Argument("inputs", c10::ListType::ofTensors())},
                               {c10::Argument("", c10::ListType::ofTensors())});
    registered.emplace(name, c10::Dispatcher::singleton().registerDef(std::move(schema), "ampprof"));
  }
  return c10::Dispatcher::singleton().findSchemaOrThrow(op.c_str(), name.c_str());
}

c10::IValue listed(const std::vector<at::Tensor>& tensors) {
  c10::List<at::Tensor> list;
  for (const at::Tensor& tensor : tensors) list.push_back(tensor);
  return list;
}

}  // namespace

RegionCall::RegionCall(Session& session, const c10::OperatorHandle& op, const OpInfo& info,
                       std::vector<at::Tensor> inputs)
    : session_(session),
      entered_ns_(session.core().clock.now_ns()),
      op_(op),
      stack_{listed(inputs)},
      call_{{.op = op_, .info = info, .stack = stack_, .thread = ThreadState::current()}} {
  ++call_.thread.hidden;
}

RegionCall::~RegionCall() {
  restore_random_state();
  --call_.thread.hidden;
  call_.thread.in_call = false;
  if (has_range_) emission::pop();
}

std::unique_ptr<RegionCall> RegionCall::begin(Session& session, const std::string& name,
                                              std::vector<at::Tensor> inputs) {
  ThreadState& thread = ThreadState::current();
  if (thread.hidden > 0 || is_inside_leaves() || is_traced()) return nullptr;
  const c10::OperatorHandle op = operator_of(name);
  std::unique_ptr<RegionCall> call(new RegionCall(session, op, session.calls().info_of(op, thread), std::move(inputs)));
  return call->begin() ? std::move(call) : nullptr;
}

bool RegionCall::begin() {
  if (!session_.calls().begin(call_)) return false;
  const recording::Options& options = session_.core().options;
  guarded(FaultPlace::BeginCall, [&] { check_memory_budget(session_.core(), call_); });
  is_compared_ = call_.phase != Phase::Optimizer && call_.access.is_readable &&
                 options.reference != recording::ReferenceMode::Off && options.what_if.empty() &&
                 options.screen.empty();
  if (call_.phase == Phase::Optimizer) leaves_ = session_.calls().leaves_with_gradients(call_);
  begin_stages(call_);
  if (call_.has_replays) {
    const StepReplays& replays = session_.core().replays;
    for (std::size_t i = 0; i < replays.size(); ++i) prepared_.push_back(replays.step(i)->prepare(op_, stack_));
  }
  ours_.emplace();
  return true;
}

std::optional<at::ScalarType> RegionCall::compared_in(std::string_view functions) const {
  if (!is_compared_) return std::nullopt;
  at::ScalarType type = precision_of(session_.core().options);
  for (const auto name : std::views::split(functions, ' ')) {
    type = reference::unshortened(std::string_view(name.begin(), name.end()), call_.arguments(), type);
  }
  return type;
}

void RegionCall::start() {
  SessionCore& core = session_.core();
  guarded(FaultPlace::CompiledRegion, [&] {
    if (is_compared_) as_it_began_.emplace(stack_);
    if (core.ranges.is_listened_to()) {
      emission::push(emission::Kind::Op, call_.info.name.c_str());
      has_range_ = true;
    }
    launched_.emplace(core.gpu.recording(), LaunchedBy{call_.recorded_segment(), call_.record.call_site});
  });
  ours_.reset();
  call_.record.start_ns = core.clock.now_ns();
}

bool RegionCall::stop(bool keeps_graph) {
  call_.record.duration_ns = session_.core().clock.now_ns() - call_.record.start_ns;
  ours_.emplace();
  launched_.reset();
  if (std::exchange(has_range_, false)) emission::pop();
  if (!as_it_began_) return false;
  return guarded(FaultPlace::CompiledRegion, [&] {
    as_it_ended_.emplace(stack_);
    as_it_began_->restore();
    if (keeps_graph) graph_.emplace();
  });
}

void RegionCall::restore_random_state() {
  if (as_it_ended_) as_it_ended_->restore();
  as_it_ended_.reset();
}

/// Returns the references in the form of a replay's result. Results cannot be compared if the two graphs drew different
/// random numbers. The final states of the generators show this.
reference::Replay RegionCall::replay_of(const std::vector<at::Tensor>& results, std::vector<at::Tensor> references,
                                        const std::string& why_not) {
  using Outcome = reference::ReplayOutcome;
  if (!as_it_ended_) return {.outcome = Outcome::NotNeeded, .outputs = {}, .reason = ""};
  const bool drew_other_numbers = as_it_ended_->moved();
  restore_random_state();
  if (!why_not.empty()) return {.outcome = Outcome::Failed, .outputs = {}, .reason = why_not};
  if (drew_other_numbers) return {.outcome = Outcome::Random, .outputs = {}, .reason = ""};
  return {.outcome = Outcome::Ran, .outputs = reference::paired(listed(references), listed(results)), .reason = ""};
}

void RegionCall::follow() {
  for (std::size_t i = 0; i < prepared_.size(); ++i) {
    auto& step = *session_.core().replays.step(i);
    const reference::Replay again = step.follow(op_, std::move(prepared_[i]), stack_);
    if (session_.core().replays.have_recipes()) step.lose(stack_);  // no recipe was applied inside the region
    if (again.outcome != reference::ReplayOutcome::Unsupported) continue;
    note_not_followed(session_.core().missing, call_.info.name, again.reason);
  }
}

bool RegionCall::end(const std::vector<at::Tensor>& results, std::vector<at::Tensor> references,
                     const std::string& why_not) {
  SessionCore& core = session_.core();
  graph_.reset();
  call_.saved.known = std::make_shared<const reference::Replay>(replay_of(results, std::move(references), why_not));
  const bool has_references = call_.saved.known->outcome == reference::ReplayOutcome::Ran;
  stack_ = {listed(results)};
  follow();
  ours_.reset();
  check_readability_of_results(core, call_);
  guarded(FaultPlace::EndCall, [&] { check_memory_budget_of_results(core, call_); });
  end_stages(call_);
  const std::int64_t own_ns = core.clock.now_ns() - entered_ns_ - call_.record.duration_ns;
  guarded(FaultPlace::EndCall, [&] {
    leave_call(call_.thread);
    session_.calls().end(call_, own_ns);
    session_.calls().notice_written(call_, leaves_);
  });
  guarded(FaultPlace::RecordCall, [&] {
    core.lock()->regions.add_call(call_.record.duration_ns);
    record_call(core, call_);
  });
  return has_references;
}

}  // namespace ampprof::profiler
