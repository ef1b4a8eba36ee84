// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/search/candidates.h"
#include "analysis/search/early_stop.h"
#include "analysis/search/metric.h"
#include "analysis/search/minimize.h"
#include "analysis/search/sequential_test.h"

/// A search for the smallest set of candidates to keep in high precision. It has no state of its own: what to run next
/// follows from the runs that have ended, so one that was killed goes on where it was.
namespace ampprof::search {

/// Says what is searched.
struct Question {
  Candidates candidates;
  std::string base = {};  ///< text of a policy that every run has
  Metric metric = {};
  Within within = {};
  TestPlan plan = {};
};

/// Returns the set of all candidates: everything in high precision.
Set everything_of(const Question& question);

/// Returns the policy file of a set; the same text for the same lines, whatever their order.
std::string policy_of(const Question& question, const Set& set);

/// Outcome of a run that has ended.
struct Measured {
  std::optional<double> value = {};       ///< of the metric; empty where the run failed or was stopped
  std::optional<double> final_loss = {};  ///< tells whether two runs did the same
  std::optional<double> noise = {};       ///< standard error of `value`, where one run has one
  double seconds = 0.0;
  Losses losses = {};  ///< of everything in high precision, and of a run that was stopped for them

  bool was_stopped() const { return !value && !losses.empty(); }
};

/// Runs that have ended, by policy and by repeat, from 0 on; each repeat has a seed of its own, the same for all sets.
class Journal {
 public:
  using Runs = std::map<std::int64_t, Measured>;

  void add(const std::string& policy, std::int64_t repeat, const Measured& run) { runs_[policy][repeat] = run; }
  const Runs& of(const std::string& policy) const;
  /// Returns the runs without those that were stopped for losses which are not clearly bad: with another tolerance they
  /// would not have been.
  Journal without_unjust_stops(const std::optional<LossReference>& reference) const;

 private:
  std::map<std::string, Runs> runs_;
};

/// A run that is to come.
struct Wanted {
  Set set;
  std::int64_t repeat = 0;

  bool operator==(const Wanted&) const = default;
};

/// A set and what is known of it.
struct Evaluation {
  Set set;
  Verdict verdict = Verdict::Undecided;
  std::size_t runs = 0;
  std::size_t failed = 0;               ///< of these, without a value
  std::size_t stopped = 0;              ///< of the failed, stopped for losses that were finite
  std::optional<Estimate> metric = {};  ///< empty where none has a value
  double seconds = 0.0;                 ///< of its runs, added up
  Stage stage = Stage::Everything;      ///< that asked for it
  std::size_t running = 0;              ///< runs that go on
};

/// Everything that follows from the runs so far.
struct Findings {
  std::vector<Wanted> wanted = {};           ///< the first is needed, others perhaps; empty: the search is at its end
  Minimized best = {};                       ///< with what was not run as undecided
  std::vector<Evaluation> evaluations = {};  ///< sets that were run, in the order in which they were asked for
  std::map<Set, Stage> stages = {};          ///< that ask for sets, those of `wanted` included
  std::optional<double> tolerance = {};      ///< in the metric's unit; empty until everything in high precision ran
  bool repeats_agree = false;                ///< seeds change nothing, so one run decides
  std::optional<LossReference> loss_reference = {};  ///< what runs may be stopped for; empty: for what is not finite

  /// Number of verdicts that may be wrong, each with the plan's probability.
  std::size_t tested() const;
};

/// Works out what is known, and at most `wanted` runs to come. Beyond the set that is asked for, these are for sets
/// that would be asked for if those before them failed.
Findings findings_of(const Question& question, const Journal& journal, std::size_t wanted);

/// Says of the first `count` wanted runs that they go on: sets that have no run yet come after the others.
void note_running(Findings& findings, std::size_t count);

enum class Stop { Finished, OutOfTime, Interrupted };

/// A search that is over, or was stopped.
struct Result {
  Question question;
  Findings findings;
  Stop stop = Stop::Finished;
};

/// Returns the policy file of a set with the reasons of its lines as comments.
std::string commented_policy_of(const Question& question, const Set& set);

}  // namespace ampprof::search
