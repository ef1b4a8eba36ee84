// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <cstddef>
#include <cstdint>

namespace ampprof::variant {

/// Integer and boolean results that a call computed of floating-point values, and how many of them differ in a variant.
///
/// A row of topk() is one decision: which elements it takes, in whatever order. Elsewhere each element is one. Choices
/// between equal values do not differ. Results of another size count as the larger number, and differ by how many more
/// that is: at least so many do.
struct Decisions {
  std::int64_t count = 0;
  std::int64_t differing = 0;

  Decisions& operator+=(const Decisions& other) {
    count += other.count;
    differing += other.differing;
    return *this;
  }
};

/// Whether a variant computes the integers of this call itself. Else they are those of the run: random draws, positions
/// that only a backward pass reads (those of a pool's maxima), workspaces.
bool has_own_integers(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments, const at::Tensor& result);

/// Whether integers among its results are decisions: the call takes floating-point values and makes no constants.
bool decides(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);

/// An integer result of a call beside that of the variant.
struct ComparedChoice {
  at::Tensor
      own;  ///< the variant's; the run's where that choice is as good. Undefined where it is the run's throughout
  Decisions decisions;
};

/// Compares result `place` of a call, an integer one. `self`: what the variant's call read as the argument of this
/// name; undefined where there is none. Waits for a GPU.
ComparedChoice compare_choices(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
                               const at::Tensor& self, const at::Tensor& of_run, const at::Tensor& own);

}  // namespace ampprof::variant
