// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ampprof {

/// One parameter whose gradient was not finite.
struct EventParameter {
  std::string name;
  std::int64_t nan = 0;
  std::int64_t inf = 0;
  std::optional<double> finite_amax;  ///< largest finite |gradient|, scaled; empty when none is finite
};

/// Why a call made NaN or inf of finite values. Numbers are stored in report files: never renumber.
enum class NonfiniteCause : std::uint8_t {
  Unknown = 0,
  TooLarge = 1,        ///< the result is beyond the largest number of its type
  DivisionByZero = 2,  ///< or 0 / 0
  LogOfZero = 3,       ///< or of a negative number
  RootOfNegative = 4,
  InfMinusInf = 5,   ///< of values that the program wrote as infinite itself
  ZeroTimesInf = 6,  ///< likewise
  AllMasked = 7,     ///< a softmax over -inf alone
  Received = 8,      ///< another rank sent it
};

/// The fate of the values, from the least to the most. Numbers are stored in report files: never renumber.
enum class NonfiniteOutcome : std::uint8_t {
  Nothing = 0,   ///< no effect was seen
  Masked = 1,    ///< a later call made finite values of them, or did not read them
  Clamped = 2,   ///< the same by clamp() or nan_to_num()
  Result = 3,    ///< they are in what inference returned
  Loss = 4,      ///< they are in a loss
  Gradient = 5,  ///< they are in the gradient of a parameter
  Buffer = 6,    ///< they are in a statistic that a module keeps
  Weight = 7,    ///< they are in a parameter
  Skipped = 8,   ///< a loss scaler saw them and left the update out
};

inline constexpr NonfiniteOutcome kLastOutcome = NonfiniteOutcome::Skipped;
inline constexpr NonfiniteCause kLastCause = NonfiniteCause::Received;

/// Return the words that reports, JSON and tables use: "too large", "gradient".
std::string_view name_of(NonfiniteCause cause);
std::string_view name_of(NonfiniteOutcome outcome);

/// A call made NaN or inf of finite values, or a loss scaler saw a gradient that is not finite. There is one event for
/// each step and call site that values began at; those whose values meet within a step are one, named by the first.
struct NonfiniteEvent {
  std::int64_t segment = 0;
  std::int64_t first_site = 0;  ///< call site that the values descend from; 0 where unknown
  std::int64_t calls = 1;       ///< of that call site, in these steps
  std::int64_t steps = 1;       ///< that it stands for: only the first ones of a call site have events of their own
  /// Backward pass of the segment in which it began, or before which, from 1; empty outside of both.
  std::optional<std::int64_t> micro_batch;
  NonfiniteCause cause = NonfiniteCause::Unknown;
  std::optional<double> value;  ///< the largest that the result should have been; empty where that is not finite
  /// Whether FP32 holds the result, on the inputs that the call got. Empty where nobody computed that.
  std::optional<bool> fp32_holds;
  std::optional<bool> shadow_holds;  ///< the same on the inputs of the step in exact arithmetic
  NonfiniteOutcome outcome = NonfiniteOutcome::Nothing;
  std::string reached;            ///< the parameter or statistic; "" where there is none, or no name is known
  std::int64_t outcome_site = 0;  ///< call site of the outcome; 0 where it is no call
  bool by_scaler = false;         ///< a loss scaler saw it: the members below mean something
  std::int32_t loss_id = 0;
  double scale_before = 1.0;
  double scale_after = 1.0;
  bool skipped = false;
  std::optional<double> largest_safe_scale;
  bool largest_safe_scale_is_bound = true;
  std::vector<EventParameter> parameters;
  std::vector<std::int64_t> chain;  ///< call sites it spread through, in order, the first included
};

}  // namespace ampprof
