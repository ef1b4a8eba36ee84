// SPDX-License-Identifier: Apache-2.0
// Pairs for --what-if TYPE: judges each op of an FP32 program as if its inputs and outputs had another type.
#include <ATen/ATen.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <mutex>
#include <unordered_map>

#include "precision/replay/reference/arithmetic.h"
#include "precision/replay/reference/reference.h"
#include "precision/tensors/dtype_of.h"
#include "precision/tensors/plain_memory.h"
#include "precision/tensors/round_to.h"
#include "profiler/calls/call.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/stages/pair_source.h"

namespace ampprof::profiler {
namespace {

/// Finds the gradients among the tensors of a backward pass: the tensors that a loss scale would multiply. All other
/// tensors (saved activations, weights, values computed from these alone) would keep their values.
///
/// An argument is a gradient if its name in the schema begins with "grad", or if a backward op that took a gradient
/// returned its storage. Keyed by storage, so views count. Entries expire with their storage. Not thread-safe.
class Gradients {
 public:
  /// Returns whether `argument` of a call in this phase is a gradient, or a list of gradients.
  bool contains(const c10::Argument& argument, const at::Tensor& tensor) const;

  /// Call it after an op ran. If the op took a gradient in a backward pass, its results are gradients, and it returns
  /// true.
  bool follow(const Call& call);

 private:
  using Memory = c10::weak_intrusive_ptr<c10::StorageImpl>;

  void add(const at::Tensor& tensor);
  bool holds(const at::Tensor& tensor) const;
  bool takes_one(const Call& call) const;
  void purge();

  std::unordered_map<const c10::StorageImpl*, Memory> memory_;
  std::size_t purge_at_ = 64;
};

bool Gradients::contains(const c10::Argument& argument, const at::Tensor& tensor) const {
  return argument.name().starts_with("grad") || holds(tensor);
}

bool Gradients::follow(const Call& call) {
  if (call.phase == Phase::Backward && takes_one(call)) {
    for (const at::Tensor& output : reference::tensors_in(call.results())) add(output);
    return true;
  }
  // backward() begins with the gradient of the loss with respect to itself, which it makes with ones_like.
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

/// Returns the tensor in the type that the op would return. Unchanged for TF32, whose matmuls return FP32.
at::Tensor as_output(const at::Tensor& tensor, error::WhatIfType type) {
  const error::NumberFormat& format = format_of(type);
  return format.is_input_only() ? tensor : tensor.to(tensors::scalar_type_of(format.dtype).value());
}

/// Rounds operands to another type. Gradients are multiplied by the loss scale, rounded, and divided again.
class RoundedOperands : public reference::Exact {
 public:
  using IsGradient = std::function<bool(const c10::Argument&, const at::Tensor&)>;

  RoundedOperands(error::WhatIfType type, double scale, IsGradient is_gradient)
      : Exact(at::kFloat), type_(type), scale_(scale), is_gradient_(std::move(is_gradient)) {}

  c10::IValue convert(const c10::Argument& argument, const c10::IValue& value, at::ScalarType) const override {
    return reference::for_replay(argument, value, [this](const c10::Argument& of, const at::Tensor& tensor) {
      if (!tensor.defined() || !tensor.is_floating_point()) return tensor;
      return is_gradient_(of, tensor) ? at::div(tensors::round_to(at::mul(tensor, scale_), type_), scale_)
                                      : tensors::round_to(tensor, type_);
    });
  }

 private:
  const error::WhatIfType type_;
  const double scale_;
  const IsGradient is_gradient_;
};

class RoundedPairs : public PairSource {
 public:
  RoundedPairs(error::WhatIfType type, double scale, MissingNotes& missing)
      : type_(type), scale_(scale), missing_(missing) {}

  bool wants(const OpInfo& info) const override {
    return info.returns_tensor && !info.leaves_memory_unset && !info.is_compiled_region;
  }

  void before(Call& call) override {
    call.saved = reference::save_call(call.op, call.stack, reference::CopyWritten::Always);
  }

  std::optional<Pairs> after(Call& call) override {
    const bool is_gradient = follow(call);
    // Mixed precision keeps optimizer updates in FP32. The update stage reports what weights would lose in `type_`.
    if (call.phase == Phase::Optimizer) return std::nullopt;
    const RoundedOperands rounded(type_, scale_, [&](const c10::Argument& argument, const at::Tensor& tensor) {
      return call.phase == Phase::Backward && this->is_gradient(argument, tensor);
    });
    reference::Replay replay = reference::replay(call.op, call.as_computed(), call.results(), rounded);
    if (replay.outcome == reference::ReplayOutcome::View) return std::nullopt;
    if (replay.outcome == reference::ReplayOutcome::Random) {
      replay.outcome = reference::ReplayOutcome::Unsupported;
      replay.reason = "it is random";
    }
    note_if_not_replayed(missing_, call, replay);
    if (is_gradient) call.record.scale = scale_;
    return pairs_of(call, replay, is_gradient ? scale_ : 1.0);
  }

 private:
  bool follow(const Call& call) {
    const std::lock_guard lock(mutex_);
    return gradients_.follow(call);
  }

  bool is_gradient(const c10::Argument& argument, const at::Tensor& tensor) {
    const std::lock_guard lock(mutex_);
    return gradients_.contains(argument, tensor);
  }

  /// Takes the program's results as the reference for the replay with rounded inputs. Gradients are compared after
  /// multiplication by the loss scale, as a run with loss scaling would record them.
  Pairs pairs_of(const Call& call, const reference::Replay& replay, double scale) const {
    Pairs found;
    const std::vector<at::Tensor> outputs = reference::tensors_in(call.results());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!tensors::is_measurable(outputs[i])) continue;
      const bool is_judged = i < replay.outputs.size() && replay.outputs[i].defined();
      const auto scaled = [&](const at::Tensor& tensor) { return scale == 1.0 ? tensor : at::mul(tensor, scale); };
      const at::Tensor high = scaled(outputs[i]);
      found.pairs.push_back({.output = outputs[i],
                             .low = is_judged ? as_output(scaled(replay.outputs[i]), type_) : high,
                             .high = is_judged ? high : at::Tensor()});
    }
    return found;
  }

  const error::WhatIfType type_;
  const double scale_;
  MissingNotes& missing_;
  std::mutex mutex_;
  Gradients gradients_;
};

}  // namespace

std::unique_ptr<PairSource> rounded_pairs(error::WhatIfType type, double scale, MissingNotes& missing) {
  return std::make_unique<RoundedPairs>(type, scale, missing);
}

}  // namespace ampprof::profiler
