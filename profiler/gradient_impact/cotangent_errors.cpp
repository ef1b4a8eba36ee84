// SPDX-License-Identifier: Apache-2.0
#include "profiler/gradient_impact/cotangent_errors.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "precision/impact/products.h"
#include "precision/replay/reference/arguments.h"
#include "precision/tensors/observer_disabled_guard.h"

namespace ampprof::profiler {
namespace {

/// Holds the outputs of the last node that ended on this thread. The engine adds these outputs to gradients from other
/// nodes while the node still counts as the current one.
struct Ended {
  const void* node = nullptr;
  std::vector<std::pair<const c10::TensorImpl*, GraphPlace>> outputs{};
};
thread_local Ended t_ended;

const GraphPlace* sum_of(const void* node, c10::ArrayRef<c10::IValue> arguments) {
  if (node == nullptr || t_ended.node != node) return nullptr;
  const GraphPlace* found = nullptr;
  for (const c10::IValue& argument : arguments) {
    reference::visit_tensors(argument, [&](const at::Tensor& tensor) {
      const auto is_it = [&](const auto& output) { return output.first == tensor.unsafeGetTensorImpl(); };
      const auto place = std::ranges::find_if(t_ended.outputs, is_it);
      if (found == nullptr && place != t_ended.outputs.end()) found = &place->second;
    });
  }
  return found;
}

/// Returns `error` in the layout of `output`, an output of the node. If `output` is a view of `made`, the result of the
/// call, returns the same view of `error`.
at::Tensor in_layout_of(const at::Tensor& output, const at::Tensor& made, const at::Tensor& error) {
  if (!error.defined() || (output.sizes() == made.sizes() && output.strides() == made.strides() &&
                           output.storage_offset() == made.storage_offset())) {
    return error;
  }
  if (!made.is_non_overlapping_and_dense() || error.strides() != made.strides()) return {};
  return error.as_strided(output.sizes(), output.strides(), output.storage_offset() - made.storage_offset());
}

bool share_memory(const at::Tensor& a, const at::Tensor& b) {
  return a.defined() && b.defined() && a.has_storage() && b.has_storage() && a.is_alias_of(b);
}

}  // namespace

void CotangentErrors::made(const at::Tensor& tensor, tape::OutputIndex place) {
  const GraphPlace where = place_in_graph(tensor);
  if (where.node == nullptr) return;
  const std::lock_guard lock(mutex_);
  places_.insert_or_assign(where, place);
}

void CotangentErrors::watches(const void* node) {
  const std::lock_guard lock(mutex_);
  nodes_.insert(node);
}

void CotangentErrors::add_leaf(const c10::TensorImpl* leaf, std::size_t input) {
  const std::lock_guard lock(mutex_);
  leaves_.insert_or_assign(leaf, input);
}

std::optional<tape::OutputIndex> CotangentErrors::made_at(const GraphPlace& place) const {
  const std::lock_guard lock(mutex_);
  const auto found = places_.find(place);
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

/// Stores the error under the tensor on the tape whose cotangent contains the error. Returns false if there is no such
/// tensor.
bool CotangentErrors::keep(GraphPlace where, ErrorSource source, at::Tensor error) {
  while (!places_.contains(where) && !leaves_.contains(where.leaf)) {
    if (!go_through(where, error)) return false;
  }
  const auto leaf = leaves_.find(where.leaf);
  keep_in(leaf != leaves_.end() ? errors_of_inputs_[leaf->second] : errors_[places_.at(where)], source, error);
  return true;
}

void CotangentErrors::keep_in(std::vector<Error>& errors, ErrorSource source, const at::Tensor& error) {
  Sum& sum = sums_[source];
  const auto bytes = error.defined() ? static_cast<std::int64_t>(error.nbytes()) : 0;
  if (bytes > bytes_left_) {
    ++sum.left_out;
    return;
  }
  ++sum.met;
  if (!error.defined()) return;
  bytes_left_ -= bytes;
  errors.push_back({source, error});
}

void CotangentErrors::will_be_run_again(ErrorSource source) {
  const std::lock_guard lock(mutex_);
  sums_.try_emplace(source);
}

void CotangentErrors::add_at(const tape::Origin& origin, ErrorSource source, const at::Tensor& error) {
  const std::lock_guard lock(mutex_);
  if (!origin.place && !origin.input) {
    ++sums_[source].no_cotangents;
    return;
  }
  keep_in(origin.place ? errors_[*origin.place] : errors_of_inputs_[*origin.input], source, error);
}

void CotangentErrors::add(const void* node, ErrorSource source, const at::Tensor& output, const at::Tensor& error,
                          c10::ArrayRef<c10::IValue> arguments) {
  const std::lock_guard lock(mutex_);
  if (const GraphPlace* sum = sum_of(node, arguments)) {
    if (!keep(*sum, source, error)) ++sums_[source].no_cotangents;
    return;
  }
  if (const GraphPlace own = accumulated_place(node); own.leaf != nullptr) {
    if (!keep(own, source, error)) ++sums_[source].no_cotangents;
    return;
  }
  if (!nodes_.contains(node)) {  // the node's forward op is not on the tape
    ++sums_[source].no_cotangents;
    return;
  }
  pending_[node].push_back({source, output, error});
}

bool CotangentErrors::keep_where_it_flows(const void* node, const std::vector<at::Tensor>& outputs,
                                          const Pending& pending, std::vector<bool>& taken) {
  const at::Tensor& made = pending.output;
  bool is_kept = false;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (taken[i] || !share_memory(outputs[i], made)) continue;
    const at::Tensor error = in_layout_of(outputs[i], made, pending.error);
    if (error.defined() != pending.error.defined()) continue;
    taken[i] = true;
    is_kept = keep(next_place(node, i), pending.source, error) || is_kept;
  }
  return is_kept;
}

// If several calls inside the node wrote one output, the output contains only the last call's error unchanged. How
// later calls transformed the errors of earlier ones is unknown.
void CotangentErrors::node_ended(const void* node, const std::vector<at::Tensor>& outputs) {
  const tensors::ObserverDisabledGuard guard;
  const std::lock_guard lock(mutex_);
  t_ended = {node};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].defined()) t_ended.outputs.emplace_back(outputs[i].unsafeGetTensorImpl(), next_place(node, i));
  }
  const auto found = pending_.find(node);
  if (found == pending_.end()) return;
  std::vector<bool> taken(outputs.size(), false);
  for (auto pending = found->second.rbegin(); pending != found->second.rend(); ++pending) {
    if (!keep_where_it_flows(node, outputs, *pending, taken)) ++sums_[pending->source].no_cotangents;
  }
  pending_.erase(found);
}

