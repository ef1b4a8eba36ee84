// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "profiler/loss/loss_factor.h"

namespace ampprof::profiler {

/// Determines the loss scale of each backward pass.
///
/// An AMP engine announces the scale before the pass. A GradScaler, or the program's own division of gradients, shows
/// the scale after the pass. A program with none of these does not scale its loss. A pass whose scale is unknown when
/// it begins is open until it is settled. Functions that settle passes return their ids and scales, so that the caller
/// can divide the pending impacts. A loss value is never divided: scaled_at() tells which value was scaled. Not
/// thread-safe.
class LossScales {
 public:
  /// A backward pass that accumulates into leaves.
  struct Begun {
    std::int64_t id = 0;                      ///< number of the pass, from 1
    std::optional<double> scale = {};         ///< empty if unknown
    std::optional<double> likely_scale = {};  ///< the scale, or a guess, such as the factor of a new GradScaler
  };
  struct Settled {
    std::int64_t pass = 0;
    double scale = 1.0;
    /// A factor that looks like a scale but was not announced. The user gets a note about it.
    std::optional<double> doubtful = {};
    bool is_by_tensor = false;  ///< `doubtful` is the value of a tensor, like the scale of a GradScaler
    bool is_unscaled = false;   ///< a scaler unscaled the pass's gradients, although the loss was not scaled

    bool operator==(const Settled&) const = default;
  };

  /// Begins a pass. `chain`: the multiplications from its loss to its root.
  Begun begin(const LossChain& chain);
  void end(std::int64_t pass);
  /// Returns how many passes began.
  std::int64_t passes() const { return passes_; }

  /// Sets the scale that an AMP engine uses during its backward; empty outside of backward.
  void engine_scales_by(std::optional<double> scale) { engine_scale_ = scale; }
  std::optional<double> engine_scale() const { return engine_scale_; }
  /// Sets the scale that the program announced for its losses.
  void program_scales_by(double scale) { announced_scale_ = scale; }
  /// Notes that a GradScaler divides the gradients of this segment by `scale`. If the program stops before the scaler's
  /// update(), settle() uses this scale.
  void unscaled_by(double scale);
  /// Notes that a GradScaler divides the gradients of this pass.
  void divides_gradients_of(std::int64_t pass) { divided_.insert(pass); }
  std::optional<double> unscaled_by() const { return unscaled_by_; }
  /// Handles a GradScaler's update of the scale, and settles the passes whose losses it scaled. `scaler`: address of
  /// its scale tensor, as an identity. `before`, `after`: the scale before and after the update. If no loss was
  /// multiplied by that tensor, the program used a copy, so each line that multiplies a loss by a tensor on a device
  /// counts as scaling a loss.
  std::vector<Settled> scaler_decided(const void* scaler, double before, double after);

  bool has_open() const { return !open_.empty(); }
  bool is_open(std::int64_t pass) const;
  /// Handles gradients that the program multiplies by `multiplier`. Settles the passes whose loss was multiplied by a
  /// plain number that is the inverse of `multiplier`. Settled::doubtful is set for a scale not guessed before. A
  /// pass scaled by a tensor stays open, because its GradScaler may still settle it.
  std::vector<Settled> gradients_multiplied_by(double multiplier);
  /// Returns the index of the multiplication in a chain whose factor is known to be a loss scale: a scaler's tensor, or
  /// the program's own number. If gradients were ever divided by a factor, each factor at the same site counts as a
  /// scale, in earlier passes, too.
  std::optional<std::size_t> scaled_at(const LossChain& chain) const;
  enum class Which { Ended, All };
  /// Settles open passes when a segment ends and nothing more can show their scale. `Ended` leaves passes open that are
  /// still running on another thread. A pass whose scale stays unknown is dropped.
  std::vector<Settled> settle(Which which, bool has_engine);

 private:
  struct Open {
    std::int64_t id = 0;
    LossChain chain;
    bool has_ended = false;
    bool is_divided = false;  ///< the program divides the gradients by the value of a tensor in `chain`
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
  std::optional<double> announced_scale_;
  std::optional<double> unscaled_by_;
  std::set<std::int64_t> divided_;         ///< passes whose gradients a scaler divided since its last update
  std::optional<double> guessed_scale_;    ///< the program's own factor, if it did not announce a scale
  std::map<const void*, double> scalers_;  ///< the scale of each GradScaler, by its scale tensor
  std::set<const void*> multiplied_by_;  ///< scale tensors that multiplied a loss since the last update of their scaler
  std::set<LossSite> scaled_sites_;      ///< lines that multiply by a loss scale
};

}  // namespace ampprof::profiler
