// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

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

/// Start times of steps. A step that the report lacks gets the start of the run.
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
  const EventMoment& last() const { return last_; }

 private:
  EventMoment start_;
  EventMoment last_;
  std::map<std::int64_t, EventMoment> moments_;
};

/// A run and the event file that its new data is appended to.
struct LoggedRun {
  const queries::Report& report;
  const queries::RunRow& run;
  const std::vector<queries::WholeStep>& steps;
  const RunMoments& moments;
  EventFile& file;
  std::map<std::string, std::int64_t, std::less<>>& written;  ///< the last step in the file, by tag
  bool goes_on;                                               ///< in progress: the last step may be unfinished

  /// Adds the value of a step, unless it was added already or the step is not finished.
  void add_scalar(std::string_view tag, std::int64_t step, double value) const {
    std::int64_t& so_far = written.try_emplace(std::string(tag), -1).first->second;
    if (step <= so_far || step > last()) return;
    so_far = step;
    file.add_scalar(tag, moments.of(step), value);
  }
  /// Returns the last finished step.
  std::int64_t last() const { return moments.last().step - (goes_on ? 1 : 0); }
};

/// Returns "loss", or "loss/2" if a program has several losses.
std::string tag_of_loss(const char* name, std::int64_t loss_id, std::size_t losses) {
  return losses > 1 ? fmt::format("{}/{}", name, loss_id) : name;
}

void add_losses(const LoggedRun& logged) {
  std::map<std::int64_t, std::vector<queries::StepLoss>> by_loss;
  for (const queries::StepLoss& loss : queries::step_losses(logged.report, logged.run.run)) {
    if (loss.step > 0) by_loss[loss.loss_id].push_back(loss);
  }
  for (const auto& [loss_id, losses] : by_loss) {
    const std::string tag = tag_of_loss("loss", loss_id, by_loss.size());
    for (const queries::StepValue& mean : queries::loss_by_step(losses)) {
      logged.add_scalar(tag, mean.step, mean.value);
    }
  }
  for (const queries::LossChange& each : queries::loss_changes(logged.report, logged.run.run)) {
    if (each.step > 0) logged.add_scalar("loss_change", each.step, each.change);
  }
}

void add_scales(const LoggedRun& logged, const std::vector<queries::ScaleRow>& rows) {
  std::map<std::int32_t, std::map<std::int64_t, double>> by_loss;  // a step's first scale: its gradients have it
  std::map<std::int64_t, std::int64_t> overflows;
  for (const queries::ScaleRow& row : rows) {
    by_loss[row.update.loss_id].try_emplace(row.step, row.update.scale_before);
    overflows[row.step] += row.update.overflow ? 1 : 0;
  }
  for (const auto& [loss_id, scale_by_step] : by_loss) {
    const std::string tag = tag_of_loss("loss_scale", loss_id, by_loss.size());
    for (const auto& [step, scale] : scale_by_step) logged.add_scalar(tag, step, scale);
  }
  std::int64_t so_far = 0;
  for (const auto& [step, count] : overflows) {
    so_far += count;
    logged.add_scalar("overflows", step, static_cast<double>(so_far));
  }
}

// Computes in double: in a damaged file the difference of two times may overflow an integer.
double step_ms(const queries::WholeStep& step) {
  return (static_cast<double>(step.end_ns) - static_cast<double>(step.start_ns) - static_cast<double>(step.paused_ns)) /
         1e6;
}

void add_steps(const LoggedRun& logged, bool has_scaler) {
  std::int64_t skipped = 0;
  for (const queries::WholeStep& step : logged.steps) {
    skipped += step.skipped ? 1 : 0;
    if (has_scaler || logged.run.skipped_steps > 0) {
      logged.add_scalar("skipped_steps", step.step, static_cast<double>(skipped));
    }
    if (step.end_ns <= step.start_ns) continue;  // in progress
    logged.add_scalar("step_ms", step.step, step_ms(step));
    logged.add_scalar("own_step_ms", step.step, static_cast<double>(step.overhead_ns) / 1e6);
  }
}

/// Buckets are exponents: a value x counts between floor(log2 |x|) and the next integer. TensorBoard's axis is linear,
/// so buckets of magnitudes would show only the largest ones.
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

/// Adds the call sites with the least headroom, at most kMostHistograms of them.
void add_exponents(const LoggedRun& logged, const std::vector<queries::OpRow>& all) {
  std::vector<const queries::OpRow*> ops;
  for (const queries::OpRow& op : all) {
    if (op.run == logged.run.run && op.exponents && op.exponents->total() > 0) ops.push_back(&op);
  }
  std::ranges::stable_sort(ops, {}, [](const auto* op) { return analysis::headroom_of(*op).value_or(1e9); });
  ops.resize(std::min(ops.size(), kMostHistograms));
  for (const queries::OpRow* op : ops) {
    logged.file.add_histogram("exponents/" + text::printable(op->call_site), logged.moments.last(),
                              buckets_of(*op->exponents));
  }
}