void CotangentErrors::pass_ended() { t_ended = {}; }

bool CotangentErrors::any() const {
  const std::lock_guard lock(mutex_);
  return !errors_.empty() || !errors_of_inputs_.empty() || !sums_.empty();
}

void CotangentErrors::meet(std::size_t run, const std::vector<Error>& errors, const at::Tensor& tangent,
                           DeferredScalars& numbers) {
  for (const auto& [source, values] : errors) {
    if (source.run != run) continue;
    Sum& sum = sums_[source];
    const auto [product, length] = impact::products_of(tangent, values);
    numbers.ask({product, length}, [&sum](std::span<const double> found) {
      sum.impact += found[0];
      sum.square += found[1] * found[1];
    });
  }
}

void CotangentErrors::tangent_of(std::size_t run, tape::OutputIndex place, const at::Tensor& tangent,
                                 DeferredScalars& numbers) {
  const std::lock_guard lock(mutex_);
  if (const auto found = errors_.find(place); found != errors_.end()) meet(run, found->second, tangent, numbers);
}

void CotangentErrors::tangent_of_input(std::size_t run, std::size_t input, const at::Tensor& tangent,
                                       DeferredScalars& numbers) {
  const std::lock_guard lock(mutex_);
  const auto found = errors_of_inputs_.find(input);
  if (found != errors_of_inputs_.end()) meet(run, found->second, tangent, numbers);
}

std::vector<GradientImpact> CotangentErrors::take(std::size_t run, std::int64_t segment) {
  const std::lock_guard lock(mutex_);
  for (const auto& [node, all] : std::exchange(pending_, {})) {
    for (const Pending& pending : all) ++sums_[pending.source].no_cotangents;
  }
  std::vector<GradientImpact> rows;
  for (const auto& [source, sum] : sums_) {
    if (source.run != run) continue;
    const bool is_finite = std::isfinite(sum.impact) && std::isfinite(sum.square);
    GradientImpact& row = rows.emplace_back();
    row.segment = segment;
    row.call_site = source.call_site;
    row.matmul = source.matmul;
    row.no_cotangents = sum.no_cotangents;
    row.gap = sum.left_out > 0 ? GradientImpactGap::LeftOut
              : sum.met == 0   ? GradientImpactGap::NoCotangent
              : is_finite      ? GradientImpactGap::None
                               : GradientImpactGap::ErrorNotFinite;
    if (row.gap != GradientImpactGap::None) continue;
    row.impact = sum.impact;
    row.square = sum.square;
  }
  return rows;
}

}  // namespace ampprof::profiler
