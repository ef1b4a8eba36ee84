// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "precision/error/output_statistics.h"
#include "profiler/overflow/nonfinite_memory.h"

namespace ampprof::profiler {

struct CallContext;

using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

/// An input of a call. The weak reference keeps the address from being reused, but lets the program free the tensor.
struct InputTensor {
  WeakTensor tensor;
  NonfiniteMemory::Memory memory = nullptr;
  std::optional<NonfiniteTrace::Id> id{};  ///< event of the tensor's memory when the call began, if any
  std::string_view name{};                 ///< name of the argument in the schema
};

/// An input of a call, and whether its values are finite.
struct InputValue {
  InputTensor input;
  bool is_finite = true;
  bool is_mask = false;  ///< the only nonfinite values are -inf
};

using InputValues = std::vector<InputValue>;

/// Returns the tensors among the arguments of a call that begins.
std::vector<InputTensor> inputs_of(const CallContext& call, const NonfiniteMemory& memory);

/// Reads the tensors in `values`, which correspond to `inputs`; `inputs` may be empty if no event is known. If any
/// nonfinite tensors are in the memory of an event, returns only these, else all tensors.
InputValues look_at(c10::ArrayRef<c10::IValue> values, const std::vector<InputTensor>& inputs);

std::vector<WeakTensor> weak(c10::ArrayRef<c10::IValue> values);

/// Says whether a number among the arguments is NaN or inf, and whether one is -inf.
struct InputNumbers {
  bool nonfinite = false;
  bool minus_infinity = false;
};
InputNumbers numbers_in(c10::ArrayRef<c10::IValue> arguments);

/// Returns whether an element of `result` is not finite although the elements of all tensors in `arguments`, broadcast
/// to the shape of `result`, are finite there. For pointwise ops. Returns false if a tensor does not broadcast.
bool makes_new(const at::Tensor& result, c10::ArrayRef<c10::IValue> arguments);

/// Statistics of the results of a step's calls, by tensor address. Weak references keep addresses from being reused.
class KnownTensors {
 public:
  void add(const std::vector<WeakTensor>& outputs, const error::OutputStatistics& measured);

  /// Returns the statistics; null for a tensor that no call returned.
  const error::OutputStatistics* find(const WeakTensor& tensor) const;

  /// Begins a batch of calls of `segment`. Within a segment, nonfinite tensors of earlier batches are kept.
  void begin_batch(std::int64_t segment);
  void end_batch(std::int64_t segment);

 private:
  struct Known {
    WeakTensor tensor;
    error::OutputStatistics statistics;
  };

  bool is_in_batch_ = false;
  std::int64_t segment_ = 0;
  std::unordered_map<const c10::TensorImpl*, Known> known_;
};

/// Reads inputs at the end of the step. Assumes that an input that no call made, such as a weight or the batch, has not
/// changed since the call that read it. A freed input counts as finite, unless its memory is known to hold NaN or inf.
InputValues look_at(const std::vector<InputTensor>& inputs, const KnownTensors& known, const NonfiniteMemory& memory);

}  // namespace ampprof::profiler
