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

/// The calls of a step that is not recorded, in order, with what they took and gave. Once the loss is not finite, they
/// tell which call began it. Keeps no memory alive: a tensor that autograd did not save cannot be looked at any more.
/// Not thread-safe.
class OutputTrail {
 public:
  static constexpr std::size_t kMostCalls = 1 << 16;  ///< of a step; what comes later is not remembered

  struct Maker {
    const OpInfo* op = nullptr;
    std::int32_t module = 0;  ///< id of its path
    CodePlace code{};
  };
  struct Found {
    Maker maker;
    std::int64_t nth = 0;              ///< among the calls of this op in this module in the step, from 0
    DType type = DType::Unknown;       ///< of the result, where it is alive
    std::optional<bool> gives_nan{};   ///< empty where the result is gone
    bool takes_outside = false;        ///< an argument has NaN or inf that no call of the step gave
    bool takes_mask = false;           ///< one has a number that the program wrote, as -inf
    std::optional<bool> takes_zero{};  ///< one has a zero; empty where an argument is gone
  };

  /// A call of this segment is about to run. Forgets the calls of another one. Returns which it is; empty where there
  /// are too many.
  std::optional<std::size_t> begin(std::int64_t segment, c10::ArrayRef<c10::IValue> arguments);
  /// That call has ended.
  void end(std::size_t call, const Maker& maker, c10::ArrayRef<c10::IValue> results);
  /// Returns the call that the first NaN or inf of the step descends from. -inf alone, as masks are made of, counts
  /// where nothing else came of it or no other is there. Reads values of CPU tensors.
  std::optional<Found> first_nonfinite(std::int64_t segment) const;
  void forget();

 private:
  /// A tensor as it was.
  struct Seen {
    const void* memory = nullptr;  ///< identity of its storage, which views share
    c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> tensor;
    std::uint32_t version = 0;

    /// Returns the tensor; undefined where it is gone, or was written since.
    at::Tensor alive() const;
  };
  struct Of {
    Maker maker{};  ///< without an op where the call threw
    std::vector<Seen> arguments{};
    std::vector<Seen> results{};
  };

  /// A result that is not finite, and the call that gave it.
  struct Nonfinite {
    std::size_t call = 0;
    at::Tensor result;
  };

  struct Origin {
    std::size_t call = 0;
    at::Tensor result{};      ///< of it; undefined where it is gone
    bool is_certain = false;  ///< values that are alive lead there
    bool is_outside = false;  ///< an argument is not finite, and no call gave it
    bool takes_mask = false;
  };

  static std::vector<Seen> seen_in(c10::ArrayRef<c10::IValue> values);
  std::optional<Nonfinite> first_result() const;
  /// Returns the last call of the first `calls` that computed what is in this memory; empty without one.
  std::optional<std::size_t> computed_in(const void* memory, std::size_t calls) const;
  /// Returns where the result of a call that is not finite descends from: the first call on its way back whose
  /// arguments are finite. What is gone counts as not finite where nothing that is alive leads on.
  Origin origin_of(std::size_t call, const at::Tensor& result, std::set<std::size_t>& visited) const;
  Found facts_of(const Origin& origin) const;

  std::int64_t segment_ = -1;
  std::vector<Of> calls_;
};

}  // namespace ampprof::profiler
