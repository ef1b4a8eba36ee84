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

/// Numbers that were found in tensors. Those of a device stay there until they are sent for, and until somebody waits
/// for it anyway then. Not thread-safe; what it is given is called on the thread that asks, or on the one that waits.
class DeferredScalars : public std::enable_shared_from_this<DeferredScalars> {
 public:
  /// `results`: where numbers of devices wait; null: they are read at once.
  explicit DeferredScalars(tensors::DeferredReductions* results) : results_(results) {}

  /// `arrived` gets the numbers of tensors of one element each, of one device, in their order.
  void ask(const std::vector<at::Tensor>& tensors, std::function<void(std::span<const double>)> arrived);
  /// Lets all that were asked for come with what is brought from devices next. Returns false where none is asked for.
  bool send();
  /// Calls `done` once all numbers have arrived that were asked for: now, where none is on its way.
  void when_arrived(std::function<void()> done);

 private:
  struct Asked {
    std::vector<at::Tensor> tensors;
    std::function<void(std::span<const double>)> arrived;
  };

  void one_arrived();

  tensors::DeferredReductions* const results_;
  std::vector<Asked> asked_;  ///< of devices
  int on_their_way_ = 0;
  std::function<void()> done_;
};

}  // namespace ampprof::profiler
