// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace ampprof::tensors {
class DeferredReductions;
}

namespace ampprof::profiler {

/// Reads numbers out of tensors without an extra wait for a device. Numbers on a device are copied after send(), and
/// arrive when a thread synchronizes with the device anyway. Callbacks run on that thread, or in ask() for numbers on
/// the CPU. Not thread-safe.
class DeferredScalars : public std::enable_shared_from_this<DeferredScalars> {
 public:
  /// `results`: queue for numbers on devices. If null, numbers are read at once.
  explicit DeferredScalars(tensors::DeferredReductions* results) : results_(results) {}

  /// Asks for the values of one-element tensors, all on one device. `arrived` gets the values in the same order.
  void ask(const std::vector<at::Tensor>& tensors, std::function<void(std::span<const double>)> arrived);
  /// Adds all numbers asked for to the next copy from the device. Returns false if none was asked for.
  bool send();
  /// Calls `done` once all numbers asked for have arrived, or at once if none is outstanding.
  void when_arrived(std::function<void()> done);

 private:
  struct Asked {
    std::vector<at::Tensor> tensors;
    std::function<void(std::span<const double>)> arrived;
  };

  void one_arrived();

  tensors::DeferredReductions* const results_;
  std::vector<Asked> asked_;  ///< requests not yet passed to a copy by send()
  int on_their_way_ = 0;
  std::function<void()> done_;
};

}  // namespace ampprof::profiler
