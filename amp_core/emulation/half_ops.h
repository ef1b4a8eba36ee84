// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/DispatchKey.h>

#include <span>

namespace amp {

/// One overload of an op whose half calls are computed in FP32.
struct EmulatedOp {
  const char* name;
  const char* overload = "";
  int float_argument = -1;  ///< this one is FP32 even in a half call (attention's logsumexp)
  int half_results = 8;     ///< results after this many stay FP32
  c10::DispatchKey key = c10::DispatchKey::CPU;
};

/// Ops that LibTorch computes in half on the CPU too, but slowly, or not for every layout.
std::span<const EmulatedOp> slow_half_ops();

/// Names of ops that LibTorch computes in half on CUDA and not on the CPU. All overloads are meant, here and below.
std::span<const char* const> missing_half_ops();

/// Such ops that consist of others, and refuse half before they call them.
std::span<const char* const> missing_composite_half_ops();

/// An op that LibTorch computes in half on no device.
struct RefusedOp {
  const char* name;
  const char* function;  ///< what programs call it
};

std::span<const RefusedOp> refused_half_ops();

}  // namespace amp
