// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "precision/error/output_statistics.h"
#include "precision/formats/types/spacing.h"
#include "precision/tensors/device_slots.h"
#include "reports/records/sketch.h"

namespace ampprof::tensors {

/// A sketch, shared by its users. DeferredReductions::complete() sets its sums, checksum and nonfinite.
using PendingSketch = std::shared_ptr<const Sketch>;

/// A request to sketch an output in the same pass that measures it.
struct SketchBeside {
  std::uint64_t start = 0;  ///< index of the output's first element among all elements of the call's outputs
  PendingSketch made{};     ///< the sketch; null if it could not be computed in the same pass
};

/// Keeps statistics and sketches on the device until they are needed, so that op calls do not wait for the device.
/// complete() copies all pending results to the host, one copy per stream. Thread-safe.
///
/// Launches nothing on a stream that CUDA captures into a graph; results on such a stream stay empty.
///
/// Can also defer CPU tensors, with the loops that define the kernels, so that tests cover this path without a GPU.
class DeferredReductions {
 public:
  using Ticket = std::uint64_t;

  /// With `takes_cpu`, defers CPU tensors too.
  explicit DeferredReductions(bool takes_cpu = false) : takes_cpu_(takes_cpu) {}

  /// Tells whether a tensor is measured on its device: a CUDA tensor in plain memory, if the kernels were built.
  static bool serves(const at::Tensor& tensor);
  /// Returns this if the results for `tensor` are deferred; null if they are computed at once.
  DeferredReductions* if_deferred(const at::Tensor& tensor) {
    return serves(tensor) || (takes_cpu_ && tensor.defined() && tensor.is_cpu()) ? this : nullptr;
  }

  /// Defers measure(): enqueues the kernel on the current stream of the output's device. With `beside`, the same kernel
  /// also sketches the output if its elements are in order.
  Ticket add(const at::Tensor& output, const at::Tensor& reference,
             std::optional<error::Spacing> spacing = std::nullopt, SketchBeside* beside = nullptr);
  /// Returns the result of the add() that returned this ticket. Each ticket is valid once. Waits for the device like
  /// complete() if the results have not arrived.
  error::OutputStatistics take(Ticket ticket);

  /// Defers sketch_of().
  PendingSketch add_sketch(const at::Tensor& output, std::uint64_t start);
  /// Defers checksum_of().
  PendingSketch add_checksum(const at::Tensor& tensor);

  /// Passes `work` a zeroed slot of `bytes` in memory of the device, and its current stream. complete() passes the
  /// content of the slot to `arrived`.
  void add_other(std::size_t bytes, const c10::Device& device,
                 const std::function<void(void* slot, const c10::Stream& stream)>& work, DeviceSlots::Arrived arrived);

  /// Drops results that are still on devices, before the CUDA libraries are unloaded. These results stay empty.
  void close();
  bool is_closed() const { return is_closed_.load(std::memory_order_acquire); }

  /// Waits for the devices and copies all pending results to the host. While CUDA captures a graph on one of the
  /// streams, does nothing and returns false, since waiting would break the capture.
  bool complete();

 private:
  /// Returns whether launches on the device are forbidden at the moment.
  bool refuses(const c10::Device& device) const;
  /// Returns whether CUDA captures a stream with pending results, or this thread's current stream on the device of that
  /// stream.
  bool is_captured() const;
  /// Returns a zeroed slot for a sketch on this stream; complete() writes the content to `late`.
  void* sketch_slot(const c10::Stream& stream, PendingSketch& late);

  const bool takes_cpu_;
  std::atomic<bool> is_closed_{false};
  std::mutex mutex_;
  Ticket last_ = 0;
  DeviceSlots slots_;
  std::unordered_map<Ticket, error::OutputStatistics> arrived_;
};

}  // namespace ampprof::tensors
