// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <ostream>

#include "analysis/diagnosis/diagnose.h"
#include "analysis/ranks/report_rows.h"
#include "cli/export/formats.h"
#include "reports/queries/runs.h"
#include "views/view_source.h"

namespace ampprof::cli {
namespace {

using Number = std::optional<double>;

/// A family of metrics with one sample for each run that has a value.
struct Metric {
  const char* name;  ///< without the prefix ampprof_ and a counter's suffix _total, but with the unit
  const char* type;  ///< counter or gauge
  const char* unit;  ///< "" for none
  const char* help;
  Number (*value)(const queries::RunRow& run);
};

template <auto Member>
Number count(const queries::RunRow& run) {
  return static_cast<double>(run.*Member);
}

using Run = queries::RunRow;

constexpr Metric kMetrics[]{
    {"steps", "counter", "", "Steps so far.", count<&Run::steps>},
    {"recorded_steps", "counter", "", "Steps whose op calls were recorded.", count<&Run::recorded_steps>},
    {"skipped_steps", "counter", "", "Steps whose update a loss scaler skipped.", count<&Run::skipped_steps>},
    {"overflow_events", "counter", "", "Gradients that a loss scaler found to be NaN or inf.",
     count<&Run::overflow_events>},
    {"nonfinite_events", "counter", "", "Number of events: NaN or inf made from finite values, or an overflow.",
     count<&Run::nonfinite_events>},
    {"loss", "gauge", "", "The last loss.", [](const Run& run) { return run.final_loss; }},
    {"loss_scale", "gauge", "", "The last loss scale.", [](const Run& run) { return run.loss_scale_final; }},
    {"step_seconds", "gauge", "seconds", "Median time of a recorded step.",
     [](const Run& run) { return run.ms_per_step ? Number(*run.ms_per_step / 1e3) : Number(); }},
    {"own_step_seconds", "gauge", "seconds", "Median overhead of ampprof in a recorded step.",
     [](const Run& run) { return run.overhead_ms_per_step ? Number(*run.overhead_ms_per_step / 1e3) : Number(); }},
    {"ended", "gauge", "", "1 after the program has ended, else 0.",
     [](const Run& run) { return Number(run.has_ended() ? 1.0 : 0.0); }},
};

/// Escapes backslash, quote and line feed: all that section "ABNF" of the specification escapes.
std::string quoted(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || c == '"') escaped += '\\';
    c == '\n' ? escaped += "\\n" : escaped += c;
  }
  return '"' + escaped + '"';
}

std::string labels_of(const Exported& report, const Run& run) {
  std::string labels = fmt::format("report={},run=\"{}\"", quoted(report.name), run.run);
  if (!run.level.empty()) labels += fmt::format(",level={}", quoted(run.level));
  if (run.rank) labels += fmt::format(",rank=\"{}\"", *run.rank);
  return labels;
}

std::string text_of(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

void begin_family(const Metric& metric, std::ostream& out) {
  out << fmt::format("# TYPE ampprof_{} {}\n", metric.name, metric.type);
  if (*metric.unit != '\0') out << fmt::format("# UNIT ampprof_{} {}\n", metric.name, metric.unit);
  out << fmt::format("# HELP ampprof_{} {}\n", metric.name, metric.help);
}

void write_findings(const Exported& report, std::ostream& out) {
  begin_family({"findings", "gauge", "", "Number of findings of this kind.", nullptr}, out);
  std::map<std::pair<std::int64_t, std::string_view>, int> found;
  for (const analysis::Finding& finding : analysis::diagnose(views::rows_of(report.views))) {
    for (const std::int64_t run : finding.runs) ++found[{run, finding.kind}];
  }
  for (const Run& run : report.views.runs) {
    for (const auto& [of, number] : found) {
      if (of.first != run.run) continue;
      out << fmt::format("ampprof_findings{{{},kind={}}} {}\n", labels_of(report, run), quoted(std::string(of.second)),
                         number);
    }
  }
}

}  // namespace

void write_open_metrics(const Exported& report, std::ostream& out) {
  for (const Metric& metric : kMetrics) {
    begin_family(metric, out);
    const bool is_counter = std::string_view(metric.type) == "counter";
    for (const Run& run : report.views.runs) {
      const Number value = metric.value(run);
      if (!value) continue;
      out << fmt::format("ampprof_{}{}{{{}}} {}\n", metric.name, is_counter ? "_total" : "", labels_of(report, run),
                         text_of(*value));
    }
  }
  write_findings(report, out);
  out << "# EOF\n";
}

}  // namespace ampprof::cli
