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
  std::optional<double> finite_amax;  ///< largest finite |gradient|, including the loss scale; empty if none is finite
};

/// Reason why a call turned finite values into NaN or inf. Numbers are stored in report files: never renumber.
enum class NonfiniteCause : std::uint8_t {
  Unknown = 0,
  TooLarge = 1,        ///< the result is beyond the largest number of its type
  DivisionByZero = 2,  ///< a division by 0, also 0 / 0
  LogOfZero = 3,       ///< a logarithm of 0 or of a negative number
  RootOfNegative = 4,
  InfMinusInf = 5,   ///< inf - inf, where the program itself set values to infinity
  ZeroTimesInf = 6,  ///< 0 * inf, where the program itself set values to infinity
  AllMasked = 7,     ///< a softmax over -inf alone
  Received = 8,      ///< another rank sent NaN or inf
};

/// The worst effect of an event's NaN or inf values, in the order of severity except Skipped. Numbers are stored in
/// report files: never renumber.
enum class NonfiniteOutcome : std::uint8_t {
  Nothing = 0,   ///< no effect was seen
  Masked = 1,    ///< a later call turned the values into finite ones, or did not read them
  Clamped = 2,   ///< clamp() or nan_to_num() turned the values into finite ones
  Result = 3,    ///< in the result of inference
  Loss = 4,      ///< in a loss
  Gradient = 5,  ///< in the gradient of a parameter
  Buffer = 6,    ///< in a buffer of a module, such as a running mean
  Weight = 7,    ///< in a parameter
  Skipped = 8,   ///< a loss scaler saw NaN or inf and skipped the update
};

inline constexpr NonfiniteOutcome kLastOutcome = NonfiniteOutcome::Skipped;
inline constexpr NonfiniteCause kLastCause = NonfiniteCause::Received;

/// Return the words for reports, JSON and tables: "too large", "gradient".
std::string_view name_of(NonfiniteCause cause);
std::string_view name_of(NonfiniteOutcome outcome);

/// A call turned finite values into NaN or inf, or a loss scaler saw a gradient that is not finite. There is one event
/// for each step and call site where NaN or inf began. If NaN or inf of several events meet within a step, the events
/// are merged under the call site of the first.
struct NonfiniteEvent {
  std::int64_t segment = 0;
  std::int64_t first_site = 0;  ///< call site where NaN or inf began; 0 if unknown
  std::int64_t calls = 1;       ///< calls of first_site in the steps of this event
  std::int64_t steps = 1;       ///< number of steps in this event; only the first steps of a call site have own events
  /// Index, from 1, of the backward pass in which the event began. For an event outside of backward, the index of the
  /// segment's next backward pass; empty if there is none.
  std::optional<std::int64_t> micro_batch;
  NonfiniteCause cause = NonfiniteCause::Unknown;
  std::optional<double> value;  ///< largest exact value of the result; empty if that is not finite
  /// Whether the result on the call's actual inputs fits into FP32. Empty if that was not computed.
  std::optional<bool> fp32_holds;
  std::optional<bool> shadow_holds;  ///< whether the result on the shadow's inputs fits into FP32
  NonfiniteOutcome outcome = NonfiniteOutcome::Nothing;
  std::string reached;            ///< parameter or buffer that NaN or inf reached; "" for none or an unknown name
  std::int64_t outcome_site = 0;  ///< call site of the outcome; 0 if it is not a call
  bool by_scaler = false;         ///< a loss scaler saw NaN or inf: the members below are valid
  std::int32_t loss_id = 0;
  double scale_before = 1.0;
  double scale_after = 1.0;
  bool skipped = false;
  std::optional<double> largest_safe_scale;
  bool largest_safe_scale_is_bound = true;
  std::vector<EventParameter> parameters;
  std::vector<std::int64_t> chain;  ///< call sites that NaN or inf spread through, in order, including the first
};

}  // namespace ampprof
