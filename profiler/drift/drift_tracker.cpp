// SPDX-License-Identifier: Apache-2.0
#include "profiler/drift/drift_tracker.h"

#include <ATen/ExpandUtils.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "precision/drift/sample.h"
#include "precision/replay/reference/reference.h"
#include "precision/tensors/dtype_of.h"
#include "profiler/calls/call.h"
#include "profiler/calls/parameter_facts.h"
#include "profiler/drift/read_sample.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

/// Largest relative difference between a number and its stochastically rounded value: two ulp of BF16.
constexpr double kRoundingOfBits = 0x1p-6;

/// An unnamed tensor gets no name any more after writes in more than this many segments.
constexpr std::int64_t kSegmentsToName = 2;

/// Limit on the tensors of earlier segments that a result may continue.
constexpr std::size_t kMostAncestors = 8;

bool is_number(const at::Tensor& tensor) { return tensor.defined() && tensor.is_floating_point(); }

bool is_integer(const at::Tensor& tensor) {
  return tensor.defined() && c10::isIntegralType(tensor.scalar_type(), /*includeBool=*/false);
}

bool fills_its_memory(const at::Tensor& tensor) {
  return tensor.has_storage() && tensor.storage().nbytes() == static_cast<std::size_t>(tensor.nbytes());
}

bool needs_no_gradient(c10::ArrayRef<c10::IValue> arguments) {
  bool needs_one = false;
  for_each_tensor(arguments, [&](const at::Tensor& tensor) { needs_one = needs_one || tensor.requires_grad(); });
  return !needs_one;
}

bool is_update(const CallContext& call) {
  switch (call.phase) {
    case Phase::Optimizer:
    case Phase::Inference:
      return true;
    case Phase::Backward:
      return call.info.writes_first && accumulated_parameter() != nullptr;
    case Phase::Forward:
      return needs_no_gradient(call.info.writes_first ? call.arguments().slice(0, 1) : call.arguments());
    case Phase::Recompute:
      return false;
  }
  return false;
}

const at::Tensor* tensor_of(const ElementwiseCall::Argument& argument) {
  const auto* tensor = std::get_if<at::Tensor>(&argument);
  return tensor != nullptr && tensor->defined() ? tensor : nullptr;
}

/// Returns the sizes of an element-wise op's result; empty if the operands do not broadcast.
std::optional<std::vector<std::int64_t>> sizes_of(const ElementwiseCall& call) {
  if (call.target.defined()) return call.target.sizes().vec();
  std::vector<std::int64_t> sizes;
  for (const auto& argument : call.arguments) {
    const at::Tensor* tensor = tensor_of(argument);
    if (tensor == nullptr) continue;
    if (!at::are_expandable(sizes, tensor->sizes())) return std::nullopt;
    sizes = at::infer_size(sizes, tensor->sizes());
  }
  return sizes;
}

bool is_of_same_kind(const FollowedTensor& known, const at::Tensor& tensor) {
  return known.row.dtype == tensors::dtype_of(tensor) && tensor.sizes() == at::IntArrayRef(known.sizes);
}

std::vector<double> to_vector(std::span<const double> values) { return {values.begin(), values.end()}; }

}  // namespace

/// The sampled operands of an element-wise call.
struct DriftTracker::Values {
  std::vector<std::vector<double>> local, exact;
  std::vector<double> target{};  ///< the program's values of the target before the call; empty without a target
  bool has_followed = false;     ///< an operand other than the target is a followed tensor
  bool through_bits = false;

  static std::vector<double> compute(const drift::ElementwiseOp& op, const std::vector<std::vector<double>>& of,
                                     std::size_t size) {
    std::vector<drift::Operand> operands;
    for (const std::vector<double>& values : of) operands.emplace_back(std::span<const double>(values));
    std::vector<double> result(size);
    op.compute(operands, result);
    return result;
  }
};

std::optional<DriftTracker::Values> DriftTracker::values_of(const ElementwiseCall& call, at::IntArrayRef sizes) {
  Values values;
  for (const auto& argument : call.arguments) {
    const at::Tensor* tensor = tensor_of(argument);
    if (tensor == nullptr) {
      values.local.push_back({std::get_if<double>(&argument) ? std::get<double>(argument) : std::nan("")});
      values.exact.push_back(values.local.back());
      continue;
    }
    auto run = read_sample(*tensor, sizes);
    if (!run) return std::nullopt;
    const bool lines_up = is_number(*tensor) && tensor->sizes() == sizes;
    const bool is_target = tensor->is_same(call.target);
    if (is_target) values.target = *run;
    values.has_followed = values.has_followed || (!is_target && tensors_.find(*tensor) != nullptr);
    Unrounded unrounded = lines_up ? this->unrounded(*tensor, *std::move(run)) : Unrounded{*run, *run, false};
    values.through_bits = values.through_bits || unrounded.through_bits;
    values.local.push_back(std::move(unrounded.local));
    values.exact.push_back(std::move(unrounded.exact));
  }
  return values;
}

