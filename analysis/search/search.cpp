// SPDX-License-Identifier: Apache-2.0
#include "analysis/search/search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string_view>

namespace ampprof::search {
namespace {

constexpr std::int64_t kAgreeing = 2;  ///< repeats to test whether seeds change anything
constexpr std::int64_t kSpread = 5;    ///< repeats to estimate the variation

bool is_bad(const Measured& run) { return !run.value || !std::isfinite(*run.value); }

/// The runs with everything in high precision, with which all sets are compared.
struct Reference {
  const Journal::Runs* runs = nullptr;
  std::int64_t needed = 0;  ///< repeats needed to compute the members below; 0 if they are computed
  bool fails = false;
  bool repeats_agree = false;
  double tolerance = 0.0;
  std::optional<double> noise = {};
};

bool agree(const Measured& a, const Measured& b) {
  return a.value == b.value && a.final_loss && a.final_loss == b.final_loss;
}

bool has_repeats(const Journal::Runs& runs, std::int64_t count) {
  for (std::int64_t repeat = 0; repeat < count; ++repeat) {
    if (!runs.contains(repeat)) return false;
  }
  return true;
}

Reference reference_of(const SearchProblem& question, const Journal::Runs& runs) {
  Reference reference{.runs = &runs};
  reference.fails = std::ranges::any_of(runs, [](const auto& run) { return is_bad(run.second); });
  if (reference.fails) return reference;
  if (!has_repeats(runs, kAgreeing)) {
    reference.needed = kAgreeing;
    return reference;
  }
  reference.repeats_agree = agree(runs.at(0), runs.at(1));
  const std::int64_t used = reference.repeats_agree ? 1 : kSpread;
  if (!has_repeats(runs, used)) {
    reference.needed = used;
    return reference;
  }
  std::vector<double> values;
  for (std::int64_t repeat = 0; repeat < used; ++repeat) values.push_back(*runs.at(repeat).value);
  if (reference.repeats_agree) reference.noise = runs.at(0).noise;
  reference.tolerance = tolerance_of(question.within, question.metric, values, reference.noise);
  return reference;
}

/// Returns the bounds for stopping runs early; empty if the metric does not follow from the losses of a run.
std::optional<LossReference> loss_reference_of(const SearchProblem& question, const Reference& reference) {
  if (question.metric.kind != MetricKind::FinalLoss || question.metric.higher) return std::nullopt;
  LossReference losses{.runs = {},
                       .tolerance = reference.tolerance,
                       .noise = reference.noise,
                       .error = question.plan.error_of_early_look()};
  for (std::int64_t repeat = 0; repeat < (reference.repeats_agree ? 1 : kSpread); ++repeat) {
    losses.runs.push_back(reference.runs->at(repeat).losses);
    if (losses.runs.back().empty()) return std::nullopt;
  }
  return losses;
}

/// Judges sets for minimize() from the existing runs, and collects the missing runs.
class Judging {
 public:
  Judging(const SearchProblem& question, const Journal& journal, const Reference& reference, std::size_t most_wanted)
      : question_(question),
        journal_(journal),
        reference_(reference),
        all_(everything_of(question)),
        most_wanted_(most_wanted) {}

  /// Returns the verdict on a set. If runs are missing, returns empty and adds them to the wanted runs.
  std::optional<Verdict> verdict(const Set& set) {
    if (set == all_) return Verdict::Pass;
    const Journal::Runs& runs = journal_.of(policy_of(question_, set));
    const std::int64_t most = reference_.repeats_agree ? 1 : static_cast<std::int64_t>(question_.plan.looks.back());
    std::vector<std::optional<double>> worse;
    for (std::int64_t repeat = 0; repeat < most; ++repeat) worse.push_back(worse_in(runs, repeat));
    TestPlan plan = question_.plan;
    if (reference_.repeats_agree) plan.looks = {1};
    const Decision decision = decide(worse, reference_.tolerance, plan);
    if (!decision.verdict) want(set, runs, static_cast<std::int64_t>(decision.pairs));
    return decision.verdict;
  }

  std::vector<Wanted> wanted() && { return std::move(wanted_); }

 private:
  std::optional<double> worse_in(const Journal::Runs& runs, std::int64_t repeat) const {
    const auto run = runs.find(repeat);
    if (run == runs.end()) return std::nullopt;
    if (is_bad(run->second)) return HUGE_VAL;
    const auto reference = reference_.runs->find(repeat);
    if (reference == reference_.runs->end()) return std::nullopt;
    return worse_by(question_.metric, *run->second.value, *reference->second.value);
  }

  void want(const Set& set, const Journal::Runs& runs, std::int64_t repeats) {
    for (std::int64_t repeat = 0; repeat < repeats; ++repeat) {
      if (!reference_.runs->contains(repeat)) want({all_, repeat});
      if (!runs.contains(repeat)) want({set, repeat});
    }
  }
  void want(Wanted run) {
    if (wanted_.size() >= most_wanted_ || std::ranges::find(wanted_, run) != wanted_.end()) return;
    wanted_.push_back(std::move(run));
  }

