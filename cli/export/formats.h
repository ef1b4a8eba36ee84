// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

namespace ampprof::views {
struct ViewSource;
}

/// The formats of `ampprof export`, each declared here once: what the help says follows.
namespace ampprof::cli {

/// A report that is exported.
struct Exported {
  views::ViewSource& views;  ///< its runs, no others; outlives the export
  std::string name;          ///< what the report is called in it
};

/// Writes one page of HTML that needs nothing else: no network, no file beside it; its small script only sorts and
/// filters tables, and without it everything is there. What the report does not hold comes first.
void write_page(const Exported& report, std::ostream& out);

/// Writes the same page, which asks its server each second whether the report has grown, and then renews what changed.
void write_live_page(const Exported& report, std::ostream& out);

/// Writes a trace that ui.perfetto.dev and chrome://tracing open: Chrome's Trace Event Format, JSON, times in
/// microseconds since the run's recorder started. Op calls are written as they are read, never held together.
///
/// Each run is a process with a track for steps and one for each phase, then one for each thread with its op calls,
/// which carry shapes, types and errors, one for the NVTX ranges of each thread, and one for each stream of a GPU. Loss
/// and loss scale are counters, an overflow is an instant. A value that is not finite is left out of a counter, and is
/// a word in the arguments of a call.
void write_trace(const Exported& report, std::ostream& out);

/// Writes `<view>.csv` for each view into a folder, which is made where there is none. Each file is whole or not there.
/// Throws WriteError where one exists and `replace` is false, before any is written.
void write_csv_folder(const Exported& report, const std::filesystem::path& folder, bool replace);

/// Writes all views in one JSON object: `report` (its name), `answer` (sentences), then each view's records under its
/// name, with _ in place of -.
void write_json(const Exported& report, std::ostream& out);

/// Writes folded stacks, which flamegraph.pl, inferno and speedscope.app draw: a line for each call site, "run;phase;
/// module;…;op N", where N is its time in whole microseconds: on the GPU where the run saw one, else on the CPU.
void write_folded_stacks(const Exported& report, std::ostream& out);

/// Writes metrics of each run in the text format of OpenMetrics 1.0, as node_exporter's textfile collector reads them:
/// steps, skipped steps, events, loss, loss scale, times, findings by kind. A figure that a run lacks is left out.
/// https://prometheus.io/docs/specs/om/open_metrics_spec/
void write_open_metrics(const Exported& report, std::ostream& out);

/// Writes a log folder that TensorBoard reads: `<run>/events.out.tfevents.<seconds since 1970>.ampprof` for each run.
/// Scalars are of each step, histograms of the run; findings are texts. A figure that a run lacks is left out. Each
/// file is whole or not there. Throws WriteError where a run's folder holds something and `replace` is false, before
/// any is written.
void write_tensorboard_folder(const Exported& report, const std::filesystem::path& folder, bool replace);

/// Writes such a folder while its runs go on: what is new goes to the ends of its files, in which TensorBoard finds it.
/// Histograms come again when the steps have doubled, and at the end; findings when they are new.
class TensorboardLog {
 public:
  TensorboardLog(const std::filesystem::path& folder, bool replace);
  ~TensorboardLog();
  TensorboardLog(const TensorboardLog&) = delete;
  TensorboardLog& operator=(const TensorboardLog&) = delete;

  /// Adds what a newer reading of the report has. `is_growing`: runs that have not ended are recorded now, so their
  /// last step waits. Throws as write_tensorboard_folder() does.
  void add(const Exported& report, bool is_growing);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::function<void(const Exported&)> follow_in_tensorboard(const std::filesystem::path& folder, bool replace);

/// One of `write` and `write_folder` is null.
struct ExportFormat {
  const char* name;  ///< of --to
  const char* what;  ///< one sentence of the help
  void (*write)(const Exported& report, std::ostream& out);
  void (*write_folder)(const Exported& report, const std::filesystem::path& folder, bool replace) = nullptr;
  /// Returns what takes a report that grows; null where each reading is written anew.
  std::function<void(const Exported&)> (*follow)(const std::filesystem::path& output, bool replace) = nullptr;
};

inline constexpr ExportFormat kExportFormats[]{
    {"html", "one page, for people and paper; needs no network", write_page},
    {"perfetto", "a trace for ui.perfetto.dev or chrome://tracing", write_trace},
    {"csv", "a folder with one file for each view of ampprof show", nullptr, write_csv_folder},
    {"json", "all views in one object, with the keys of ampprof show --format json", write_json},
    {"folded", "stacks of run, phase, modules and op with their microseconds, for flame graphs", write_folded_stacks},
    {"openmetrics", "steps, loss, scale, events and findings, for Prometheus", write_open_metrics},
    {"tensorboard", "a log folder with losses, scale and times of each step, exponents and findings", nullptr,
     write_tensorboard_folder, follow_in_tensorboard},
};

}  // namespace ampprof::cli
