// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/weight_change.h"

#include <ATen/ATen.h>

#include "precision/tensors/as_contiguous_pair.h"
#include "precision/tensors/dtype_of.h"
#include "precision/tensors/enqueue.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "precision/update/change.h"

namespace ampprof::tensors {
namespace {

using update::DeviceChange;

/// A weight before and after an update, in a type that the kernels support, and the exact new value in double. All
/// three have their elements in the same order.
struct Rows {
  at::Tensor before;
  at::Tensor after;
  at::Tensor exact;
};

Rows rows_of(const at::Tensor& before, const at::Tensor& after, const at::Tensor& exact) {
  const bool is_known = before.scalar_type() == after.scalar_type() && dtype_of(before) != DType::Unknown;
  const auto row = [](const at::Tensor& tensor, at::ScalarType type) {
    return tensor.resolve_neg().to(type).contiguous();
  };
  const at::ScalarType type = is_known ? before.scalar_type() : at::kDouble;
  return {row(before, type), row(after, type), row(exact, at::kDouble)};
}

void add_on_host(const Rows& rows, error::Spacing spacing, DeviceChange& change) {
  const at::Tensor before = rows.before.cpu().to(at::kDouble);
  const at::Tensor after = rows.after.cpu().to(at::kDouble);
  const at::Tensor exact = rows.exact.cpu();
  const double* const from = before.const_data_ptr<double>();
  const double* const to = after.const_data_ptr<double>();
  const double* const wanted = exact.const_data_ptr<double>();
  for (std::int64_t i = 0; i < before.numel(); ++i) update::add_element(change, from[i], to[i], wanted[i], spacing);
}

WeightChange change_from(const DeviceChange& found) {
  return {.count = static_cast<std::int64_t>(found.count),
          .lost = static_cast<std::int64_t>(found.lost),
          .below_half_ulp = static_cast<std::int64_t>(found.below_half_ulp),
          .sum_ulp = found.sum_ulp};
}

}  // namespace

WeightChange weight_change(const at::Tensor& before, const at::Tensor& after, const at::Tensor& exact,
                           error::Spacing spacing) {
  const ObserverDisabledGuard guard;
  DeviceChange change{};
  add_on_host(rows_of(before, after, exact), spacing, change);
  return change_from(change);
}

PendingChange weight_change_later(const at::Tensor& before, const at::Tensor& after, const at::Tensor& exact,
                                  error::Spacing spacing, DeferredReductions& results) {
  const ObserverDisabledGuard guard;
  const Rows rows = rows_of(before, after, exact);
  const auto change = std::make_shared<WeightChange>();
  const auto work = [&](void* slot, const c10::Stream& stream) {
    auto* const into = static_cast<DeviceChange*>(slot);
    if (rows.before.is_cpu()) return add_on_host(rows, spacing, *into);
    enqueue(stream, [&](const cuda::Kernels& kernels, int device, void* queue) {
      return kernels.add_change(elements(rows.before), rows.after.const_data_ptr(), rows.exact.const_data_ptr<double>(),
                                spacing, into, device, queue);
    });
  };
  results.add_other(sizeof(DeviceChange), before.device(), work,
                    [change](const void* found) { *change = change_from(*static_cast<const DeviceChange*>(found)); });
  return change;
}

}  // namespace ampprof::tensors
