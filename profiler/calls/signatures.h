// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace c10 {
struct IValue;
struct TensorImpl;
}  // namespace c10

namespace ampprof::profiler {

struct CallContext;

/// Summarizes a call's arguments as a hash, which is cheap on every call. Only a new hash needs
/// signature_text().
struct ArgumentsSeen {
  std::uint64_t hash = 0;
  bool has_grad = false;      ///< a tensor argument requires grad
  bool on_gpu = false;        ///< a tensor argument is on a GPU, or an argument names a GPU
  bool writes_leaf = false;   ///< the first tensor argument is a leaf that requires grad, and the op writes to it
  const c10::TensorImpl* written = nullptr;  ///< the first tensor argument if the op writes to it, otherwise null
  std::uint8_t dtype_in = 0;  ///< DType of the first floating tensor
  const void* first_tensor = nullptr;  ///< TensorImpl of the first tensor argument
  std::string_view wrapper = "";       ///< kind_of_wrapper() of the first argument that is a wrapper
};

ArgumentsSeen look_at_arguments(const CallContext& call);

/// Returns whether the call copies from or to a GPU without waiting for the copy.
bool copies_without_waiting(const CallContext& call);

/// Returns whether a call with these arguments or results is captured into a CUDA graph. Checks the current stream of
/// each device that a tensor is on, or that a value names. Call it only after the program has used a GPU.
bool is_captured(c10::ArrayRef<c10::IValue> values);

/// Returns the call's arguments as text, in the format of reports/records/signature.h.
std::string signature_text(const CallContext& call);

}  // namespace ampprof::profiler
