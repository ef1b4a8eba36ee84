// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "profiler/source/code_place.h"
#include "reports/records/dtype.h"

namespace ampprof::profiler {

struct OpInfo;

/// Holds the calls of an unrecorded step, in order, with their inputs and results. If the loss is not finite, the trail
/// shows which call made the first NaN or inf. Keeps no memory alive: a tensor that autograd did not save cannot be
/// read later. Not thread-safe.
class OutputTrail {
 public:
  static constexpr std::size_t kMostCalls = 1 << 16;  ///< per step; later calls are not stored

  struct Maker {
    const OpInfo* op = nullptr;
    std::int32_t module = 0;  ///< id of the module's path
    CodePlace code{};
  };
  struct Found {
    Maker maker;
    std::int64_t nth = 0;              ///< index of the call, from 0, among the step's calls of this op in this module
    DType type = DType::Unknown;       ///< type of the result; Unknown if it was freed
    std::optional<bool> gives_nan{};   ///< the result has NaN; empty if it was freed
    bool takes_outside = false;        ///< an argument has NaN or inf that no call of the step made
    bool takes_mask = false;           ///< an argument has NaN or inf that the program wrote, such as -inf of a mask
    std::optional<bool> takes_zero{};  ///< an argument has a zero; empty if unknown because an argument was freed
  };

  /// Begins a call of this segment. Forgets the calls of other segments. Returns the call's index; empty if there are
  /// too many calls.
  std::optional<std::size_t> begin(std::int64_t segment, c10::ArrayRef<c10::IValue> arguments);
  /// Ends the call with this index.
  void end(std::size_t call, const Maker& maker, c10::ArrayRef<c10::IValue> results);
  /// Returns the call that made the first NaN or inf of the step. A result whose only nonfinite values are -inf, as in
  /// masks, counts only if no result has NaN or +inf. Reads values of CPU tensors.
  std::optional<Found> first_nonfinite(std::int64_t segment) const;
  void forget();

 private:
  /// A tensor, and its version at the call.
  struct Seen {
    const void* memory = nullptr;  ///< address of its storage, which views share
    c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> tensor;
    std::uint32_t version = 0;

    /// Returns the tensor; undefined if it was freed or written later.
    at::Tensor alive() const;
  };
  struct Of {
    Maker maker{};  ///< has no op if the call threw
    std::vector<Seen> arguments{};
    std::vector<Seen> results{};
  };

  /// A result that is not finite, and its call.
  struct Nonfinite {
    std::size_t call = 0;
    at::Tensor result;
  };

  struct Origin {
    std::size_t call = 0;
    at::Tensor result{};      ///< result of the call; undefined if it was freed
    bool is_certain = false;  ///< a tensor on the path to the call is still alive and not finite
    bool is_outside = false;  ///< an argument is not finite, and no call of the step made it
    bool takes_mask = false;
  };

  static std::vector<Seen> seen_in(c10::ArrayRef<c10::IValue> values);
  std::optional<Nonfinite> first_result() const;
  /// Returns the last call before index `calls` that computed the values in this memory; empty if no call did.
  std::optional<std::size_t> computed_in(const void* memory, std::size_t calls) const;
  /// Returns the origin of a call's nonfinite result. Follows nonfinite arguments back to the nearest call whose
  /// arguments are all finite. Freed arguments count as nonfinite, but paths through living tensors take precedence.
  Origin origin_of(std::size_t call, const at::Tensor& result, std::set<std::size_t>& visited) const;
  Found facts_of(const Origin& origin) const;

  std::int64_t segment_ = -1;
  std::vector<Of> calls_;
};

}  // namespace ampprof::profiler
