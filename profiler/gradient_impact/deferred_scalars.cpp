// SPDX-License-Identifier: Apache-2.0
#include "profiler/gradient_impact/deferred_scalars.h"

#include <ATen/ATen.h>

#include <utility>

#include "precision/tensors/deferred_reductions.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/read_scalars_async.h"

namespace ampprof::profiler {

void DeferredScalars::ask(const std::vector<at::Tensor>& tensors,
                          std::function<void(std::span<const double>)> arrived) {
  const tensors::ObserverDisabledGuard guard;
  if (results_ != nullptr && tensors::DeferredReductions::serves(tensors.front())) {
    ++on_their_way_;
    asked_.push_back({tensors, std::move(arrived)});
    return;
  }
  std::vector<double> numbers;
  for (const at::Tensor& tensor : tensors) numbers.push_back(tensor.item<double>());
  arrived(numbers);
}

bool DeferredScalars::send() {
  const tensors::ObserverDisabledGuard guard;
  std::vector<Asked> asked = std::exchange(asked_, {});
  for (auto& [tensors, arrived] : asked) {
    const auto come = [self = shared_from_this(), arrived = std::move(arrived)](std::span<const double> numbers) {
      arrived(numbers);
      self->one_arrived();
    };
    tensors::read_scalars_async(tensors, *results_, come);
  }
  return !asked.empty();
}

void DeferredScalars::when_arrived(std::function<void()> done) {
  if (on_their_way_ == 0) return done();
  done_ = std::move(done);
}

void DeferredScalars::one_arrived() {
  if (--on_their_way_ == 0 && done_) std::exchange(done_, {})();
}

}  // namespace ampprof::profiler
