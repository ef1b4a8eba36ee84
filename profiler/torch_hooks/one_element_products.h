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

/// A value on the way to a backward pass: the root, or an operand of a multiplication. Undefined if unknown.
struct LossTensor {
  at::Tensor run = {};                                ///< of one element
  std::vector<variant::Counterpart> in_replays = {};  ///< in each replay of the step
};

/// The newest multiplications of one value with a gradient by a factor without one, with their operands. A loss and its
/// scale are among them. Keeps the memory of operands, one element each, and no graphs of the program. Thread-safe.
class OneElementProducts {
 public:
  using Storage = c10::weak_intrusive_ptr<c10::StorageImpl>;

  /// An element of memory. Keeps its address from being reused, but not its bytes alive.
  struct Memory {
    explicit Memory(const at::Tensor& tensor);
    bool operator==(const Memory& other) const;

    Storage storage;
    std::int64_t offset;
  };
  /// The value that a call is about to multiply.
  struct Operand {
    LossTensor value;            ///< detached; a copy if the call overwrites it
    std::uint32_t version = 0;   ///< of `value`: a later write changes it
    const void* node = nullptr;  ///< that made it
    std::uint32_t output = 0;    ///< of that node
    Memory memory;
  };
  /// Returns the operand of a call that has not run yet. `operand` and its counterparts have one element each and plain
  /// memory. A view of larger memory is copied, so that the large memory is not kept.
  static Operand operand_of(const at::Tensor& operand, std::vector<variant::Counterpart> in_replays,
                            bool is_overwritten);

  /// Adds a multiplication that has run at `line` (SourcePlaces::Id).
  void add(const at::Tensor& product, Operand operand, const LossFactor& factor, std::int32_t line);
  /// Notes that the program reads the value of this tensor.
  void read(const at::Tensor& tensor);
  /// Returns the number of the first value, from the root on, that the program has read; empty if it has read none.
  std::optional<std::size_t> first_read_in(const LossChain& chain) const;

  struct Chain {
    LossChain products;
    std::vector<LossTensor> operands;  ///< of each product; undefined if the program has written to it since
  };
  /// Returns the multiplications that made the root of a pass.
  Chain at(const BackwardRoot& root) const;

 private:
  struct Entry {
    const void* node;                    ///< of the product
    std::function<bool()> node_is_gone;  ///< then its address may be reused
    std::uint32_t output;
    Memory memory;  ///< of the product
    Operand operand;
    LossProduct how;
  };
  const Entry* find(const void* node, std::uint32_t output) const;

  mutable std::mutex mutex_;
  std::array<std::optional<Entry>, 32> newest_{};  ///< in turn
  std::size_t next_ = 0;
  std::array<std::optional<Memory>, 16> read_{};  ///< the latest values that the program has read, in turn
  std::size_t next_read_ = 0;
  ReadValues read_values_;
};

}  // namespace ampprof::profiler
