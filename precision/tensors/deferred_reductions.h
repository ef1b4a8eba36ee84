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

/// Shared by all who need it. DeferredReductions::complete() sets its sums, checksum and nonfinite.
using LateSketch = std::shared_ptr<const Sketch>;

/// A request to sketch an output in the pass that measures it.
struct SketchBeside {
  std::uint64_t start = 0;  ///< place of its first element among all elements of the call's outputs
  LateSketch made{};        ///< null if it could not be made in the same pass
};

/// Keeps statistics and sketches on the device until they are needed, so that op calls do not wait for the device. The
/// first request copies all results since the last one to the host, one copy per stream. Thread-safe.
///
/// Launches nothing on a stream that CUDA captures into a graph: results there stay empty.
///
/// Also accepts CPU tensors, with the loops that define the kernels, so that tests can follow this path without a GPU.
class DeferredReductions {
 public:
  using Ticket = std::uint64_t;

  /// `takes_cpu`: defer CPU tensors too.
  explicit DeferredReductions(bool takes_cpu = false) : takes_cpu_(takes_cpu) {}

  /// Tells whether such a tensor is measured on its device: a CUDA tensor, if the kernel was built.
  static bool serves(const at::Tensor& tensor);
  /// Returns this if the results for `tensor` come later; null if they are computed at once.
  DeferredReductions* if_taken(const at::Tensor& tensor) {
    return serves(tensor) || (takes_cpu_ && tensor.defined() && tensor.is_cpu()) ? this : nullptr;
  }

  /// Defers measure(): enqueues the kernel on the current stream of the output's device. With `beside`, the same kernel
  /// sketches the output if its elements are in order.
  Ticket add(const at::Tensor& output, const at::Tensor& reference,
             std::optional<error::Spacing> spacing = std::nullopt, SketchBeside* beside = nullptr);
  /// Returns the result of the add() that gave this ticket; each ticket once. Waits for the device like complete() if
  /// the results are still there.
  error::OutputStatistics take(Ticket ticket);

  /// Defers sketch_of().
  LateSketch add_sketch(const at::Tensor& output, std::uint64_t start);
  /// Defers checksum_of().
  LateSketch add_checksum(const at::Tensor& tensor);

  /// Passes `work` a slot of `bytes` zeros in memory of the device, and its current stream. complete() passes the
  /// slot's content to `arrived`.
  void add_other(std::size_t bytes, const c10::Device& device,
                 const std::function<void(void* slot, const c10::Stream& stream)>& work, DeviceSlots::Arrived arrived);

  /// Drops results that are still on devices, before their libraries end. Their figures stay empty.
  void close();
  bool is_closed() const { return is_closed_.load(std::memory_order_acquire); }

  /// Waits for the devices and copies all results so far to the host. Does neither and returns false while CUDA
  /// captures a graph there, since waiting would break the capture.
  bool complete();

 private:
  /// Returns whether launches on the device are forbidden now.
  bool refuses(const c10::Device& device) const;
  /// Returns whether CUDA captures a stream with pending results, or this thread's stream on its device.
  bool is_captured() const;
  /// Returns a slot for a sketch that is ready on this stream.
  void* sketch_slot(const c10::Stream& stream, LateSketch& late);

  const bool takes_cpu_;
  std::atomic<bool> is_closed_{false};
  std::mutex mutex_;
  Ticket last_ = 0;
  DeviceSlots slots_;
  std::unordered_map<Ticket, error::OutputStatistics> arrived_;
};

}  // namespace ampprof::tensors
