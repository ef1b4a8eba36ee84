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

/// Summarizes a call's arguments, hashed: cheap on every call, text only for shapes that are new.
struct ArgumentsSeen {
  std::uint64_t hash = 0;
  bool has_grad = false;      ///< a tensor argument requires grad
  bool on_gpu = false;        ///< a tensor argument is on a GPU, or the device that an argument names
  bool writes_leaf = false;   ///< the first tensor argument is a leaf that requires grad, and the op writes to it
  const c10::TensorImpl* written = nullptr;  ///< the first tensor argument, where the op writes to it
  std::uint8_t dtype_in = 0;  ///< DType of the first floating tensor
  const void* first_tensor = nullptr;  ///< TensorImpl of the first tensor argument
  std::string_view wrapper = "";       ///< kind_of_wrapper() of the first tensor argument that is one
};

ArgumentsSeen look_at_arguments(const CallContext& call);

/// Returns whether the call was told not to wait for what it copies, and copies from a GPU or to one.
bool copies_without_waiting(const CallContext& call);

/// Returns whether a call with these arguments or results is captured into a CUDA graph: CUDA captures the current
/// stream of a device that one of them is on, or names. Ask only once the program has used a GPU.
bool is_captured(c10::ArrayRef<c10::IValue> values);

/// Returns the text of reports/records/signature.h for the call's arguments.
std::string signature_text(const CallContext& call);

}  // namespace ampprof::profiler