DriftTracker::Unrounded DriftTracker::unrounded(const at::Tensor& tensor, std::vector<double> run) {
  const auto known = tensors_.find(tensor);
  if (known == nullptr) return {run, run, false};
  if (!known->may_be_changed_bits && !known->sample.is_current(run)) {
    tensors_.restart(*known, run);
    return {run, run, false};
  }
  Unrounded values{.local = to_vector(known->sample.local(segment_)),
                   .exact = to_vector(known->sample.exact()),
                   .through_bits = known->may_be_changed_bits || known->is_through_bits};
  if (!known->may_be_changed_bits) return values;
  for (std::size_t i = 0; i < run.size(); ++i) {
    const double largest = std::max(std::abs(run[i]), std::abs(values.local[i]));
    if (!(std::abs(run[i] - values.local[i]) <= kRoundingOfBits * largest)) values.local[i] = values.exact[i] = run[i];
  }
  return values;
}

/// Returns the first argument that is an integer view of a followed tensor. Code for stochastic rounding adds random
/// bits to such a view, and cuts bits off.
at::Tensor DriftTracker::followed_bits(const CallContext& call) const {
  at::Tensor bits;
  for_each_tensor(call.arguments(), [&](const at::Tensor& tensor) {
    if (!bits.defined() && is_integer(tensor) && tensors_.find(tensor) != nullptr) bits = tensor;
  });
  return bits;
}

void DriftTracker::see_segment(const CallContext& call) {
  const bool in_backward = call.phase == Phase::Backward;
  const bool begins_step = !in_backward && call.record.segment != recorded_segment_;
  if (in_backward == in_backward_ && !begins_step) return;
  if (in_backward && !std::exchange(has_backward_, true)) tensors_.clear();  // initialization does not count as drift
  in_backward_ = in_backward;
  recorded_segment_ = call.record.segment;
  ++segment_;
  tensors_.sweep();
}

std::vector<FollowedTensors::Pointer> DriftTracker::ancestors_of(const ElementwiseCall& one) const {
  std::vector<FollowedTensors::Pointer> ancestors;
  for (const auto& argument : one.arguments) {
    const at::Tensor* tensor = tensor_of(argument);
    const auto known = tensor == nullptr ? nullptr : tensors_.find(*tensor);
    if (known == nullptr) continue;
    const bool lived_before = known->made_in < segment_ || known->sample.segments() > 0;
    if (known->made_by != 0 && lived_before) ancestors.push_back(known);
    ancestors.insert(ancestors.end(), known->ancestors.begin(), known->ancestors.end());
  }
  if (ancestors.size() > kMostAncestors) ancestors.resize(kMostAncestors);
  return ancestors;
}

/// Names a result. If the tensor is neither a parameter nor a gradient, it is optimizer state, and gets the name of the
/// parameter from whose gradient or value it is computed.
void DriftTracker::name(PendingResult& result, const CallContext& call, const ElementwiseCall& one) {
  const auto known = one.target.defined() ? tensors_.find(one.target) : nullptr;
  if (known != nullptr && (!known->row.parameter.empty() || known->sample.segments() > kSegmentsToName)) return;
  const auto take = [&](DriftRole role, std::string name) {
    if (result.parameter.empty() && !name.empty()) result.role = role, result.parameter = std::move(name);
  };
  if (one.target.defined()) {
    take(DriftRole::Parameter, parameters_.name_of(one.target));
    if (call.phase == Phase::Backward) take(DriftRole::Gradient, parameters_.name_of_accumulated());
    take(DriftRole::Gradient, parameters_.owner_of_gradient(one.target));
  }
  for (const auto& argument : one.arguments) {
    const at::Tensor* other = tensor_of(argument);
    if (other == nullptr || other->is_same(one.target)) continue;
    take(DriftRole::State, parameters_.owner_of_gradient(*other));
    take(DriftRole::State, parameters_.name_of(*other));
    if (const auto followed = tensors_.find(*other)) take(DriftRole::State, followed->row.parameter);
  }
}

std::optional<DriftTracker::PendingResult> DriftTracker::result_of(const CallContext& call,
                                                                   const ElementwiseCall& one) {
  const auto sizes = sizes_of(one);
  if (!sizes) return std::nullopt;
  auto values = values_of(one, *sizes);
  if (!values) return std::nullopt;
  PendingResult result{.target = one.target, .before = std::move(values->target)};
  const auto size = static_cast<std::size_t>(std::min(c10::multiply_integers(*sizes), drift::kSampleSize));
  result.next = {.local = Values::compute(*one.op, values->local, size),
                 .exact = Values::compute(*one.op, values->exact, size),
                 .through_bits = values->through_bits};
  result.begins_anew = one.overwrites() && !values->has_followed;
  const bool is_part = one.target.defined() && !fills_its_memory(one.target);
  if (result.begins_anew && is_part && tensors_.find(one.target) == nullptr) return std::nullopt;
  if (!one.target.defined()) result.ancestors = ancestors_of(one);
  name(result, call, one);
  return result;
}

