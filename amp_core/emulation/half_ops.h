// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/DispatchKey.h>

#include <span>

namespace amp {

/// An overload of an op whose half calls are computed in FP32.
struct EmulatedOp {
  const char* name;
  const char* overload = "";
  int float_argument = -1;  ///< index of an argument that is FP32 even in half calls (attention's logsumexp); -1: none
  int half_results = 8;     ///< number of leading results to round to half; further results stay FP32
  c10::DispatchKey key = c10::DispatchKey::CPU;
};

/// Returns ops that LibTorch also computes in half on the CPU, but slowly or not for every layout.
std::span<const EmulatedOp> slow_half_ops();

/// Returns names of ops that LibTorch computes in half on CUDA but not on the CPU. A name in this list and in the lists
/// below includes all overloads.
std::span<const char* const> missing_half_ops();

/// Returns names of composite ops (made of other ops) that LibTorch computes in half only on CUDA: on the CPU they
/// reject half before they call their parts.
std::span<const char* const> missing_composite_half_ops();

/// An op that LibTorch computes in half on no device.
struct RefusedOp {
  const char* name;
  const char* function;  ///< the name that programs call
};

std::span<const RefusedOp> refused_half_ops();

}  // namespace amp
