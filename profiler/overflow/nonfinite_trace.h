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
  using Id = std::int64_t;           ///< of an event; later ones have larger ids
  using Memory = const void*;        ///< identity of a tensor's memory
  static constexpr Id kOutside = 0;  ///< instead of an event: no recorded call made the values

  struct Origin {
    std::int64_t call_site = 0;
    Phase phase = Phase::Forward;
    std::int64_t segment = 0;
    std::int64_t held = 0;                      ///< number instead of its segment (HeldCalls); 0: none
    std::optional<std::int64_t> micro_batch{};  ///< see NonfiniteEvent
    std::optional<double> scale{};              ///< loss scale in force; empty in forward
    std::optional<double> reference_amax{};     ///< of the output in a finite reference, if there is one
    std::int64_t gradient = 0;                  ///< GradientsOfPass::place_of_call() of the call
    NonfiniteCause cause = NonfiniteCause::Unknown;
    std::optional<bool> fp32_holds{};  ///< see NonfiniteEvent
  };

  /// The largest loss scale at which no gradient of this pass would have overflowed in FP16.
  struct SafeScale {
    double value = 0.0;
    /// The true scale may be lower: it is known from the first op alone, whose gradients lost what FP16 flushed.
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

  /// Takes a call that turned finite inputs into NaN or inf. Returns its event; the same call site and segment share
  /// one. Returns kOutside if the step has too many events (left_out()).
  Id found(const Origin& origin);
  /// Joins values of several events that meet in one call. Events of one step become one, the first of them. Returns
  /// the event that the result descends from; kOutside if `ids` has no other.
  Id joined(std::span<const Id> ids);
  /// Takes a call that made NaN or inf from values of this event, or found them.
  void spread(Id id, std::int64_t call_site, Phase phase);
  /// Takes a call that took values of this event and gave finite ones, with the `outcome` Masked or Clamped.
  /// `overwritten` is the memory whose values they replaced; null for none.
  void made_finite(Id id, NonfiniteOutcome outcome, std::int64_t call_site, Memory overwritten);
  /// Records that values of this event reached the `outcome`. `call_site` put them there; 0 for none.
  void reached(Id id, NonfiniteOutcome outcome, const std::string& name, std::int64_t call_site);
  /// Records that values of this event are in a parameter's gradient, which has this memory.
  void reached_gradient(Id id, const std::string& name, std::int64_t call_site, Memory gradient);
  /// Takes the result of the call in the step in exact arithmetic. `holds`: it is finite where the run's is not.
  void compared_with_shadow(std::int64_t call_site, std::int64_t segment, bool holds);

  /// Records a loss scaler's decision on these gradients, which descend from `id`. Its event is `id`, or a new one of
  /// this step if `id` is of an earlier step or unknown.
  void decided(Id id, const Decision& decision, std::vector<EventParameter> parameters,
               std::optional<SafeScale> safe_scale);
  /// Returns the event that gradients of unknown descent most likely descend from: the first open event that reached a
  /// gradient, else the first open one; kOutside without any.
  Id likely_id() const;

  /// Ends the update. Events from here to the next step belong to the next step, for example in a mask that is made for
  /// it.
  void updated();
  /// Returns the events of the steps before `step`, which are over. Events before the first step belong to it. Call
  /// sites that have had many events are left out; their events are added up.
  std::vector<NonfiniteEvent> settle(std::int64_t step);
  /// Returns all other events, and the sums of those that were added up, at the end of the run.
  std::vector<NonfiniteEvent> settle_all();
  /// Returns how many calls began an event that was not recorded, since the step had too many. Resets the number.
  std::int64_t take_left_out();

  /// Returns empty if the scale is unknown, or if no scale would have helped: the first NaN or inf came in the forward,
  /// or from outside.
  std::optional<SafeScale> largest_safe_scale(Id id) const;

  /// Returns the place of the first gradient that the origin can have reached; 0 if unknown.
  std::int64_t first_gradient(Id id) const;

  GradientsOfPass gradients;

 private:
  struct Open {
    NonfiniteEvent event;
    Origin origin;
    Phase last_phase = Phase::Forward;  ///< of the last call that it spread to
    bool is_alive = true;               ///< the result of that call was not made finite
    std::set<Memory> gradients{};       ///< that hold its values
  };
  /// An event that is over.
  struct Closed {
    Origin origin;
    bool is_kept = false;  ///< a weight or a buffer has its values, which spoil later steps
  };
  struct OfSite {
    std::int64_t events = 0;
    std::optional<NonfiniteEvent> rest{};  ///< sum of the events that are not recorded one by one
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
  std::unordered_map<Id, Id> merged_;  ///< the event that it was merged into, of this step
  std::unordered_map<std::int64_t, OfSite> sites_;
  Id last_id_ = kOutside;
  std::optional<std::int64_t> step_;  ///< empty before the first step, which includes its preparation
  std::optional<Id> last_of_step_;    ///< the newest event when the step's update was over
  std::int64_t left_out_ = 0;
};

}  // namespace ampprof::profiler
