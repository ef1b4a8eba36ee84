// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/compare_runs.h"

#include <algorithm>
#include <map>
#include <set>

namespace ampprof::compare {
namespace {

using Optional = std::optional<double>;

template <auto Member>
Optional field(const queries::RunRow& run) {
  return static_cast<double>(run.*Member);
}

template <auto Member>
Optional known_field(const queries::RunRow& run) {
  return run.*Member ? Optional(static_cast<double>(*(run.*Member))) : std::nullopt;
}

constexpr MetricOf<queries::RunRow> kRunMetrics[] = {
    {"ms_per_step", Repeatability::Noisy, known_field<&queries::RunRow::ms_per_step>},
    {"overhead_ms_per_step", Repeatability::Noisy, known_field<&queries::RunRow::overhead_ms_per_step>},
    {"gpu_ms_per_step", Repeatability::Noisy, known_field<&queries::RunRow::gpu_ms_per_step>},
    {"peak_bytes", Repeatability::Noisy, known_field<&queries::RunRow::peak_bytes>},
    {"steps", Repeatability::Reproducible, field<&queries::RunRow::steps>},
    {"initial_loss", Repeatability::Reproducible, known_field<&queries::RunRow::initial_loss>},
    {"final_loss", Repeatability::Reproducible, known_field<&queries::RunRow::final_loss>},
    {"last_loss_mean", Repeatability::Reproducible, known_field<&queries::RunRow::last_loss_mean>},
    {"nonfinite_losses", Repeatability::Reproducible, field<&queries::RunRow::nonfinite_losses>},
    {"overflow_events", Repeatability::Reproducible, field<&queries::RunRow::overflow_events>},
    {"nonfinite_events", Repeatability::Reproducible, field<&queries::RunRow::nonfinite_events>},
    {"skipped_steps", Repeatability::Reproducible, field<&queries::RunRow::skipped_steps>},
    {"loss_scale_final", Repeatability::Reproducible, known_field<&queries::RunRow::loss_scale_final>},
    {"nonfinite_ops", Repeatability::Reproducible, field<&queries::RunRow::nonfinite_ops>},
};

Optional relative_l2(const std::optional<ErrorStats>& error) {
  return error ? Optional(error->relative_l2()) : std::nullopt;
}

Optional cpu_us_per_call(const SiteOfRun& site) { return site.op.cpu_us_per_call(); }
Optional gpu_us_per_call(const SiteOfRun& site) { return site.op.gpu_us_per_call(); }

Optional nonfinite(const SiteOfRun& site) {
  return site.op.ranges ? Optional(static_cast<double>(site.op.ranges->nonfinite)) : std::nullopt;
}

// Times are per call, so that runs of different length are comparable.
constexpr MetricOf<SiteOfRun> kSiteMetrics[] = {
    {"local_rel_l2", Repeatability::Reproducible, [](const SiteOfRun& site) { return relative_l2(site.op.local); }},
    {"inherited_rel_l2", Repeatability::Reproducible,
     [](const SiteOfRun& site) { return relative_l2(site.op.inherited); }},
    {"loss_impact_rms", Repeatability::Reproducible, [](const SiteOfRun& site) { return site.op.loss_impact_rms; }},
    {"nonfinite", Repeatability::Reproducible, nonfinite},
    {"overflow_events", Repeatability::Reproducible, [](const SiteOfRun& site) { return Optional(site.events); }},
    {"cpu_us_per_call", Repeatability::Noisy, cpu_us_per_call},
    {"gpu_us_per_call", Repeatability::Noisy, gpu_us_per_call},
};

/// Number of overflow events that began at a call site, by run and name.
using EventCounts = std::map<std::pair<std::int64_t, std::string>, double>;

EventCounts counts_of(const std::vector<queries::EventRow>& events) {
  EventCounts counts;
  for (const queries::EventRow& event : events) {
    if (event.by_scaler && !event.first_op.empty()) ++counts[{event.run, event.first_op}];
  }
  return counts;
}

std::vector<double> sample_of(const Site* site, const MetricOf<SiteOfRun>& figure, const EventCounts& events) {
  std::vector<double> sample;
  if (site == nullptr) return sample;
  for (const queries::OpRow* row : site->rows) {
    const auto count = events.find({row->run, row->call_site});
    const SiteOfRun one{*row, count == events.end() ? 0.0 : count->second};
    if (const Optional value = figure.of(one)) sample.push_back(*value);
  }
  return sample;
}

std::vector<double> sample_of(const std::vector<queries::RunRow>& runs, const MetricOf<queries::RunRow>& figure) {
  std::vector<double> sample;
  for (const queries::RunRow& run : runs) {
    if (const Optional value = figure.of(run)) sample.push_back(*value);
  }
  return sample;
}

// Returns 3 for a difference, 2 for "cannot tell" on a reproducible metric, 1 for "cannot tell" on a noisy metric, 0
// for no difference.
int weight_of(const ComparedMetric& compared) {
  if (!compared.verdict || *compared.verdict == Verdict::Same || compared.change() == 0) return 0;
  if (*compared.verdict == Verdict::Differs) return 3;
  return compared.kind == Repeatability::Reproducible ? 2 : 1;
}

class Renamer {
 public:
  explicit Renamer(const Options& options, const std::vector<Rename>& suggestions) : renames_(options.renames) {
    if (!options.apply_suggestions) return;
    for (const Rename& rename : suggestions) modules_.insert(rename.modules.begin(), rename.modules.end());
  }