  const SearchProblem& question_;
  const Journal& journal_;
  const Reference& reference_;
  Set all_;
  std::size_t most_wanted_;
  std::vector<Wanted> wanted_;
};

bool stopped_for_finite(const Measured& run) { return run.was_stopped() && !is_clearly_bad(run.losses, std::nullopt); }

Evaluation evaluation_of(const Set& set, Verdict verdict, const Journal::Runs& runs) {
  Evaluation evaluation{.set = set, .verdict = verdict, .runs = runs.size()};
  std::vector<double> values;
  for (const auto& [repeat, run] : runs) {
    evaluation.seconds += run.seconds;
    if (is_bad(run)) {
      ++evaluation.failed;
      if (stopped_for_finite(run)) ++evaluation.stopped;
    } else {
      values.push_back(*run.value);
    }
  }
  if (!values.empty()) evaluation.metric = estimate_of(values);
  return evaluation;
}

std::vector<Wanted> runs_of_reference(const SearchProblem& question, const Reference& reference, std::size_t most) {
  std::vector<Wanted> wanted;
  for (std::int64_t repeat = 0; repeat < reference.needed && wanted.size() < most; ++repeat) {
    if (!reference.runs->contains(repeat)) wanted.push_back({everything_of(question), repeat});
  }
  return wanted;
}

}  // namespace

const Journal::Runs& Journal::of(const std::string& policy) const {
  static const Runs kNone;
  const auto found = runs_.find(policy);
  return found == runs_.end() ? kNone : found->second;
}

Set everything_of(const SearchProblem& question) {
  Set set(question.candidates.all.size());
  std::iota(set.begin(), set.end(), std::size_t{0});
  return set;
}

Journal Journal::without_unjust_stops(const std::optional<LossReference>& reference) const {
  Journal journal = *this;
  for (auto& [policy, runs] : journal.runs_) {
    std::erase_if(runs, [&](const auto& run) {
      return run.second.was_stopped() && !is_clearly_bad(run.second.losses, reference);
    });
  }
  return journal;
}

std::string policy_of(const SearchProblem& question, const Set& set) {
  std::vector<std::string_view> lines;
  for (const std::size_t place : set) lines.push_back(question.candidates.all[place].line);
  std::ranges::sort(lines);
  std::string text = question.base;
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  for (const std::string_view line : lines) text.append(line) += '\n';
  return text;
}

std::string commented_policy_of(const SearchProblem& question, const Set& set) {
  std::string text = policy_of(question, {});
  for (const std::size_t place : set) {
    const Candidate& candidate = question.candidates.all[place];
    std::string because = candidate.because;
    std::ranges::replace_if(
        because, [](unsigned char letter) { return letter < 0x20; }, ' ');  // a line break must not start a policy rule
    if (!because.empty()) text += "# " + because + '\n';
    text += candidate.line + '\n';
  }
  return text;
}

std::size_t SearchState::tested() const {
  if (repeats_agree) return 0;
  const auto decided = std::ranges::count_if(evaluations, [](const Evaluation& evaluation) {
    return evaluation.verdict != Verdict::Undecided && evaluation.failed == evaluation.stopped;
  });
  // The set with everything in high precision is the baseline: its verdict is not the result of a test.
  return decided > 0 ? static_cast<std::size_t>(decided) - 1 : 0;
}

SearchState findings_of(const SearchProblem& question, const Journal& ended, std::size_t wanted) {
  const Set all = everything_of(question);
  const Journal::Runs& runs = ended.of(policy_of(question, all));
  const Reference reference = reference_of(question, runs);
  SearchState findings;
  if (reference.fails || reference.needed > 0) {
    findings.wanted = runs_of_reference(question, reference, wanted);
    findings.stages = {{all, Stage::Everything}};
    const Verdict verdict = reference.fails ? Verdict::Fail : Verdict::Undecided;
    if (!runs.empty()) findings.evaluations.push_back(evaluation_of(all, verdict, runs));
    return findings;
  }
  findings.tolerance = reference.tolerance;
  findings.repeats_agree = reference.repeats_agree;
  findings.loss_reference = loss_reference_of(question, reference);
  const Journal journal = ended.without_unjust_stops(findings.loss_reference);
  const std::size_t n = question.candidates.all.size();
  const std::size_t advised = question.candidates.advised;
  Judging judging(question, journal, reference, wanted);
  Minimized guessed =
      minimize(n, advised, [&](const Set& set) { return judging.verdict(set).value_or(Verdict::Fail); });
  findings.wanted = std::move(judging).wanted();
  Judging without_guesses(question, journal, reference, 0);
  findings.best = minimize(n, advised, [&](const Set& set) {
    const Verdict verdict = without_guesses.verdict(set).value_or(Verdict::Undecided);
    const Journal::Runs& of_set = journal.of(policy_of(question, set));
    if (!of_set.empty()) findings.evaluations.push_back(evaluation_of(set, verdict, of_set));
    return verdict;
  });
  findings.stages = findings.best.asked;
  findings.stages.merge(guessed.asked);
  for (Evaluation& evaluation : findings.evaluations) evaluation.stage = findings.stages.at(evaluation.set);
  return findings;
}

void note_running(SearchState& findings, std::size_t count) {
  for (const Wanted& wanted : std::span(findings.wanted).first(std::min(count, findings.wanted.size()))) {
    auto found = std::ranges::find(findings.evaluations, wanted.set, &Evaluation::set);
    if (found == findings.evaluations.end()) {
      const Evaluation evaluation{.set = wanted.set, .stage = findings.stages.at(wanted.set)};
      found = findings.evaluations.insert(found, evaluation);
    }
    ++found->running;
  }
}

}  // namespace ampprof::search
