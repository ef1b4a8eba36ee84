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

/// Tells whether a NaN or inf was found. The flags stay on their devices until they are read.
class OverflowFlag {
 public:
  /// Returns the flag of a device, one FP32 element for kernels to raise; zero at first.
  at::Tensor& on(at::Device device);

  bool is_on_cuda() const;
  std::vector<at::Tensor> of_each_device() const;

  /// Returns all flags combined in a new FP32 tensor of one element, 1 or 0, on one of their devices, for
  /// SkipsOnDevice::skip_if(). Does not wait.
  at::Tensor collected() const;

  /// Raises the flag if it is raised on any rank. `scale` is the loss scale of this rank. All ranks call it together.
  void agree(const Replicas& replicas, double scale);

  /// Returns the loss scales that agree() collected; empty if agree() was not called. Waits for the devices like
  /// is_set().
  std::optional<ScalesOfRanks> scales_of_ranks() const;

  /// Queues copies to the host. is_set() then waits only for these copies, not for later work.
  void start_reading();

  /// Reads the flags; waits once for each device.
  bool is_set() const;

 private:
  /// A tensor on a device, and a pinned copy that start_reading() fills.
  struct Number {
    at::Tensor on_device;
    at::Tensor on_host = {};
    std::optional<c10::Event> arrived = std::nullopt;

    void start_reading();
    at::Tensor read() const;
  };

  std::vector<Number> flags_;     ///< one per device
  std::optional<Number> scales_;  ///< largest scale of the ranks, and minus the smallest: one maximum finds both
};

}  // namespace amp
