// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <exception>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <utility>
#include <vector>

#include "amp_core/levels/error.h"

namespace amp::parallel {

/// Sums a tensor over the ranks, in place.
void sum_over_ranks(const c10::intrusive_ptr<c10d::ProcessGroup>& group, at::Tensor& tensor);

/// Returns the largest value over all ranks of each number. A number that is NaN on a rank gives NaN or another rank's
/// value.
at::Tensor largest_of_ranks(const c10::intrusive_ptr<c10d::ProcessGroup>& group, const at::Tensor& numbers);

/// Copies the first rank's tensor values to all ranks; skips undefined ones.
void share_first_ranks(const c10::intrusive_ptr<c10d::ProcessGroup>& group, const std::vector<at::Tensor>& tensors);

/// Throws an Error for lost ranks: a rank ended, hangs, or made other calls than the others.
[[noreturn]] void lose_ranks(const char* caller, const std::exception& error);

/// Does the same if the message is that of a backend that lost another rank; else returns.
void explain_lost_ranks(const char* caller, const std::exception& error);

/// Does work that needs all ranks. Turns its exceptions into an Error that explains them.
template <class Work>
decltype(auto) all_or_lost(const char* caller, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    lose_ranks(caller, error);
  }
}

}  // namespace amp::parallel
