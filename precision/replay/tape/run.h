// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "precision/replay/tape/tape.h"

namespace ampprof::tape {

/// A range of elements in each memory that has `of` elements, for calls that treat all elements alike.
struct Piece {
  std::int64_t of = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;

  at::Tensor part_of(const at::Tensor& flat) const { return flat.narrow(0, first, count); }
};

/// One run of a tape, in the autograd graph and at the dual level of the caller.
class Run {
 public:
  /// Runs the op of a call with the arguments on `stack`.
  using RunOp = std::function<void(std::size_t call, const c10::OperatorHandle& op, torch::jit::Stack& stack)>;
  using SeeResults = std::function<void(std::size_t call, const std::vector<at::Tensor>& results)>;

  /// `wanted` are slots whose values are read at the end. Calls on which no wanted slot depends are left out. With
  /// `piece`, `inputs` contain only that range.
  Run(const Tape& tape, const std::vector<at::Tensor>& inputs, const std::vector<int>& wanted,
      std::optional<Piece> piece = std::nullopt);

  /// Runs the calls in order; in FP64 if the program allows TF32 or BF16 inside FP32.
  void calls(const RunOp& run, const SeeResults& seen = {});

  at::Tensor& value(int slot) { return values_[static_cast<std::size_t>(slot)]; }

  /// Returns the current value of the source.
  at::Tensor read(const Source& source);

 private:
  bool is_piece(int slot) const;
  at::Tensor read_constant(const Source& source) const;
  void find_last_uses(const std::vector<int>& kept);
  torch::jit::Stack arguments_of(const TapedCall& call);
  at::Tensor to_write(const Source& source);
  void keep_written(const std::vector<at::Tensor>& results);
  void put(const Result& result, const at::Tensor& tensor);

  const Tape& tape_;
  const std::optional<Piece> piece_;
  std::vector<std::int64_t> elements_;  ///< by slot: number of elements; only with `piece`
  std::vector<at::Tensor> values_;
  std::vector<bool> is_needed_;  ///< by call: whether a wanted slot depends on the call
  std::vector<std::vector<int>> freed_after_;
  std::optional<c10::OperatorHandle> twin_;             ///< out-of-place op that runs instead of an in-place call
  std::vector<std::pair<Source, at::Tensor>> written_;  ///< sources that the call writes, with the tensors passed
};

/// Returns whether a tensor covers all of a memory with this many elements, in order.
bool fills(std::int64_t elements, const Source& place);

/// Returns the calls of a tape on which one of these slots depends.
std::vector<bool> needed_calls(const Tape& tape, const std::vector<int>& wanted);

/// Returns the number of elements of the memory in each slot, with Identity::Memory.
std::vector<std::int64_t> elements_by_slot(const Tape& tape);

}  // namespace ampprof::tape
