// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/overflow/gradients_of_pass.h"
#include "reports/records/event.h"
#include "reports/records/phase.h"

namespace ampprof::profiler {

/// Follows NaN and inf from the calls that made them to their outcome. An event is open from its first call to the end
/// of its step. Thread-safe; needs no LibTorch.
class NonfiniteTrace {
 public:
  using Id = std::int64_t;           ///< id of an event; later events have larger ids
  using Memory = const void*;        ///< identity of a tensor's memory
  static constexpr Id kOutside = 0;  ///< id for values that no recorded call made

  struct Origin {
    std::int64_t call_site = 0;
    Phase phase = Phase::Forward;
    std::int64_t segment = 0;
    std::int64_t held = 0;                      ///< number of the call if it is a held call (HeldCalls); else 0
    std::optional<std::int64_t> micro_batch{};  ///< see NonfiniteEvent
    std::optional<double> scale{};              ///< loss scale in force; empty in forward
    std::optional<double> reference_amax{};     ///< largest magnitude in high precision; empty if unknown
    std::int64_t gradient = 0;                  ///< GradientsOfPass::place_of_call() of the call
    NonfiniteCause cause = NonfiniteCause::Unknown;
    std::optional<bool> fp32_holds{};  ///< see NonfiniteEvent
  };

  /// The largest loss scale at which no gradient of this pass would have overflowed in FP16.
  struct SafeScale {
    double value = 0.0;
    /// True if the largest safe scale may be lower than `value`. `value` is computed from the first op alone, and FP16
    /// may have flushed some of its inputs to zero.
    bool is_bound = true;

    bool operator==(const SafeScale&) const = default;
  };

  /// A loss scaler's reaction to gradients that are not finite.
  struct Decision {
    std::int64_t segment = 0;
    std::int32_t loss_id = 0;
    double scale_before = 1.0;
    double scale_after = 1.0;
    bool skipped = false;
  };

  /// Adds a call that turned finite inputs into NaN or inf. Returns its event; calls of one call site in one segment
  /// share an event. Returns kOutside if the step has too many events (take_left_out()).
  Id found(const Origin& origin);
  /// Joins events whose values meet in one call: merges the events of the current step into the first of them. Returns
  /// the event from which the result descends; kOutside if `ids` has no event.
  Id joined(std::span<const Id> ids);
  /// Adds a call whose results have NaN or inf of this event.
  void spread(Id id, std::int64_t call_site, Phase phase);
  /// Adds a call that turned values of this event into finite ones. `outcome`: Masked or Clamped. `overwritten`: the
  /// memory in which finite values replaced them; null if there is none.
  void made_finite(Id id, NonfiniteOutcome outcome, std::int64_t call_site, Memory overwritten);
  /// Records that values of this event reached `outcome`. `call_site`: the call that wrote the values there; 0 if no
  /// call did.
  void reached(Id id, NonfiniteOutcome outcome, const std::string& name, std::int64_t call_site);
  /// Records that values of this event are in a parameter's gradient, which has this memory.
  void reached_gradient(Id id, const std::string& name, std::int64_t call_site, Memory gradient);
  /// Records whether the call that made NaN or inf stays finite (`holds`) in the replay in exact arithmetic.
  void compared_with_shadow(std::int64_t call_site, std::int64_t segment, bool holds);

  /// Records the decision of a loss scaler on gradients that descend from the event `id`. If that event is over,
  /// already has a decision, or is unknown, begins a new event.
  void decided(Id id, const Decision& decision, std::vector<EventParameter> parameters,
               std::optional<SafeScale> safe_scale);
  /// Returns the event from which gradients of unknown origin most likely descend: the first open event that reached a
  /// gradient, else the first open event whose values are still not finite; kOutside if there is none.
  Id likely_id() const;

  /// Notes the end of an update. Later events belong to the next step, for example NaN or inf in a mask for that step.
  void updated();
  /// Returns the events of the steps before `step`. Events before the first step count as part of the first step. After
  /// kMostOfASite events of a call site, further ones are only added up.
  std::vector<NonfiniteEvent> settle(std::int64_t step);
  /// Returns all remaining events, and the sums of the events that were added up. Called at the end of the run.
  std::vector<NonfiniteEvent> settle_all();
  /// Returns how many events were not recorded because their step had too many. Resets the count.
  std::int64_t take_left_out();

  /// Returns the largest safe scale for an event. Empty if the scale is unknown, or if no scale would have helped
  /// because the first NaN or inf was in the forward or came from outside.
  std::optional<SafeScale> largest_safe_scale(Id id) const;

  /// Returns the position (GradientsOfPass) of the first gradient that values of the event's origin can have reached; 0
  /// if unknown.
  std::int64_t first_gradient(Id id) const;

  GradientsOfPass gradients;

 private:
  struct Open {
    NonfiniteEvent event;
    Origin origin;
    Phase last_phase = Phase::Forward;  ///< phase of the last call that the event spread to
    bool is_alive = true;               ///< the event still has values that no call has made finite
    std::set<Memory> gradients{};       ///< memory of gradients that hold the event's values
  };
  /// An event that is over.
  struct Closed {
    Origin origin;
    bool is_kept = false;  ///< a weight or a buffer still holds the event's values, which spoil later steps
  };
  struct OfSite {
    std::int64_t events = 0;
    std::optional<NonfiniteEvent> rest{};  ///< sum of the events beyond kMostOfASite
  };

  Id resolved(Id id) const;
  Open* open(Id id);
  Id add(const Origin& origin);
  void merge(Id from, Id into);
  void close(Id last, std::vector<NonfiniteEvent>& settled);
  void count(NonfiniteEvent event, std::vector<NonfiniteEvent>& settled);
  const Origin* origin_of(Id id) const;

  mutable std::mutex mutex_;
  std::map<Id, Open> open_;
  std::map<Id, Closed> closed_;
  std::unordered_map<Id, Id> merged_;  ///< maps a merged event to the event of this step into which it was merged
  std::unordered_map<std::int64_t, OfSite> sites_;
  Id last_id_ = kOutside;
  std::optional<std::int64_t> step_;  ///< argument of the last settle(); empty before the first
  std::optional<Id> last_of_step_;    ///< id of the newest event at the last updated()
  std::int64_t left_out_ = 0;
};

}  // namespace ampprof::profiler
