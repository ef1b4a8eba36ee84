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

/// Searches for an irreducible set of candidates to keep in high precision. A search is stateless: the next runs follow
/// from the finished runs, so a killed search resumes where it was.
namespace ampprof::search {

/// The subject of a search.
struct SearchProblem {
  Candidates candidates;
  std::string base = {};  ///< policy text that every run has
  Metric metric = {};
  ToleranceSpec within = {};
  TestPlan plan = {};
};

/// Returns the set of all candidates: everything in high precision.
Set everything_of(const SearchProblem& question);

/// Returns the policy file of a set. The order of the lines does not matter.
std::string policy_of(const SearchProblem& question, const Set& set);

/// Outcome of a finished run.
struct Measured {
  std::optional<double> value = {};       ///< value of the metric; empty if the run failed or was stopped
  std::optional<double> final_loss = {};  ///< equal in two runs that computed the same values
  std::optional<double> noise = {};       ///< standard error of `value` within the run, if known
  double seconds = 0.0;
  Losses losses = {};  ///< losses of a run with everything in high precision, or of a stopped run; else empty

  bool was_stopped() const { return !value && !losses.empty(); }
};

/// Finished runs, by policy and repeat, from 0 on. Each repeat has its own seed, the same for all sets.
class Journal {
 public:
  using Runs = std::map<std::int64_t, Measured>;

  void add(const std::string& policy, std::int64_t repeat, const Measured& run) { runs_[policy][repeat] = run; }
  const Runs& of(const std::string& policy) const;
  /// Returns a copy without the stopped runs whose losses are not clearly bad by `reference`: they were stopped under
  /// another tolerance.
  Journal without_unjust_stops(const std::optional<LossReference>& reference) const;

 private:
  std::map<std::string, Runs> runs_;
};

/// A run to start.
struct Wanted {
  Set set;
  std::int64_t repeat = 0;

  bool operator==(const Wanted&) const = default;
};

/// A set and its results so far.
struct Evaluation {
  Set set;
  Verdict verdict = Verdict::Undecided;
  std::size_t runs = 0;
  std::size_t failed = 0;               ///< number of `runs` without a value
  std::size_t stopped = 0;              ///< number of failed runs that were stopped although their losses were finite
  std::optional<Estimate> metric = {};  ///< empty if no run has a value
  double seconds = 0.0;                 ///< total over its runs
  Stage stage = Stage::Everything;      ///< phase that asked for the set
  std::size_t running = 0;              ///< runs in progress
};

/// The state of a search, derived from the runs so far.
struct SearchState {
  std::vector<Wanted> wanted = {};           ///< only the first is certainly needed; empty if the search is finished
  Minimized best = {};                       ///< computed with undecided verdicts for sets with missing runs
  std::vector<Evaluation> evaluations = {};  ///< sets with runs, in the order in which the phases ask for them
  std::map<Set, Stage> stages = {};          ///< phases that ask for sets, including those in `wanted`
  std::optional<double> tolerance = {};      ///< in the metric's unit; empty until the runs in high precision ended
  bool repeats_agree = false;                ///< seeds change nothing, so one run decides
  std::optional<LossReference> loss_reference = {};  ///< bounds for stopping runs; empty if only NaN or inf stop a run

  /// Returns the number of verdicts that a statistical test decided. Each is wrong with at most the plan's probability.
  std::size_t tested() const;
};

/// Computes the state of a search, with at most `wanted` runs to start. Besides runs of the current set, these are runs
/// of the sets that follow if the sets before them fail.
SearchState findings_of(const SearchProblem& question, const Journal& journal, std::size_t wanted);

/// Marks the first `count` wanted runs as running. Adds sets among them without a finished run to
/// SearchState::evaluations.
void note_running(SearchState& findings, std::size_t count);

enum class Stop { Finished, OutOfTime, Interrupted };

/// A search that has finished or was stopped.
struct Result {
  SearchProblem question;
  SearchState findings;
  Stop stop = Stop::Finished;
};

/// Returns the policy file of a set, with the reason of each line as a comment.
std::string commented_policy_of(const SearchProblem& question, const Set& set);

}  // namespace ampprof::search
