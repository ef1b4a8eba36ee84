// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "analysis/diagnosis/diagnose.h"
#include "analysis/ops/op_figures.h"
#include "analysis/ranks/report_rows.h"
#include "cli/export/event_file.h"
#include "cli/export/event_texts.h"
#include "cli/export/formats.h"
#include "cli/export/output_file.h"
#include "reports/queries/losses.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/queries/scales.h"
#include "reports/queries/segments.h"
#include "reports/queries/started_at.h"
#include "reports/store/report_error.h"
#include "reports/text/elide.h"
#include "views/runs/run_choice.h"
#include "views/view_source.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostHistograms = 50;

/// Finds the moment of a step: its start, or that of the run where the report has no such step.
class RunMoments {
 public:
  RunMoments(std::int64_t started_at, const std::vector<queries::WholeStep>& steps)
      : start_{.wall_seconds = static_cast<double>(started_at)}, last_(start_) {
    for (const queries::WholeStep& step : steps) {
      last_ = {step.step, start_.wall_seconds + static_cast<double>(step.start_ns) / 1e9};
      moments_.emplace(step.step, last_);
    }
  }

  EventMoment of(std::int64_t step) const {
    const auto found = moments_.find(step);
    return found == moments_.end() ? EventMoment{step, start_.wall_seconds} : found->second;
  }
  const EventMoment& start() const { return start_; }
  const EventMoment& last() const { return last_; }

 private:
  EventMoment start_;
  EventMoment last_;
  std::map<std::int64_t, EventMoment> moments_;
};

/// A run whose events are written.
struct LoggedRun {
  const queries::Report& report;
  const queries::RunRow& run;
  const std::vector<queries::WholeStep>& steps;
  const RunMoments& moments;
};

/// Returns "loss", or "loss/2" where a program has several losses.
std::string tag_of_loss(const char* name, std::int64_t loss_id, std::size_t losses) {
  return losses > 1 ? fmt::format("{}/{}", name, loss_id) : name;
}

void add_losses(EventFile& file, const LoggedRun& logged) {
  std::map<std::int64_t, std::vector<queries::StepLoss>> by_loss;
  for (const queries::StepLoss& loss : queries::step_losses(logged.report, logged.run.run)) {
    if (loss.step > 0) by_loss[loss.loss_id].push_back(loss);
  }
  for (const auto& [loss_id, losses] : by_loss) {
    const std::string tag = tag_of_loss("loss", loss_id, by_loss.size());
    for (const queries::StepValue& mean : queries::loss_by_step(losses)) {
      file.add_scalar(tag, logged.moments.of(mean.step), mean.value);
    }
  }
  for (const queries::LossChange& each : queries::loss_changes(logged.report, logged.run.run)) {
    if (each.step > 0) file.add_scalar("loss_change", logged.moments.of(each.step), each.change);
  }
}

void add_scales(EventFile& file, const LoggedRun& logged, const std::vector<queries::ScaleRow>& rows) {
  std::map<std::int32_t, std::map<std::int64_t, double>> by_loss;  // the first of a step is that of its gradients
  std::map<std::int64_t, std::int64_t> overflows;
  for (const queries::ScaleRow& row : rows) {
    by_loss[row.update.loss_id].try_emplace(row.step, row.update.scale_before);
    overflows[row.step] += row.update.overflow ? 1 : 0;
  }
  for (const auto& [loss_id, scale_by_step] : by_loss) {
    const std::string tag = tag_of_loss("loss_scale", loss_id, by_loss.size());
    for (const auto& [step, scale] : scale_by_step) file.add_scalar(tag, logged.moments.of(step), scale);
  }
  std::int64_t so_far = 0;
  for (const auto& [step, count] : overflows) {
    so_far += count;
    file.add_scalar("overflows", logged.moments.of(step), static_cast<double>(so_far));
  }
}

// In double: the difference of two times of a damaged file may not fit into an integer.
double step_ms(const queries::WholeStep& step) {
  return (static_cast<double>(step.end_ns) - static_cast<double>(step.start_ns) - static_cast<double>(step.paused_ns)) /
         1e6;
}

void add_steps(EventFile& file, const LoggedRun& logged, bool has_scaler) {
  std::int64_t skipped = 0;
  for (const queries::WholeStep& step : logged.steps) {
    const EventMoment moment = logged.moments.of(step.step);
    skipped += step.skipped ? 1 : 0;
    if (has_scaler || logged.run.skipped_steps > 0) {
      file.add_scalar("skipped_steps", moment, static_cast<double>(skipped));
    }
    if (step.end_ns <= step.start_ns) continue;  // still going
    file.add_scalar("step_ms", moment, step_ms(step));
    file.add_scalar("own_step_ms", moment, static_cast<double>(step.overhead_ns) / 1e6);
  }
}

