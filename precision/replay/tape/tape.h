// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <c10/core/StorageImpl.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

/// Records ops of a part of a step, so that they can be run again on other values.
namespace ampprof::tape {

/// Property by which a tape identifies a tensor.
enum class Identity {
  Tensor,  ///< by tensor: its .data is a different tensor, through which no gradient flows
  Memory,  ///< by memory: an optimizer writes one value through .data and through slices of one buffer
};

/// The origin of a tensor argument.
struct Source {
  int slot = -1;                                 ///< index of a value that is an input or the result of an earlier call
  int constant = -1;                             ///< index into constants(); if slot is -1 too, the tensor is undefined
  bool is_detached = false;                      ///< no gradient flows through the tensor
  bool is_copied = false;                        ///< each run copies this constant, since the call may write it
  std::vector<std::int64_t> sizes{}, strides{};  ///< view of the slot's memory, with Identity::Memory
  std::int64_t offset = 0;
};

/// The destination of a returned tensor.
struct Result {
  int slot = -1;              ///< index of the value; -1 if unused
  Source place{};             ///< view of the memory, with Identity::Memory
  std::int64_t elements = 0;  ///< number of elements of the tensor's memory
};

class Tape;

struct TapedCall {
  c10::OperatorHandle op;
  const Tape* tape = nullptr;            ///< the tape that prepared this call
  std::uint64_t first_node = 0;          ///< set by the caller: sequence number of the call's first autograd node
  std::vector<c10::IValue> arguments{};  ///< arguments without their tensors
  std::vector<Source> sources{};         ///< origins of the tensor arguments, in order
  std::vector<Result> results{};         ///< destinations of the returned tensors, in order
  at::Tensor mask{};                     ///< mask that a dropout drew
};

/// A tensor that does not depend on an input. Small tensors and memory that the program allocated itself are copied.
/// Other constants are read when the tape is run, and must not have been written in the meantime.
struct Constant {
  at::Tensor tensor;
  std::optional<std::uint32_t> version{};
};

/// An input of the tape, with its value at the time of taping.
struct Input {
  at::Tensor tensor;    ///< tensor of the program
  at::Tensor original;  ///< a copy, in the tape's precision or above
  int slot = -1;
};

/// One output of one taped call.
struct OutputIndex {
  std::size_t call = 0;
  std::size_t output = 0;

  auto operator<=>(const OutputIndex&) const = default;
};

/// Records only calls that depend on the inputs of the tape. With Identity::Tensor, the caller must leave out calls
/// under no_grad; otherwise gradients flow through the results of these calls as soon as a later call takes them as
/// tensors with a gradient. A call that cannot be run again makes the tape unusable, and why_not() says why. Not
/// thread-safe. Has no effect that the program can observe.
class Tape {
 public:
  /// Returns the master weight of a parameter in reduced precision; undefined if it has none.
  using MasterOf = std::function<at::Tensor(const at::Tensor& parameter)>;

  /// The tape will be run in `precision`, kFloat or kDouble.
  Tape(at::ScalarType precision, Identity identity, MasterOf master_of = {});

  /// Makes a tensor an input. With Identity::Tensor, leaves that require a gradient become inputs when a call takes
  /// them.
  std::size_t add_input(const at::Tensor& tensor);

  /// Called before an op call: saves what add() needs from the top of `stack`; empty if the call is not taped.
  std::optional<TapedCall> prepare(const c10::OperatorHandle& op, const torch::jit::Stack& stack);
  /// Called after the op call. Returns the index of the taped call.
  std::size_t add(TapedCall prepared, c10::ArrayRef<c10::IValue> returned);

  /// Returns the current origin of this tensor's value; empty if the tape has not recorded it.
  std::optional<Source> source_of(const at::Tensor& tensor) const;

  void give_up(const std::string& reason) {
    if (why_not_.empty()) why_not_ = reason;
  }
  /// Returns "" if the tape can be run, else the reason.
  const std::string& why_not() const { return why_not_; }
  /// Returns why_not(), or a reason if constants were overwritten after taping.
  std::string why_not_now() const;

  at::ScalarType precision() const { return precision_; }
  Identity identity() const { return identity_; }
  const std::vector<Input>& inputs() const { return inputs_; }
  const std::vector<TapedCall>& calls() const { return calls_; }
  const std::vector<Constant>& constants() const { return constants_; }
  /// Returns the initial value of a slot for memory that calls write in part. Undefined for other slots.
  const at::Tensor& initial(int slot) const { return initial_[static_cast<std::size_t>(slot)]; }
  int slots() const { return static_cast<int>(initial_.size()); }
  /// Returns whether a call took a tensor with a gradient that this thread computed after construction of the tape, but
  /// outside all taped calls: a custom autograd function made it.
  bool lost_a_graph() const { return lost_a_graph_; }

 private:
  using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  using WeakMemory = c10::weak_intrusive_ptr<c10::StorageImpl>;

  struct Known {
    WeakTensor tensor;
    int slot = -1;
    std::uint32_t version = 0;  ///< version after the last taped call that wrote the tensor
  };
  struct Memory {
    WeakMemory memory;
    std::vector<const c10::TensorImpl*> tensors{};  ///< recorded tensors in this memory, the oldest first
    int slot = -1;                                  ///< slot of the memory, with Identity::Memory
  };

  int new_slot(at::Tensor initial = {});
  const Memory* memory_of(const at::Tensor& tensor) const;
  Memory& remember_memory(const at::Tensor& tensor);
  void remember(const at::Tensor& tensor, int slot);
  void note_written(const at::Tensor& tensor);
  std::optional<Source> alias_of(const at::Tensor& tensor, const Memory& memory) const;
  bool was_written_elsewhere(const at::Tensor& tensor) const;
  std::optional<Source> known_or_input(const at::Tensor& tensor);
  Source slot_for_written(const at::Tensor& tensor);
  Source constant_of(const c10::Argument& argument, const at::Tensor& tensor);
  bool may_be_taped(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);
  bool depends_on_input(c10::ArrayRef<c10::IValue> arguments);
  bool gives_constants(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);
  Result result_for(const at::Tensor& tensor);
  at::Tensor in_precision(const at::Tensor& tensor) const;

  const at::ScalarType precision_;
  const Identity identity_;
  const MasterOf master_of_;
  const std::uint64_t first_node_;  ///< sequence number of the first autograd node of this thread after construction
  std::string why_not_;
  std::vector<Input> inputs_;
  std::vector<TapedCall> calls_;
  std::vector<Constant> constants_;
  std::vector<at::Tensor> initial_;
  std::unordered_map<const c10::TensorImpl*, Known> known_;
  std::unordered_map<const c10::StorageImpl*, Memory> memory_;
  bool lost_a_graph_ = false;
};

/// Returns which output of a taped call this tensor is; empty if no taped call returned it.
std::optional<OutputIndex> maker_of(const Tape& tape, const at::Tensor& tensor);

/// Origin of an argument of a call: an output of an earlier call, or an input. Both are empty for a constant.
struct Origin {
  std::optional<OutputIndex> place{};
  std::optional<std::size_t> input{};
};
/// `argument` is the index among the tensor arguments.
Origin origin_of(const Tape& tape, std::size_t call, std::size_t argument);

}  // namespace ampprof::tape
