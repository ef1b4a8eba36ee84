// SPDX-License-Identifier: Apache-2.0
#include "profiler/torch_hooks/collective_work.h"

#include <c10/core/impl/LocalDispatchKeySet.h>

#include <array>
#include <exception>
#include <torch/csrc/distributed/c10d/GroupRegistry.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <utility>

#include "profiler/torch_hooks/observer_key.h"

namespace ampprof::profiler {
namespace {

/// Returns the argument of that name; null if the op has none.
const c10::IValue* argument_named(const c10::OperatorHandle& op, const char* name,
                                  c10::ArrayRef<c10::IValue> arguments) {
  const auto place = op.schema().argumentIndexWithName(name);
  return place ? &arguments[static_cast<std::size_t>(*place)] : nullptr;
}

std::string reduction_name(c10d::ReduceOp::RedOpType reduction) {
  constexpr std::array kNames{"sum", "avg", "product", "min", "max", "band", "bor", "bxor", "premul_sum"};
  const auto place = static_cast<std::size_t>(reduction);
  return place < kNames.size() ? kNames[place] : "";
}

std::string group_name(const c10d::ProcessGroup& group) {
  try {
    return group.getGroupName();
  } catch (const std::exception&) {  // in 2.9 only groups with backends have names
    return "";
  }
}

/// Returns the number of ranks in a group; 0 if no group has the name.
std::int64_t size_of_group(const std::string& name) {
  try {
    return c10d::resolve_process_group(name)->getSize();
  } catch (const std::exception&) {
    return 0;
  }
}

thread_local std::vector<c10::IValue>* t_works = nullptr;  // list of the run_for_works() in progress on this thread
thread_local std::vector<c10::IValue> t_works_begun;  // Works of the last op that run_for_works() ran on this thread

/// For the guard's lifetime, appends Works that begin on this thread to a list.
class [[nodiscard]] WorksGoTo {
 public:
  explicit WorksGoTo(std::vector<c10::IValue>& works) : before_(std::exchange(t_works, &works)) {}
  ~WorksGoTo() { t_works = before_; }
  WorksGoTo(const WorksGoTo&) = delete;
  WorksGoTo& operator=(const WorksGoTo&) = delete;

 private:
  std::vector<c10::IValue>* before_;
};

}  // namespace

bool takes_group(const c10::FunctionSchema& schema) {
  return schema.argumentIndexWithName("process_group") || schema.argumentIndexWithName("group_name");
}

GroupOfCall group_of(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) {
  GroupOfCall found;
  if (const auto* group = argument_named(op, "process_group", arguments); group != nullptr && group->isCustomClass()) {
    if (const auto ranks = group->toCustomClass<c10d::ProcessGroup>()) {
      found.name = group_name(*ranks);
      found.size = ranks->getSize();
    }
  }
  if (const auto* name = argument_named(op, "group_name", arguments); name != nullptr && name->isString()) {
    found.name = name->toStringRef();
    found.size = size_of_group(found.name);
  }
  if (const auto* reduction = argument_named(op, "reduce_op", arguments); reduction != nullptr) {
    if (reduction->isString()) found.reduction = reduction->toStringRef();
    if (reduction->isCustomClass()) found.reduction = reduction_name(reduction->toCustomClass<c10d::ReduceOp>()->op_);
  }
  return found;
}

bool keeps_its_work(const c10::OperatorHandle& op) {
  return op.operator_name().name.starts_with("_c10d_functional::") && takes_group(op.schema());
}

void run_for_works(const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack& stack) {
  std::vector<c10::IValue> works;
  {
    const WorksGoTo list(works);
    op.redispatchBoxed(below, &stack);
  }
  t_works_begun = std::move(works);
}

std::vector<c10::IValue> take_works_begun() { return std::exchange(t_works_begun, {}); }

bool inside_run_for_works() { return t_works != nullptr; }

void run_inner_for_works(const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack& stack) {
  const c10::impl::ExcludeDispatchKeyGuard inner_ops_are_part_of_this_one(kObserverKey);
  op.redispatchBoxed(below, &stack);
  if (!stack.empty() && stack.back().isCustomClass() && takes_group(op.schema())) t_works->push_back(stack.back());
}

void when_done(c10::ArrayRef<c10::IValue> results, std::function<void()> done) {
  if (results.empty() || !results.back().isCustomClass()) return;
  const auto work = results.back().toCustomClass<c10d::Work>();
  if (!work) return;
  c10::intrusive_ptr<c10::ivalue::Future> future;
  try {
    future = work->getFuture();
  } catch (const std::exception&) {  // the backend does not support futures, or this is a point-to-point op
    return;
  }
  if (!future) return;
  // With uses_future=true, streams would be created and synchronized for the callback.
  future->addCallback([done = std::move(done)](c10::ivalue::Future&) { done(); }, /*uses_future=*/false);
}

}  // namespace ampprof::profiler
