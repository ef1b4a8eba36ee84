// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "precision/replay/variant/counterpart.h"
#include "profiler/loss/loss_factor.h"
#include "profiler/loss/read_values.h"
#include "profiler/torch_hooks/backward_pass.h"

namespace ampprof::profiler {

/// The root of a backward pass, or an operand of one of the multiplications that led to the root (LossChain).
struct LossTensor {
  at::Tensor run = {};                                ///< the program's value, one element; undefined if unknown
  std::vector<variant::Counterpart> in_replays = {};  ///< the value in each replay of the step
};

/// Remembers the newest multiplications of a one-element tensor that requires a gradient by a factor that does not. One
/// of them may be that of a loss by its scale. Keeps the values of operands alive, but no autograd graph. Thread-safe.
class OneElementProducts {
 public:
  using Storage = c10::weak_intrusive_ptr<c10::StorageImpl>;

  /// The position of an element in a storage. Prevents reuse of the storage's address, but does not keep the data
  /// alive.
  struct Memory {
    explicit Memory(const at::Tensor& tensor);
    bool operator==(const Memory& other) const;

    Storage storage;
    std::int64_t offset;
  };
  /// The value that a call will multiply.
  struct Operand {
    LossTensor value;            ///< detached value; a copy if the call overwrites the operand
    std::uint32_t version = 0;   ///< version counter of `value`, which later writes increment
    const void* node = nullptr;  ///< autograd node that made the operand
    std::uint32_t output = 0;    ///< index of the operand among the outputs of the op that made it
    Memory memory;
  };
  /// Returns the operand of a call that has not run yet. `operand` and its counterparts must have one element each, in
  /// plain memory. A view of a larger storage is copied, so that the storage is not kept alive.
  static Operand operand_of(const at::Tensor& operand, std::vector<variant::Counterpart> in_replays,
                            bool is_overwritten);

  /// Adds a multiplication that has run at `line` (SourcePlaces::Id).
  void add(const at::Tensor& product, Operand operand, const LossFactor& factor, std::int32_t line);
  /// Notes that the program reads the value of this tensor, for example with item(). The tensor is then likely to be
  /// the unscaled loss, which programs print.
  void read(const at::Tensor& tensor);
  /// Returns the index (see LossChain), counted from the root, of the first value that the program has read; empty if
  /// it has read none.
  std::optional<std::size_t> first_read_in(const LossChain& chain) const;

  struct Chain {
    LossChain products;
    std::vector<LossTensor> operands;  ///< operand of each product; undefined if it was written later
  };
  /// Returns the multiplications that led to the root of a pass.
  Chain at(const BackwardRoot& root) const;

 private:
  struct Entry {
    const void* node;                    ///< autograd node of the product
    std::function<bool()> node_is_gone;  ///< true if another node may have the address of `node`
    std::uint32_t output;
    Memory memory;  ///< position of the product's value in its storage
    Operand operand;
    LossProduct how;
  };
  const Entry* find(const void* node, std::uint32_t output) const;

  mutable std::mutex mutex_;
  std::array<std::optional<Entry>, 32> newest_{};  ///< ring buffer of the latest multiplications
  std::size_t next_ = 0;
  std::array<std::optional<Memory>, 16> read_{};  ///< ring buffer of the latest values that the program has read
  std::size_t next_read_ = 0;
  ReadValues read_values_;
};

}  // namespace ampprof::profiler