/// Buckets are exponents: a value x counts between floor(log2 |x|) and the next integer. TensorBoard's axis is linear:
/// it would show the largest of buckets of magnitudes, and nothing of the others.
EventHistogram buckets_of(const ExponentHistogram& exponents) {
  const auto is_occupied = [](std::int64_t count) { return count != 0; };
  const auto first = std::ranges::find_if(exponents.counts, is_occupied);
  const auto last = std::find_if(exponents.counts.rbegin(), exponents.counts.rend(), is_occupied).base();
  EventHistogram buckets;
  for (auto count = first; count < last; ++count) {
    const int limit = ExponentHistogram::exponent_of(static_cast<std::size_t>(count - exponents.counts.begin()));
    if (count == first) buckets.lowest = limit - 1;
    buckets.limits.push_back(limit);
    buckets.counts.push_back(static_cast<double>(*count));
  }
  return buckets;
}

/// Call sites with the least headroom come first, as on the page.
void add_exponents(EventFile& file, const LoggedRun& logged, const std::vector<queries::OpRow>& all) {
  std::vector<const queries::OpRow*> ops;
  for (const queries::OpRow& op : all) {
    if (op.run == logged.run.run && op.exponents && op.exponents->total() > 0) ops.push_back(&op);
  }
  std::ranges::stable_sort(ops, {}, [](const auto* op) { return analysis::headroom_of(*op).value_or(1e9); });
  ops.resize(std::min(ops.size(), kMostHistograms));
  for (const queries::OpRow* op : ops) {
    file.add_histogram("exponents/" + text::printable(op->call_site), logged.moments.last(),
                       buckets_of(*op->exponents));
  }
}

/// Findings of one kind are numbered from the second on.
void add_findings(EventFile& file, const LoggedRun& logged, const std::vector<analysis::Finding>& findings) {
  std::map<std::string_view, int> of_kind;
  for (const analysis::Finding& finding : findings) {
    if (std::ranges::find(finding.runs, logged.run.run) == finding.runs.end()) continue;
    const int number = ++of_kind[finding.kind];
    file.add_text(fmt::format("findings/{}{}", finding.kind, number > 1 ? fmt::format("/{}", number) : ""),
                  logged.moments.last(), finding_text(finding));
  }
}

/// Returns names of sub-folders, each one of its kind: "O1", "O1_2", "O1_rank_3", "run_4".
std::vector<std::string> folder_names_of(const std::vector<queries::RunRow>& runs) {
  constexpr std::size_t kLongest = 100;
  std::vector<std::string> names = views::labels_of(runs);
  std::set<std::string> taken;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string& name = names[i];
    std::erase(name, '#');
    const auto is_fit = [](char c) {
      return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '-' || c == '.';
    };
    std::ranges::replace_if(name, std::not_fn(is_fit), '_');
    name.resize(std::min(name.size(), kLongest));
    if (name.empty() || name.front() == '.') name.insert(0, "run_");
    while (!taken.insert(name).second) name += fmt::format("_run_{}", runs[i].run);
  }
  return names;
}

void check_is_free(const fs::path& folder) {
  std::error_code not_there;
  if (!fs::exists(folder, not_there) || (fs::is_directory(folder) && fs::is_empty(folder, not_there))) return;
  throw store::WriteError("the folder " + folder.string() +
                          " exists already; choose another with -o, or --force to replace files in it");
}

void write_run_folder(const Exported& report, const queries::RunRow& run,
                      const std::vector<analysis::Finding>& findings, const fs::path& folder, bool replace) {
  const queries::Report& read = report.views.report;
  const std::int64_t start = std::max<std::int64_t>(queries::started_at(read, run.run).value_or(0), 0);
  const std::vector<queries::WholeStep> steps = queries::whole_steps(read, run.run);
  const RunMoments moments(start, steps);
  const LoggedRun logged{read, run, steps, moments};
  const std::vector<queries::ScaleRow> scales = queries::scales(read, run.run);
  make_folder(folder, "event files");
  // Ten digits, as TensorFlow writes them: readers take the files of a folder by name.
  OutputFile output(folder / fmt::format("events.out.tfevents.{:010}.ampprof", start), replace);
  EventFile file(output.stream(), moments.start().wall_seconds);
  file.add_text("run", moments.start(), settings_text(run));
  add_losses(file, logged);
  add_scales(file, logged, scales);
  add_steps(file, logged, !scales.empty());
  add_exponents(file, logged, report.views.ops());
  add_findings(file, logged, findings);
  output.put_in_place();
}

}  // namespace

void write_tensorboard_folder(const Exported& report, const fs::path& folder, bool replace) {
  const std::vector<queries::RunRow>& runs = report.views.runs;
  const std::vector<std::string> names = folder_names_of(runs);
  make_folder(folder, "event files");
  for (const std::string& name : names) {
    if (!replace) check_is_free(folder / name);
  }
  const std::vector<analysis::Finding> findings = analysis::diagnose(views::rows_of(report.views));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    write_run_folder(report, runs[i], findings, folder / names[i], replace);
  }
}

}  // namespace ampprof::cli
