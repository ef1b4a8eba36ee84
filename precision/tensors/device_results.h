// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Stream.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "precision/error/output_statistics.h"
#include "precision/error/spacing.h"

namespace ampprof::tensors {

/// Statistics that stay where the tensors are until somebody asks: the device is not waited for at each op call. The
/// first question brings all that was added since the last one, in one copy for each stream. Thread-safe.
class DeviceResults {
 public:
  using Ticket = std::uint64_t;

  /// Whether tensors of this kind are measured on their device: those of CUDA, where its kernel was built.
  static bool serves(const at::Tensor& tensor);

  /// Measures as measure() does, but later: the kernel is enqueued on the current stream of the output's device. CPU
  /// tensors are taken too, by the loop that the kernel's threads run, so that tests can follow this path without a
  /// GPU.
  Ticket add(const at::Tensor& output, const at::Tensor& reference,
             std::optional<error::Spacing> spacing = std::nullopt);
  /// Returns what add() gave this ticket for; each ticket once. Waits for the device where the results are still there.
  error::OutputStatistics take(Ticket ticket);

 private:
  struct Place {
    Ticket ticket;
    bool has_reference;
  };
  struct Slots {
    c10::Stream stream;
    at::Tensor memory;  ///< of AccumulatorWithExponents, set to zero; on the stream's device
    std::vector<Place> taken;
  };

  /// A slot that is ready on this stream.
  void* slot_on(const c10::Stream& stream, Place place);
  void bring_all();

  std::mutex mutex_;
  Ticket last_ = 0;
  std::vector<Slots> slots_;
  std::unordered_map<Ticket, error::OutputStatistics> arrived_;
};

}  // namespace ampprof::tensors
