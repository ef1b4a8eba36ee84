// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>

#include <optional>
#include <vector>

namespace amp {

class Replicas;

/// The loss scales of ranks that train copies of a model, as FP32 numbers.
struct ScalesOfRanks {
  double least = 1.0;
  double largest = 1.0;

  bool differ() const { return least != largest; }
};

/// Whether a NaN or inf was found, kept on the devices where it was looked for until someone asks.
class OverflowFlag {
 public:
  /// The flag of a device, one FP32 element for kernels to raise; zero at first.
  at::Tensor& on(at::Device device);

  bool is_on_cuda() const;
  std::vector<at::Tensor> of_each_device() const;

  /// All flags as one FP32 element on a device of theirs, 1 or 0, without a word to the host: what
  /// SkipsOnDevice::skip_if() takes. A tensor of its own.
  at::Tensor collected() const;

  /// Raises it where it is raised on any rank. `scale` is the loss scale of this rank. All ranks call it together.
  void agree(const Replicas& replicas, double scale);

  /// The loss scales of the ranks that agreed; nothing where none did. Waits as is_set() does.
  std::optional<ScalesOfRanks> scales_of_ranks() const;

  /// Queues copies to the host. is_set() then waits for these alone, not for what is queued after them.
  void start_reading();

  /// Reads the flags: waits once for each device.
  bool is_set() const;

 private:
  /// A tensor on a device, and a pinned copy that arrives once start_reading() was called.
  struct Number {
    at::Tensor on_device;
    at::Tensor on_host = {};
    std::optional<c10::Event> arrived = std::nullopt;

    void start_reading();
    at::Tensor read() const;
  };

  std::vector<Number> flags_;     ///< one a device
  std::optional<Number> scales_;  ///< the largest scale of the ranks, and minus the least
};

}  // namespace amp