/// Adds findings that are new or have changed. Tags: findings/KIND, then findings/KIND/2 and so on.
void add_findings(const LoggedRun& logged, const std::vector<analysis::Finding>& findings,
                  std::map<std::string, std::string>& said) {
  std::map<std::string_view, int> of_kind;
  for (const analysis::Finding& finding : findings) {
    if (std::ranges::find(finding.runs, logged.run.run) == finding.runs.end()) continue;
    const int number = ++of_kind[finding.kind];
    const std::string tag = fmt::format("findings/{}{}", finding.kind, number > 1 ? fmt::format("/{}", number) : "");
    const std::string text = finding_text(finding);
    if (std::exchange(said[tag], text) != text) logged.file.add_text(tag, logged.moments.last(), text);
  }
}

/// Returns unique names of sub-folders: "O1", "O1_2", "O1_rank_3", "run_4".
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

/// The event file of one run.
class RunLog {
 public:
  RunLog(const fs::path& folder, std::int64_t started_at, bool replace)
      // Pads to ten digits, as TensorFlow does: readers sort the files of a folder by name.
      : started_at_(started_at),
        path_(folder / fmt::format("events.out.tfevents.{:010}.ampprof", started_at)),
        first_(std::in_place, path_, replace) {}

  /// Adds new data. The first call creates the file, which appears complete or not at all.
  void add(const Exported& report, const queries::RunRow& run, const std::vector<analysis::Finding>& findings,
           bool goes_on) {
    if (first_) {
      EventFile file(first_->stream());
      file.add_version(static_cast<double>(started_at_));
      file.add_text("run", {.wall_seconds = static_cast<double>(started_at_)}, settings_text(run));
      add_to(file, report, run, findings, goes_on);
      first_->put_in_place();
      first_.reset();
      return;
    }
    std::ofstream out(path_, std::ios::binary | std::ios::app);
    EventFile file(out);
    add_to(file, report, run, findings, goes_on);
    if (!out.flush()) throw store::WriteError("cannot write the file " + path_.string() + ": the disk is full");
  }

 private:
  void add_to(EventFile& file, const Exported& report, const queries::RunRow& run,
              const std::vector<analysis::Finding>& findings, bool goes_on) {
    const queries::Report& read = report.views.report;
    const std::vector<queries::WholeStep> steps = queries::whole_steps(read, run.run);
    const RunMoments moments(started_at_, steps);
    const LoggedRun logged{read, run, steps, moments, file, written_, goes_on};
    const std::vector<queries::ScaleRow> scales = queries::scales(read, run.run);
    add_losses(logged);
    add_scales(logged, scales);
    add_steps(logged, !scales.empty());
    // A histogram covers all steps so far, so a new one is due only when the number of steps has doubled.
    const bool is_over = !goes_on && !std::exchange(is_over_, true);
    if (is_over || logged.last() >= 2 * steps_of_exponents_) {
      steps_of_exponents_ = std::max<std::int64_t>(logged.last(), 1);
      add_exponents(logged, report.views.ops());
    }
    add_findings(logged, findings, said_);
  }

  std::int64_t started_at_;
  fs::path path_;
  std::optional<OutputFile> first_;                           ///< the new file, until it is renamed into place
  std::map<std::string, std::int64_t, std::less<>> written_;  ///< last step of each tag: some values are late
  std::int64_t steps_of_exponents_ = 1;                       ///< last step that the newest histograms cover
  bool is_over_ = false;                                      ///< the final histograms are written
  std::map<std::string, std::string> said_;                   ///< findings by tag
};

}  // namespace

struct TensorboardLog::State {
  fs::path folder;
  bool replace;
  std::map<std::int64_t, RunLog> logs;  ///< by run
};

TensorboardLog::TensorboardLog(const fs::path& folder, bool replace)
    : state_(std::make_unique<State>(State{folder, replace, {}})) {}

TensorboardLog::~TensorboardLog() = default;

void TensorboardLog::add(const Exported& report, bool is_growing) {
  const std::vector<queries::RunRow>& runs = report.views.runs;
  const std::vector<std::string> names = folder_names_of(runs);
  make_folder(state_->folder, "event files");
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!state_->replace && !state_->logs.contains(runs[i].run)) check_is_free(state_->folder / names[i]);
  }
  const std::vector<analysis::Finding> findings = analysis::diagnose(views::rows_of(report.views));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::int64_t run = runs[i].run;
    const fs::path folder = state_->folder / names[i];
    make_folder(folder, "event files");
    const std::int64_t start = std::max<std::int64_t>(queries::started_at(report.views.report, run).value_or(0), 0);
    state_->logs.try_emplace(run, folder, start, state_->replace)
        .first->second.add(report, runs[i], findings, is_growing && !runs[i].has_ended());
  }
}

void write_tensorboard_folder(const Exported& report, const fs::path& folder, bool replace) {
  TensorboardLog(folder, replace).add(report, /*is_growing=*/false);
}

std::function<void(const Exported&)> follow_in_tensorboard(const fs::path& folder, bool replace) {
  return [log = std::make_shared<TensorboardLog>(folder, replace)](const Exported& report) {
    log->add(report, /*is_growing=*/true);
  };
}

}  // namespace ampprof::cli
