// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "profiler/loss/loss_factor.h"

namespace ampprof::profiler {

/// Knows, or finds out, by what number each loss was multiplied before its backward pass: its loss scale.
///
/// An AMP engine says so before the pass, a GradScaler or the program's own division after it, and a program that does
/// neither scales nothing. A pass whose scale is not known when it begins is open until it is settled. Whoever settles
/// passes gets their ids and scales, and divides by them what waited. Not thread-safe.
class LossScales {
 public:
  /// A pass that accumulates into leaves.
  struct Begun {
    std::int64_t id = 0;                      ///< from 1
    std::optional<double> scale = {};         ///< where it is known
    std::optional<double> likely_scale = {};  ///< the same, or what looks like one: a new GradScaler's
  };
  struct Settled {
    std::int64_t pass = 0;
    double scale = 1.0;
    /// A number that looks like a scale, and that nobody has spoken of: the user is to be told.
    std::optional<double> doubtful = {};

    bool operator==(const Settled&) const = default;
  };

  /// Begins a pass of a loss that was multiplied by `factor`, if by any.
  Begun begin(const LossFactor& factor);
  void end(std::int64_t pass);
  /// Returns how many passes began.
  std::int64_t passes() const { return passes_; }

  /// An AMP engine scales by this during its backward; empty when that is over.
  void engine_scales_by(std::optional<double> scale) { engine_scale_ = scale; }
  std::optional<double> engine_scale() const { return engine_scale_; }
  /// The program says what it multiplies its losses by.
  void program_scales_by(double scale) { said_scale_ = scale; }
  /// A GradScaler divides the gradients of this segment by `scale`.
  void unscaled_by(double scale) { unscaled_by_ = scale; }
  std::optional<double> unscaled_by() const { return unscaled_by_; }
  /// A GradScaler, known by its scale tensor, is done with a step. Settles the passes that it scaled.
  std::vector<Settled> scaler_decided(const void* scaler, double before, double after);

  bool has_open() const { return !open_.empty(); }
  bool is_open(std::int64_t pass) const;
  /// The program multiplies gradients by `multiplier`. Settles the passes whose loss was multiplied by its inverse;
  /// `doubtful` is a scale that was not guessed before.
  std::vector<Settled> gradients_multiplied_by(double multiplier);
  enum class Which { Ended, All };
  /// Settles what is open when a segment ends, and nobody will speak of its passes any more. Those that have not ended,
  /// on another thread, may go on. A pass that stays unknown is dropped.
  std::vector<Settled> settle(Which which, bool has_engine);

 private:
  struct Open {
    std::int64_t id = 0;
    LossFactor factor;
    bool has_ended = false;
  };

  std::optional<double> known_scale_of(const LossFactor& factor) const;
  std::optional<double> scale_of_scaler(const LossFactor& factor) const;
  std::optional<Settled> settled(const Open& pass, bool has_engine) const;
  void close(const std::vector<Settled>& passes);

  std::int64_t passes_ = 0;
  std::vector<Open> open_;
  std::optional<double> engine_scale_;
  std::optional<double> said_scale_;
  std::optional<double> unscaled_by_;
  std::optional<double> guessed_scale_;    ///< what the program multiplies by itself, where nobody says it
  std::map<const void*, double> scalers_;  ///< GradScalers by their scale tensor, and their scale
};

}  // namespace ampprof::profiler