DriftTracker::PendingCall DriftTracker::begin(const CallContext& call) {
  const bool updates = is_update(call);
  const std::lock_guard lock(mutex_);
  see_segment(call);
  if (!updates) return {};
  if (call.access.is_on_gpu) {
    writes_on_gpu_ = writes_on_gpu_ || call.info.writes_first;
    return {};
  }
  PendingCall pending{.bits = followed_bits(call)};
  if (pending.bits.defined()) return pending;
  for (const ElementwiseCall& one : elementwise_calls(call)) {
    auto result = one.target.defined() && !is_number(one.target) ? std::nullopt : result_of(call, one);
    pending.results.push_back(result ? *std::move(result) : PendingResult{});
  }
  return pending;
}

/// Returns a write whose spans refer to `pending` and `run`, the program's values. Both must outlive the write.
drift::Write DriftTracker::write_of(const CallContext& call, const PendingResult& pending,
                                    std::span<const double> run) const {
  return {.run = run,
          .local = pending.next.local,
          .exact = pending.next.exact,
          .segment = segment_,
          .call_site = call.record.call_site,
          .through_bits = pending.next.through_bits};
}

void DriftTracker::put_write(const CallContext& call, const PendingResult& pending) {
  const auto run = read_sample(pending.target, pending.target.sizes());
  if (!run) return;
  const drift::Write write = write_of(call, pending, *run);
  auto known = tensors_.find(pending.target);
  if (known == nullptr || pending.begins_anew) {
    known = tensors_.follow(pending.target,
                            pending.begins_anew ? drift::FollowedSample(write) : drift::FollowedSample(pending.before));
  }
  if (!pending.parameter.empty()) known->row.role = pending.role, known->row.parameter = pending.parameter;
  known->may_be_changed_bits = false;
  if (pending.begins_anew) return;
  // A write outside of backward clips or unscales the gradient. It does not accumulate, so the sample begins anew.
  if (known->row.role == DriftRole::Gradient && call.phase != Phase::Backward) tensors_.renew(*known, segment_);
  known->sample.write(write);
}

/// Follows a returned tensor. `x = x + 1` continues the sample of the x that the same call site made in an earlier
/// segment.
void DriftTracker::put_result(const CallContext& call, const PendingResult& pending, const at::Tensor& result) {
  if (!is_number(result) || tensors_.find(result) != nullptr) return;  // a view, or one of the arguments
  const auto run = read_sample(result, result.sizes());
  if (!run || run->size() != pending.next.exact.size()) return;
  const drift::Write write = write_of(call, pending, *run);
  const auto known = tensors_.follow(result, drift::FollowedSample(write));
  known->made_in = segment_;
  known->made_by = call.record.call_site;
  known->ancestors = pending.ancestors;
  known->is_through_bits = pending.next.through_bits;
  known->row.role = pending.role;
  known->row.parameter = pending.parameter;
  const auto before = std::ranges::find_if(pending.ancestors, [&](const FollowedTensors::Pointer& ancestor) {
    return ancestor->made_by == known->made_by && !ancestor->has_successor && is_of_same_kind(*ancestor, result);
  });
  if (before == pending.ancestors.end()) return;
  (*before)->has_successor = true;
  known->sample = (*before)->sample;
  known->sample.write(write);
  if (known->row.parameter.empty()) known->row = (*before)->row;
}

/// Starts to follow all integer results of the call, with the exact values of `bits`.
void DriftTracker::put_bits(const CallContext& call, const at::Tensor& bits, std::span<const at::Tensor> results) {
  const auto known = tensors_.find(bits);
  if (known == nullptr) return;
  if (call.info.writes_first) known->may_be_changed_bits = true;
  for (const at::Tensor& result : results) {
    if (!is_integer(result) || result.sizes() != bits.sizes() || tensors_.find(result) != nullptr) continue;
    tensors_.follow(result, known->sample.anew(segment_))->may_be_changed_bits = true;
  }
}

void DriftTracker::after(const CallContext& call, const PendingCall& pending) {
  const std::lock_guard lock(mutex_);
  const std::vector<at::Tensor> results = reference::tensors_in(call.results());
  for (std::size_t i = 0; i < pending.results.size(); ++i) {
    const PendingResult& result = pending.results[i];
    if (result.next.exact.empty()) continue;
    if (result.target.defined()) {
      put_write(call, result);
    } else if (i < results.size()) {
      put_result(call, result, results[i]);
    }
  }
  if (pending.bits.defined()) put_bits(call, pending.bits, results);
}

std::vector<Drift> DriftTracker::rows(MissingNotes& missing) {
  const std::lock_guard lock(mutex_);
  std::vector<Drift> rows = tensors_.rows();
  if (writes_on_gpu_) {
    missing.note("drift of tensors", "tensors on a GPU are not followed: each write would wait for the GPU",
                 "record the program on the CPU");
  }
  for (std::int64_t i = 0; i < tensors_.lost(); ++i) {
    missing.note("drift of tensors",
                 "they are also written in ways that ampprof cannot follow: through slices, by ops that are not "
                 "element-wise, by NumPy, or in steps that are not recorded",
                 "record all steps, without --every");
  }
  return rows;
}

}  // namespace ampprof::profiler
