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

/// The formats of `ampprof export`. The help is generated from kExportFormats.
namespace ampprof::cli {

/// A report to export.
struct Exported {
  views::ViewSource& views;  ///< has only the runs to export; must outlive this struct
  std::string name;          ///< the name of the report in the export
};

/// Writes one self-contained HTML page: no network, no other file. Its small script only sorts and filters tables; the
/// page is complete without it. Missing data comes first.
void write_page(const Exported& report, std::ostream& out);

/// Writes the page of write_page() for a server. Its script asks the server each second whether the report has grown,
/// and updates the parts that changed.
void write_live_page(const Exported& report, std::ostream& out);

/// Writes a trace for ui.perfetto.dev and chrome://tracing: Chrome's Trace Event Format, JSON, times in microseconds
/// since the run's recorder started. Writes op calls as they are read, without collecting them.
///
/// Each run is a process. It has a track for steps and one for each phase. Each thread has a track for its op calls,
/// with shapes, types and errors, and one for its NVTX ranges. Each stream of a GPU has a track. Loss and loss scale
/// are counters, and an overflow is an instant event. Counters leave out non-finite values; the arguments of a call
/// show them as strings.
void write_trace(const Exported& report, std::ostream& out);

/// Writes `<view>.csv` for each view into a folder, which it creates if needed. Each file appears complete or not at
/// all. Throws WriteError before writing anything if a file exists and `replace` is false.
void write_csv_folder(const Exported& report, const std::filesystem::path& folder, bool replace);

/// Writes all views in one JSON object: `report` (its name), `answer` (sentences), then each view's records under its
/// name, with _ in place of -.
void write_json(const Exported& report, std::ostream& out);

/// Writes folded stacks for flamegraph.pl, inferno and speedscope.app. Each call site is a line "run;phase;module;…;op
/// N". N is its time in whole microseconds: GPU time if the run recorded GPU activity, else CPU time.
void write_folded_stacks(const Exported& report, std::ostream& out);

/// Writes metrics of each run in the text format of OpenMetrics 1.0, for node_exporter's textfile collector: steps,
/// skipped steps, events, loss, loss scale, times, findings by kind. Leaves out metrics that a run lacks.
/// https://prometheus.io/docs/specs/om/open_metrics_spec/
void write_open_metrics(const Exported& report, std::ostream& out);

/// Writes a log folder for TensorBoard: `<run>/events.out.tfevents.<seconds since 1970>.ampprof` for each run. Scalars
/// are per step, histograms per run; findings are texts. Leaves out values that a run lacks. Each file appears complete
/// or not at all. Throws WriteError before writing anything if a run's folder is not empty and `replace` is false.
void write_tensorboard_folder(const Exported& report, const std::filesystem::path& folder, bool replace);

/// Writes the folder of write_tensorboard_folder() while its runs are in progress. Appends new data to the event files,
/// which TensorBoard rereads. Writes histograms again each time the number of steps has doubled, and at the end of the
/// run. Writes a finding when it is new.
class TensorboardLog {
 public:
  TensorboardLog(const std::filesystem::path& folder, bool replace);
  ~TensorboardLog();
  TensorboardLog(const TensorboardLog&) = delete;
  TensorboardLog& operator=(const TensorboardLog&) = delete;

  /// Adds the data that is new since the last call. `is_growing` means that runs without an end are still being
  /// recorded: their last step is held back until the next one begins. Throws like write_tensorboard_folder().
  void add(const Exported& report, bool is_growing);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::function<void(const Exported&)> follow_in_tensorboard(const std::filesystem::path& folder, bool replace);

/// A format of `ampprof export`. Exactly one of `write` and `write_folder` is null.
struct ExportFormat {
  const char* name;  ///< word for --to
  const char* what;  ///< one sentence for the help
  void (*write)(const Exported& report, std::ostream& out);
  void (*write_folder)(const Exported& report, const std::filesystem::path& folder, bool replace) = nullptr;
  /// Returns a function that adds new data of a growing report to the output; null if the output is rewritten each
  /// time.
  std::function<void(const Exported&)> (*follow)(const std::filesystem::path& output, bool replace) = nullptr;
};

inline constexpr ExportFormat kExportFormats[]{
    {"html", "one web page, to read or print; needs no network", write_page},
    {"perfetto", "a trace for ui.perfetto.dev or chrome://tracing", write_trace},
    {"csv", "a folder with one file for each view of ampprof show", nullptr, write_csv_folder},
    {"json", "all views in one object, with the keys of ampprof show --format json", write_json},
    {"folded", "stacks of run, phase, modules and op with their times in microseconds, for flame graphs",
     write_folded_stacks},
    {"openmetrics", "steps, loss, loss scale, events and findings, for Prometheus", write_open_metrics},
    {"tensorboard", "a log folder with losses, loss scale and times of each step, exponents and findings", nullptr,
     write_tensorboard_folder, follow_in_tensorboard},
};

}  // namespace ampprof::cli
