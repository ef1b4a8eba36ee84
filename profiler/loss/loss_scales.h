// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "profiler/loss/loss_factor.h"

namespace ampprof::profiler {

/// Knows, or finds out, by what number each loss was multiplied before its backward pass: its loss scale.
///
/// An AMP engine says so before the pass, a GradScaler or the program's own division after it, and a program that does
/// neither scales nothing. A pass whose scale is not known when it begins is open until it is settled. Whoever settles
/// passes gets their ids and scales, and divides the impacts that waited. A loss is never divided: scaled_at() tells
/// which value was scaled. Not thread-safe.
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
    bool is_by_tensor = false;  ///< that is the value of a tensor: a GradScaler multiplies by one
    bool is_unscaled = false;   ///< nobody multiplied, and a scaler divided its gradients all the same

    bool operator==(const Settled&) const = default;
  };

  /// Begins a pass of a loss that these multiplications made, if any did.
  Begun begin(const LossChain& chain);
  void end(std::int64_t pass);
  /// Returns how many passes began.
  std::int64_t passes() const { return passes_; }

  /// An AMP engine scales by this during its backward; empty when that is over.
  void engine_scales_by(std::optional<double> scale) { engine_scale_ = scale; }
  std::optional<double> engine_scale() const { return engine_scale_; }
  /// The program says what it multiplies its losses by.
  void program_scales_by(double scale) { said_scale_ = scale; }
  /// A GradScaler divides the gradients of this segment by `scale`. Its update may never come: the program may stop.
  void unscaled_by(double scale);
  /// It divides gradients that this pass began.
  void divides_gradients_of(std::int64_t pass) { divided_.insert(pass); }
  std::optional<double> unscaled_by() const { return unscaled_by_; }
  /// A GradScaler, known by its scale tensor, is done with a step. Settles the passes that it scaled. Where none was
  /// multiplied by that tensor, its copy was: the lines that multiply by a tensor on a device scale losses.
  std::vector<Settled> scaler_decided(const void* scaler, double before, double after);

  bool has_open() const { return !open_.empty(); }
  bool is_open(std::int64_t pass) const;
  /// The program multiplies gradients by `multiplier`. Settles the passes whose loss was multiplied by its inverse, a
  /// number of the program's; `doubtful` is a scale that was not guessed before. Of a tensor its scaler may speak
  /// still.
  std::vector<Settled> gradients_multiplied_by(double multiplier);
  /// Returns which multiplication of a chain is by a loss scale, as far as it is known now: by that of a scaler, or by
  /// the program's own number. One division settles all passes of its site, those before it included.
  std::optional<std::size_t> scaled_at(const LossChain& chain) const;
  enum class Which { Ended, All };
  /// Settles what is open when a segment ends, and nobody will speak of its passes any more. Those that have not ended,
  /// on another thread, may go on. A pass that stays unknown is dropped.
  std::vector<Settled> settle(Which which, bool has_engine);

 private:
  struct Open {
    std::int64_t id = 0;
    LossChain chain;
    bool has_ended = false;
    bool is_divided = false;  ///< the program divides its gradients by a tensor's value that made it
  };

  bool is_scaler(const LossFactor& factor) const;
  bool is_scale(const LossProduct& product) const;
  std::optional<double> known_scale_of(const LossChain& chain) const;
  std::optional<double> scale_of_scaler(const LossChain& chain) const;
  std::optional<Settled> settled(const Open& pass, bool has_engine) const;
  void close(const std::vector<Settled>& passes);
  void add_scaled(LossSite site);
  bool was_multiplied_by(const void* scaler) const;

  std::int64_t passes_ = 0;
  std::vector<Open> open_;
  std::optional<double> engine_scale_;
  std::optional<double> said_scale_;
  std::optional<double> unscaled_by_;
  std::set<std::int64_t> divided_;         ///< passes whose gradients a scaler divides, until it decides
  std::optional<double> guessed_scale_;    ///< what the program multiplies by itself, where nobody says it
  std::map<const void*, double> scalers_;  ///< GradScalers by their scale tensor, and their scale
  std::set<const void*> multiplied_by_;    ///< scale tensors of these, since the last decision of each
  std::set<LossSite> scaled_sites_;        ///< lines that multiply by a loss scale
};

}  // namespace ampprof::profiler
