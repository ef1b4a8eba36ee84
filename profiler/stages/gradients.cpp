// SPDX-License-Identifier: Apache-2.0
#include "profiler/stages/gradients.h"

#include "precision/replay/reference/reference.h"
#include "profiler/calls/call.h"

namespace ampprof::profiler {

bool Gradients::contains(const c10::Argument& argument, const at::Tensor& tensor) const {
  return argument.name().starts_with("grad") || holds(tensor);
}

bool Gradients::follow(const Call& call) {
  if (call.phase == Phase::Backward && takes_one(call)) {
    for (const at::Tensor& output : reference::tensors_in(call.results())) add(output);
    return true;
  }
  // What a backward pass begins with: the gradient of the loss with respect to itself.
  if (call.phase == Phase::Forward && call.info.name == "ones_like") {
    for (const at::Tensor& output : reference::tensors_in(call.results())) {
      if (output.defined() && output.numel() == 1) add(output);
    }
  }
  return false;
}

bool Gradients::takes_one(const Call& call) const {
  const auto& arguments = call.op.schema().arguments();
  bool takes = false;
  for (std::size_t i = 0; i < call.saved.arguments.size(); ++i) {
    reference::visit_tensors(call.saved.arguments[i], [&](const at::Tensor& tensor) {
      takes = takes || (tensor.defined() && contains(arguments[i], tensor));
    });
  }
  return takes;
}

bool Gradients::holds(const at::Tensor& tensor) const {
  if (!tensor.defined() || !tensor.has_storage()) return false;
  const auto found = memory_.find(tensor.storage().unsafeGetStorageImpl());
  return found != memory_.end() && !found->second.expired();
}

void Gradients::add(const at::Tensor& tensor) {
  if (!tensor.defined() || !tensor.has_storage()) return;
  memory_.insert_or_assign(tensor.storage().unsafeGetStorageImpl(), tensor.storage().getWeakStorageImpl());
  if (memory_.size() >= purge_at_) purge();
}

void Gradients::purge() {
  std::erase_if(memory_, [](const auto& entry) { return entry.second.expired(); });
  purge_at_ = std::max<std::size_t>(64, 2 * memory_.size());
}

}  // namespace ampprof::profiler
