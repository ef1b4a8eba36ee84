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

/// The ops of a part of a step, kept so that they can be run again on other values.
namespace ampprof::tape {

/// By what a tape knows a tensor again.
enum class Identity {
  Tensor,  ///< itself: its .data is another, through which no gradient flows
  Memory,  ///< what it lies in: what optimizers write through .data and in slices of one buffer is the same
};

/// Where a call takes a tensor from.
struct Source {
  int slot = -1;                                 ///< number of the value that an earlier call made, or that is put in
  int constant = -1;                             ///< number of what does not depend on any of these; both -1: undefined
  bool is_detached = false;                      ///< no gradient flows through it
  bool is_copied = false;                        ///< the call may write it, though nobody reads that
  std::vector<std::int64_t> sizes{}, strides{};  ///< its place in the memory that is the slot; with Identity::Memory
  std::int64_t offset = 0;
};

/// Where the value of a returned tensor goes.
struct Result {
  int slot = -1;              ///< -1: nobody takes it
  Source place{};             ///< with Identity::Memory
  std::int64_t elements = 0;  ///< of that memory
};

class Tape;

struct TapedCall {
  c10::OperatorHandle op;
  const Tape* tape = nullptr;            ///< that prepared it
  std::uint64_t first_node = 0;          ///< for the caller: sequence number of the first autograd node that it makes
  std::vector<c10::IValue> arguments{};  ///< without their tensors
  std::vector<Source> sources{};         ///< of these, in order
  std::vector<Result> results{};         ///< of each tensor that it returns, in order
  at::Tensor mask{};                     ///< that a dropout drew
};

/// A tensor that does not depend on what is put in. Small ones and memory of the program's own are copied; others are
/// looked at when the tape is run, and must not have been written by then.
struct Constant {
  at::Tensor tensor;
  std::optional<std::uint32_t> version{};
};

/// A value that is put in when the tape is run, and what it was when it was taped.
struct Input {
  at::Tensor tensor;    ///< of the program
  at::Tensor original;  ///< a copy, in the tape's precision or above
  int slot = -1;
};

/// One output of one taped call.
struct OutputIndex {
  std::size_t call = 0;
  std::size_t output = 0;

  auto operator<=>(const OutputIndex&) const = default;
};

/// Records calls that depend on its inputs, and no others. Calls that run without gradients are the caller's to leave
/// out; of those that it does not, gradients flow through what a later call takes as a tensor with a gradient. What
/// cannot be run again ends the tape: why_not() says why. Not thread-safe; nothing that the program can see changes.
class Tape {
 public:
  /// Returns what a parameter in reduced precision is a copy of; undefined where there is nothing.
  using MasterOf = std::function<at::Tensor(const at::Tensor& parameter)>;

  /// `precision` is kFloat or kDouble: in which it is run.
  Tape(at::ScalarType precision, Identity identity, MasterOf master_of = {});

  /// Makes a tensor one of the inputs. With Identity::Tensor leaves that take a gradient become one where they are met.
  std::size_t add_input(const at::Tensor& tensor);

  /// Before a call: what add() needs of it, off the top of `stack`; empty where it is not taped.
  std::optional<TapedCall> prepare(const c10::OperatorHandle& op, const torch::jit::Stack& stack);
  /// After the call. Returns its number.
  std::size_t add(TapedCall prepared, c10::ArrayRef<c10::IValue> returned);

  /// Returns where the value of this tensor is now; empty where the tape does not know it.
  std::optional<Source> source_of(const at::Tensor& tensor) const;

  void give_up(const std::string& reason) {
    if (why_not_.empty()) why_not_ = reason;
  }
  /// Returns "" where it can be run.
  const std::string& why_not() const { return why_not_; }
  /// Returns the same, constants that were overwritten meanwhile included.
  std::string why_not_now() const;

  at::ScalarType precision() const { return precision_; }
  Identity identity() const { return identity_; }
  const std::vector<Input>& inputs() const { return inputs_; }
  const std::vector<TapedCall>& calls() const { return calls_; }
  const std::vector<Constant>& constants() const { return constants_; }
  /// Returns what is in a slot from the beginning: memory that calls write a part of. Undefined for all others.
  const at::Tensor& initial(int slot) const { return initial_[static_cast<std::size_t>(slot)]; }
  int slots() const { return static_cast<int>(initial_.size()); }
  /// A call took a tensor with a gradient that this thread made since, but not a call with one: a custom autograd
  /// function.
  bool lost_a_graph() const { return lost_a_graph_; }

 private:
  using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  using WeakMemory = c10::weak_intrusive_ptr<c10::StorageImpl>;

  struct Known {
    WeakTensor tensor;
    int slot = -1;
    std::uint32_t version = 0;  ///< after the last taped call that wrote it
  };
  struct Memory {
    WeakMemory memory;
    std::vector<const c10::TensorImpl*> tensors{};  ///< known ones in it, oldest first
    int slot = -1;                                  ///< with Identity::Memory
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
  const std::uint64_t first_node_;  ///< sequence number of the first autograd node of this thread from then on
  std::string why_not_;
  std::vector<Input> inputs_;
  std::vector<TapedCall> calls_;
  std::vector<Constant> constants_;
  std::vector<at::Tensor> initial_;
  std::unordered_map<const c10::TensorImpl*, Known> known_;
  std::unordered_map<const c10::StorageImpl*, Memory> memory_;
  bool lost_a_graph_ = false;
};

/// Returns the output of a tape's call that this tensor is; empty where none made it.
std::optional<OutputIndex> maker_of(const Tape& tape, const at::Tensor& tensor);

/// Where an argument of a call comes from: an output of an earlier one, or an input. Both are empty for a constant.
struct Origin {
  std::optional<OutputIndex> place{};
  std::optional<std::size_t> input{};
};
/// `argument`: the number of one that is a tensor.
Origin origin_of(const Tape& tape, std::size_t call, std::size_t argument);

}  // namespace ampprof::tape
