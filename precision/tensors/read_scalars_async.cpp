// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/read_scalars_async.h"

#include <ATen/ATen.h>

#include <utility>

#include "precision/tensors/observer_disabled_guard.h"

namespace ampprof::tensors {
namespace {

/// Enqueues a copy of the tensors' values to `there`, which has one double for each.
void copy_numbers(const std::vector<at::Tensor>& tensors, const at::Tensor& there) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    there.select(0, static_cast<std::int64_t>(i)).copy_(tensors[i].reshape({}));
  }
}

}  // namespace

void read_scalars_async(const std::vector<at::Tensor>& tensors, DeferredReductions& results,
                        std::function<void(std::span<const double>)> arrived) {
  const std::size_t count = tensors.size();
  const auto work = [&](void* slot, const c10::Stream& stream) {
    const auto options = at::TensorOptions(stream.device()).dtype(at::kDouble);
    const auto size = static_cast<std::int64_t>(count);
    copy_numbers(tensors, at::for_blob(slot, {size}).target_device(stream.device()).options(options).make_tensor());
  };
  results.add_other(count * sizeof(double), tensors.front().device(), work,
                    [count, arrived = std::move(arrived)](const void* found) {
                      arrived({static_cast<const double*>(found), count});
                    });
}

}  // namespace ampprof::tensors
