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

/// Shared by all who wait for it. Its sums, checksum and nonfinite are set by DeferredReductions::complete().
using LateSketch = std::shared_ptr<const Sketch>;

/// A sketch that is wanted of an output that is measured.
struct SketchBeside {
  std::uint64_t start = 0;  ///< place of its first element among all of the call's outputs
  LateSketch made{};        ///< null where it could not be made in the same pass
};

/// Statistics and sketches that stay where the tensors are until somebody asks: the device is not waited for at each op
/// call. The first question brings all that was added since the last one, in one copy for each stream. Thread-safe.
///
/// Nothing is launched on a stream that CUDA captures into a graph: what would be measured there stays empty.
///
/// CPU tensors are taken too, by the loops that define the kernels, so that tests can follow this path without a GPU.
class DeferredReductions {
 public:
  using Ticket = std::uint64_t;

  /// `takes_cpu`: CPU tensors wait, too.
  explicit DeferredReductions(bool takes_cpu = false) : takes_cpu_(takes_cpu) {}

  /// Whether tensors of this kind are measured on their device: those of CUDA, where its kernel was built.
  static bool serves(const at::Tensor& tensor);
  /// Returns this where the figures of `tensor` come later; null where they are computed at once.
  DeferredReductions* if_taken(const at::Tensor& tensor) {
    return serves(tensor) || (takes_cpu_ && tensor.defined() && tensor.is_cpu()) ? this : nullptr;
  }

  /// Measures as measure() does, but later: the kernel is enqueued on the current stream of the output's device. Where
  /// `beside` is given, the same kernel sketches the output, if that has its elements in order.
  Ticket add(const at::Tensor& output, const at::Tensor& reference,
             std::optional<error::Spacing> spacing = std::nullopt, SketchBeside* beside = nullptr);
  /// Returns what add() gave this ticket for; each ticket once. Waits for the device where the results are still there,
  /// as complete() does.
  error::OutputStatistics take(Ticket ticket);

  /// Sketches as sketch_of() does, but later.
  LateSketch add_sketch(const at::Tensor& output, std::uint64_t start);
  /// Finds checksum_of() a tensor, but later.
  LateSketch add_checksum(const at::Tensor& tensor);

  /// Gives `work` a slot of `bytes` zeros in memory of the device, and its current stream. complete() gives `arrived`
  /// what lies there then.
  void add_other(std::size_t bytes, const c10::Device& device,
                 const std::function<void(void* slot, const c10::Stream& stream)>& work, DeviceSlots::Arrived arrived);

  /// Forgets what is still on devices, whose libraries are about to end: figures of it are empty.
  void close();
  bool is_closed() const { return is_closed_.load(std::memory_order_acquire); }

  /// Waits for the devices and brings all that was added until now. Does neither, and returns false, while CUDA
  /// captures a graph there: to wait would break the capture.
  bool complete();

 private:
  /// Returns whether nothing may be launched on the device now.
  bool refuses(const c10::Device& device) const;
  /// Returns whether CUDA captures a stream that has results to bring, or this thread's stream on its device.
  bool is_captured() const;
  /// A slot for a sketch that is ready on this stream.
  void* sketch_slot(const c10::Stream& stream, LateSketch& late);

  const bool takes_cpu_;
  std::atomic<bool> is_closed_{false};
  std::mutex mutex_;
  Ticket last_ = 0;
  DeviceSlots slots_;
  std::unordered_map<Ticket, error::OutputStatistics> arrived_;
};

}  // namespace ampprof::tensors