  // Applies the first rename that fits. The user's renames precede suggested ones.
  std::string operator()(const std::string& module) const {
    for (const auto& [from, to] : renames_) {
      const std::string renamed = with_front_replaced(module, from, to);
      if (renamed != module) return renamed;
    }
    const auto found = modules_.find(module);
    return found == modules_.end() ? module : found->second;
  }

 private:
  std::vector<std::pair<std::string, std::string>> renames_;
  std::map<std::string, std::string> modules_;
};

bool comes_first(const SiteDifference& a, const SiteDifference& b) {
  return std::pair(a.weight(), a.change()) > std::pair(b.weight(), b.change());
}

/// Removes suggestions for modules that were matched under another name, and counts the remaining call sites again.
void drop_applied(std::vector<Rename>& renames, const std::vector<SitePair>& pairs) {
  std::set<std::string> matched_a;
  std::set<std::string> matched_b;
  std::map<std::string, std::size_t> left;  // unmatched call sites of A, by module
  for (const SitePair& pair : pairs) {
    if (pair.match == Match::OnlyA) ++left[pair.a->key.module];
    if (pair.match != Match::Renamed) continue;
    matched_a.insert(pair.a->key.module);
    matched_b.insert(pair.b->key.module);
  }
  for (Rename& rename : renames) {
    std::erase_if(rename.modules, [&](const auto& module) {
      return matched_a.contains(module.first) || matched_b.contains(module.second);
    });
    rename.call_sites = 0;
    for (const auto& [from, to] : rename.modules) rename.call_sites += left[from];
  }
  std::erase_if(renames, [](const Rename& rename) { return rename.modules.empty(); });
}

}  // namespace

std::span<const MetricOf<queries::RunRow>> run_metrics() { return kRunMetrics; }
std::span<const MetricOf<SiteOfRun>> site_metrics() { return kSiteMetrics; }

int SiteDifference::weight() const {
  if (sites.a == nullptr || sites.b == nullptr) return -1;
  int weight = 0;
  for (const ComparedMetric& figure : figures) weight = std::max(weight, weight_of(figure));
  return weight;
}

double SiteDifference::change() const {
  const int strongest = weight();
  double change = 0;
  for (const ComparedMetric& figure : figures) {
    if (weight_of(figure) == strongest) change = std::max(change, figure.Compared::change());
  }
  return change;
}

const ComparedMetric& metric_named(const std::vector<ComparedMetric>& figures, std::string_view name) {
  return *std::ranges::find(figures, name, &ComparedMetric::name);
}

std::size_t Difference::count(Match match) const {
  return static_cast<std::size_t>(std::count_if(
      sites.begin(), sites.end(), [&](const SiteDifference& difference) { return difference.sites.match == match; }));
}

std::size_t Difference::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::count_if(sites.begin(), sites.end(), [&](const SiteDifference& difference) {
    const auto any = [&](Verdict one) {
      return std::ranges::count(difference.figures, one, &ComparedMetric::verdict) > 0;
    };
    if (difference.sites.a == nullptr || difference.sites.b == nullptr) return false;
    const Verdict open = any(Verdict::CannotTell) ? Verdict::CannotTell : Verdict::Same;
    return verdict == (any(Verdict::Differs) ? Verdict::Differs : open);
  }));
}

std::size_t Difference::tested() const {
  std::size_t tests = 0;
  for (const SiteDifference& difference : sites) {
    for (const ComparedMetric& figure : difference.figures) tests += figure.basis == Basis::RankTest ? 1 : 0;
  }
  return tests;
}

Difference compare_runs(const Repeats& a, const Repeats& b, const Options& options) {
  Difference difference{
      .sites_a = sites_of(a.ops), .sites_b = sites_of(b.ops), .runs = {}, .sites = {}, .suggestions = {}};
  RankTest rank_test;
  const auto compared = [&](const auto& figure, std::vector<double> of_a, std::vector<double> of_b) {
    return ComparedMetric{compare_samples(std::move(of_a), std::move(of_b), figure.kind, options.confidence, rank_test),
                          figure.name, figure.kind};
  };
  for (const auto& figure : run_metrics()) {
    difference.runs.push_back(compared(figure, sample_of(a.runs, figure), sample_of(b.runs, figure)));
  }
  difference.suggestions = suggest_renames(difference.sites_a, difference.sites_b);
  const auto pairs = match_sites(difference.sites_a, difference.sites_b, Renamer(options, difference.suggestions));
  drop_applied(difference.suggestions, pairs);
  const EventCounts events_a = counts_of(a.events);
  const EventCounts events_b = counts_of(b.events);
  for (const SitePair& pair : pairs) {
    SiteDifference& site = difference.sites.emplace_back(SiteDifference{.sites = pair, .figures = {}});
    for (const auto& figure : site_metrics()) {
      site.figures.push_back(
          compared(figure, sample_of(pair.a, figure, events_a), sample_of(pair.b, figure, events_b)));
    }
  }
  std::stable_sort(difference.sites.begin(), difference.sites.end(), comes_first);
  return difference;
}

}  // namespace ampprof::compare
