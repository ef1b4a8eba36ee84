// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <cstddef>
#include <cstdint>

namespace ampprof::variant {

/// Number of integer and boolean results that a call computed from floating-point values, and how many of them differ
/// in a variant.
///
/// A row of topk() is one decision: the set of elements that it takes. In other ops each element is one decision.
/// Different choices between equal values do not count as differing. For results of different sizes, `count` is that of
/// the larger result, and the difference in size is a lower bound of `differing`.
struct Decisions {
  std::int64_t count = 0;
  std::int64_t differing = 0;

  Decisions& operator+=(const Decisions& other) {
    count += other.count;
    differing += other.differing;
    return *this;
  }
};

/// Tells whether a variant computes the integers of this call itself. Otherwise it uses the run's integers: random
/// draws, positions that only a backward pass reads (such as the maxima in a pooling), workspaces.
bool has_own_integers(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments, const at::Tensor& result);

/// Tells whether integer results are decisions: the call takes floating-point values and does not create constants.
bool decides(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);

/// An integer result of a call in the run, compared with the variant's result.
struct ComparedChoice {
  at::Tensor own;  ///< the variant's choice, but the run's where both are equally good; undefined if it is the run's
                   ///< everywhere
  Decisions decisions;
};

/// Compares an integer result of a call, `of_run`, with that of the variant, `own`. `self` is the variant's value for
/// the op's argument `self`; undefined if there is none. Waits for a GPU.
ComparedChoice compare_choices(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
                               const at::Tensor& self, const at::Tensor& of_run, const at::Tensor& own);

}  // namespace ampprof::variant
