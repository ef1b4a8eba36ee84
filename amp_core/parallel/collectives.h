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

/// Returns the elementwise maximum over all ranks. An element that is NaN on a rank becomes NaN or another rank's
/// value.
at::Tensor largest_of_ranks(const c10::intrusive_ptr<c10d::ProcessGroup>& group, const at::Tensor& numbers);

/// Copies the values of the first rank's tensors to all ranks; skips undefined tensors.
void broadcast_from_first_rank(const c10::intrusive_ptr<c10d::ProcessGroup>& group,
                               const std::vector<at::Tensor>& tensors);

/// Throws an Error for lost ranks: a rank ended, hangs, or made different calls from the rest.
[[noreturn]] void throw_lost_ranks(const char* caller, const std::exception& error);

/// Throws like throw_lost_ranks() if the message of `error` shows that a backend lost another rank; else returns.
void explain_lost_ranks(const char* caller, const std::exception& error);

/// Runs `work`, which needs all ranks. Turns exceptions of `work` into the Error of throw_lost_ranks().
template <class Work>
decltype(auto) with_lost_rank_error(const char* caller, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw_lost_ranks(caller, error);
  }
}

}  // namespace amp::parallel
