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

/// Follows NaN and inf from the calls that made them to what became of them. An event is open from its first call to
/// the end of its step. Thread-safe; needs no LibTorch.
class NonfiniteTrace {
 public:
  using Id = std::int64_t;           ///< of an event; later ones have larger ids
  using Memory = const void*;        ///< identity of a tensor's memory
  static constexpr Id kOutside = 0;  ///< in place of an event: no recorded call made the values

  struct Origin {
    std::int64_t call_site = 0;
    Phase phase = Phase::Forward;
    std::int64_t segment = 0;
    std::int64_t held = 0;                      ///< number that stands for the segment it turns out to be of; 0: this
    std::optional<std::int64_t> micro_batch{};  ///< see NonfiniteEvent
    std::optional<double> scale{};              ///< loss scale in force; empty in forward
    std::optional<double> reference_amax{};     ///< what the output should have been, where a finite reference exists
    std::int64_t gradient = 0;                  ///< its GradientsOfPass::place_of_call()
    NonfiniteCause cause = NonfiniteCause::Unknown;
    std::optional<bool> fp32_holds{};  ///< see NonfiniteEvent
  };

  /// The largest loss scale at which no gradient of this pass would have overflowed in FP16.
  struct SafeScale {
    double value = 0.0;
    /// It may be less: known from the first op alone, on gradients that lost what FP16 flushed.
    bool is_bound = true;

    bool operator==(const SafeScale&) const = default;
  };

  /// Tells what a loss scaler did because of gradients that are not finite.
  struct Decision {
    std::int64_t segment = 0;
    std::int32_t loss_id = 0;
    double scale_before = 1.0;
    double scale_after = 1.0;
    bool skipped = false;
  };

  /// A call turned finite inputs into NaN or inf. Returns its event: that of the same call site and segment where there
  /// is one. Returns kOutside where the step has too many (left_out()).
  Id found(const Origin& origin);
  /// Values of several events meet in one call. Those of one step become one event, the first of them. Returns the
  /// event that the result descends from: kOutside where `ids` has no other.
  Id joined(std::span<const Id> ids);
  /// A call made NaN or inf of values of this event, or found them.
  void spread(Id id, std::int64_t call_site, Phase phase);
  /// A call took values of this event and gave finite ones, as `outcome` says (Masked or Clamped). `overwritten` is the
  /// memory in place of whose values they stand; null where there is none.
  void made_finite(Id id, NonfiniteOutcome outcome, std::int64_t call_site, Memory overwritten);
  /// Values of this event are in what `outcome` says. `call_site`: that put them there, or 0.
  void reached(Id id, NonfiniteOutcome outcome, const std::string& name, std::int64_t call_site);
  /// Values of this event are in the gradient of a parameter, which has this memory.
  void reached_gradient(Id id, const std::string& name, std::int64_t call_site, Memory gradient);
  /// The step in exact arithmetic has computed the call, too. `holds`: its result is finite where that of the run is
  /// not.
  void compared_with_shadow(std::int64_t call_site, std::int64_t segment, bool holds);

  /// A loss scaler has decided because of these gradients, which descend from `id`. Its event is that one, or one of
  /// this step where that is of an earlier step, or unknown.
  void decided(Id id, const Decision& decision, std::vector<EventParameter> parameters,
               std::optional<SafeScale> safe_scale);
  /// Returns the event that gradients of unknown descent most likely descend from: the first open one that reached
  /// some, else the first open one; kOutside without any.
  Id likely_id() const;

  /// The update is over: events that begin from here to the next step are part of that, as a mask that is made for it.
  void updated();
  /// Returns the events of the steps before `step`, which are over; what came before the first step is part of that. Of
  /// a call site that has had many, none: they are added up.
  std::vector<NonfiniteEvent> settle(std::int64_t step);
  /// Returns all others, and those that were added up: the run is over.
  std::vector<NonfiniteEvent> settle_all();
  /// Returns how many calls began an event that was not recorded, since the step had too many; forgets the number.
  std::int64_t take_left_out();

  /// Returns nothing where it is unknown, and where no scale would have helped: the first NaN or inf is the forward's,
  /// or came in.
  std::optional<SafeScale> largest_safe_scale(Id id) const;

  /// Returns the place of the first gradient that the origin can have reached; 0 where that is unknown.
  std::int64_t first_gradient(Id id) const;

  GradientsOfPass gradients;

 private:
  struct Open {
    NonfiniteEvent event;
    Origin origin;
    Phase last_phase = Phase::Forward;  ///< of the last call that it spread to
    bool is_alive = true;               ///< that call's result was not made finite
    std::set<Memory> gradients{};       ///< that hold values of it
  };
  /// An event that is over.
  struct Closed {
    Origin origin;
    bool is_kept = false;  ///< a weight or a buffer has it, and spoils later steps
  };
  struct OfSite {
    std::int64_t events = 0;
    std::optional<NonfiniteEvent> rest{};  ///< stands for those that are not recorded one by one
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
  std::unordered_map<Id, Id> merged_;  ///< into which event, of this step
  std::unordered_map<std::int64_t, OfSite> sites_;
  Id last_id_ = kOutside;
  std::optional<std::int64_t> step_;  ///< empty before the first: what prepares it is part of it
  std::optional<Id> last_of_step_;    ///< when its update was over
  std::int64_t left_out_ = 0;
};

}  // namespace ampprof::profiler
