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

/// An input of a call. Weak: what the program drops is gone. A weak reference also keeps the address from being given
/// to another tensor.
struct TakenTensor {
  WeakTensor tensor;
  NonfiniteMemory::Memory memory = nullptr;
  std::optional<NonfiniteTrace::Id> id{};  ///< of what its memory held when the call began, as far as that was known
  std::string_view name{};                 ///< of the argument, in the schema
};

/// The values of an input.
struct TakenValue {
  TakenTensor input;
  bool is_finite = true;
  bool is_mask = false;  ///< what is not finite in it is -inf alone
};

using TakenValues = std::vector<TakenValue>;

/// Returns the tensors among the arguments of a call that begins.
std::vector<TakenTensor> inputs_of(const CallContext& call, const NonfiniteMemory& memory);

/// Returns what is found in tensors of `values`, which stand for `inputs` one by one; those of a call that `inputs`
/// says nothing of where that is empty. Reads those that may descend from an event alone where one of them is not
/// finite.
TakenValues look_at(c10::ArrayRef<c10::IValue> values, const std::vector<TakenTensor>& inputs);

std::vector<WeakTensor> weak(c10::ArrayRef<c10::IValue> values);

/// Whether a number among the arguments is NaN or inf, or -inf.
struct TakenNumbers {
  bool nonfinite = false;
  bool minus_infinity = false;
};
TakenNumbers numbers_in(c10::ArrayRef<c10::IValue> arguments);

/// Returns whether an element of `result` is not finite where those of all tensors in `arguments` are, each broadcast
/// to its shape: of an op that computes each element by itself. False where a tensor does not broadcast.
bool makes_new(const at::Tensor& result, c10::ArrayRef<c10::IValue> arguments);

/// Keeps what calls of a step made of tensors, by address. That is theirs alone while this holds them weakly.
class KnownTensors {
 public:
  void add(const std::vector<WeakTensor>& outputs, const error::OutputStatistics& measured);

  /// Returns null for a tensor that no call made.
  const error::OutputStatistics* find(const WeakTensor& tensor) const;

  /// A batch of the calls of `segment` begins. Of the same segment, what earlier ones made that is not finite stays.
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

/// At the end of the step. What no call made is as it was: a weight, the batch. What is gone by then was finite,
/// unless its memory is known to hold NaN or inf.
TakenValues look_at(const std::vector<TakenTensor>& inputs, const KnownTensors& known, const NonfiniteMemory& memory);

}  // namespace ampprof::profiler
