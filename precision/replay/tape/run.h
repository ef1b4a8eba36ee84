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

/// A part of all memory that has `of` elements: of calls that do the same to each of them.
struct Piece {
  std::int64_t of = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;

  at::Tensor part_of(const at::Tensor& flat) const { return flat.narrow(0, first, count); }
};

/// One run of a tape, in the graph and at the dual level of whoever runs it.
class Run {
 public:
  /// Runs the op of a call on the stack.
  using RunOp = std::function<void(std::size_t call, const c10::OperatorHandle& op, torch::jit::Stack& stack)>;
  using SeeResults = std::function<void(std::size_t call, const std::vector<at::Tensor>& results)>;

  /// `wanted`: slots that are read at the end. Calls that none of them depends on are left out. `inputs` are parts
  /// where `piece` says so.
  Run(const Tape& tape, const std::vector<at::Tensor>& inputs, const std::vector<int>& wanted,
      std::optional<Piece> piece = std::nullopt);

  /// Runs the calls in order, in FP64 where the program lets FP32 be shortened.
  void calls(const RunOp& run, const SeeResults& seen = {});

  at::Tensor& value(int slot) { return values_[static_cast<std::size_t>(slot)]; }

  /// Returns what is read there now.
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
  std::vector<std::int64_t> elements_;  ///< by slot; of a piece's run
  std::vector<at::Tensor> values_;
  std::vector<bool> is_needed_;  ///< by call
  std::vector<std::vector<int>> freed_after_;
  std::optional<c10::OperatorHandle> twin_;             ///< runs in place of the call in progress
  std::vector<std::pair<Source, at::Tensor>> written_;  ///< by that call, and what it was given
};

/// Returns whether a tensor takes all of a memory of so many elements, in its order.
bool fills(std::int64_t elements, const Source& place);

/// Returns which calls of a tape one of these slots depends on.
std::vector<bool> needed_calls(const Tape& tape, const std::vector<int>& wanted);

/// Returns how many elements the memory in each slot has; with Identity::Memory.
std::vector<std::int64_t> elements_by_slot(const Tape& tape);

}  // namespace ampprof::tape
