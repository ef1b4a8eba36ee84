// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/errors.h"
#include "cli/text/nearest.h"
#include "cli/verbs/flags.h"
#include "cli/views/all_views.h"
#include "cli/views/answer.h"
#include "cli/views/summary.h"

namespace ampprof::cli {
namespace {

constexpr std::size_t kReadableRows = 30;

constexpr const char* kFooter = R"(
VIEW is summary (default), runs, ops, events, tensor-cores, ranges, impact,
casts, optimizer, loss-scale or missing. --sort takes the keys of --format json.

Example:
  ampprof show digits.ampprof ops --run O1 --phase backward --sort local_max_ulp)";

struct ShowFlags {
  std::string report;
  std::string view = "summary";
  std::string format = "table";
  std::string target_gpu;
  double threshold = Findings{}.threshold;
  Selection selection;
};

// Views that the documentation promises and this version cannot fill.
const std::vector<std::string> kViewsNotYet{"kernels"};

std::vector<std::string> view_names() {
  std::vector<std::string> names{"summary"};
  for (const NamedView& view : all_views()) names.emplace_back(view.name);
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool read(const Arguments& arguments, ShowFlags& flags) {
  CLI::App app("Prints what a report holds.", "ampprof show");
  set_usage(app, "ampprof show REPORT [VIEW] [OPTIONS]");
  app.footer(kFooter);
  app.add_option("REPORT", flags.report, "the file that ampprof run wrote")->required();
  one_of(app.add_option("VIEW", flags.view, "what to print"), view_names());
  add_format(app, flags.format);
  one_of(add_option(app, "--run", flags.selection.run, "one run only: its id or its level"), opt_levels())
      ->type_name("ID|LEVEL");
  add_row_selection(app, flags.selection);
  add_option(app, "--target-gpu", flags.target_gpu, "judge Tensor Core rules for this GPU")->type_name("GPU");
  add_option(app, "--threshold", flags.threshold, "the summary names the first op whose inherited error is at least X")
      ->type_name("X");
  return parse(app, arguments);
}

void check(const ShowFlags& flags) {
  const std::vector<std::string> names = view_names();
  if (contains(kViewsNotYet, flags.view)) {
    throw UsageError(fmt::format("The view '{}' is not in this version yet. Views are {}.", flags.view, listed(names)));
  }
  if (!contains(names, flags.view)) {
    throw UsageError(fmt::format("There is no view '{}'.{} Views are {}.", flags.view, did_you_mean(flags.view, names),
                                 listed(names)));
  }
  if (!(flags.threshold > 0)) {
    throw UsageError("--threshold: write an error relative to the values, above 0. 0.01 is one per cent.");
  }
  check_gpu(flags.target_gpu);
}

void check_run(const std::optional<std::string>& wanted, const std::vector<RunRow>& runs) {
  if (!wanted) return;
  std::vector<std::string> known;
  for (const RunRow& run : runs) {
    if (names_run(*wanted, run.run, run.level)) return;
    known.push_back(fmt::format("{}{}", run.run, run.level.empty() ? "" : " (" + run.level + ")"));
  }
  throw UsageError(fmt::format("--run: the report has no run '{}'. {}", *wanted,
                               known.empty() ? "It holds none." : "Its runs are " + listed(known) + "."));
}

void show_view(ShowFlags flags, ViewSource& source, Format format, const Terminal& terminal) {
  const auto named = std::ranges::find(all_views(), flags.view, &NamedView::name);
  View view = named->make(source);
  const bool for_people = format == Format::Table || format == Format::Markdown;
  if (for_people && !flags.selection.limit) flags.selection.limit = kReadableRows;
  const std::size_t left_out = select(view, flags.selection);
  fmt::print("{}", formatted(view, format, terminal));
  std::fflush(stdout);
  note_left_out(view, left_out, format, terminal);
}

template <class Row>
void keep_runs(std::vector<Row>& rows, const std::vector<RunRow>& runs) {
  std::erase_if(rows, [&](const Row& row) {
    return std::none_of(runs.begin(), runs.end(), [&](const RunRow& run) { return run.run == row.run; });
  });
}

void show_summary(const ShowFlags& flags, ViewSource& source, Format format, const Terminal& terminal) {
  const Selection& selection = flags.selection;
  if (selection.phase || selection.op || selection.module || selection.sort || selection.limit) {
    throw UsageError("The summary can only be narrowed by --run. Name a view: ampprof show REPORT ops ...");
  }
  std::vector<RunRow> runs = source.runs;
  if (selection.run) {
    std::erase_if(runs, [&](const RunRow& run) { return !names_run(*selection.run, run.run, run.level); });
  }
  Findings findings{
      runs, source.ops(), source.report.events(), source.report.missing(), source.report.impacts(), flags.threshold};
  keep_runs(findings.ops, runs);
  keep_runs(findings.events, runs);
  keep_runs(findings.missing, runs);
  keep_runs(findings.impacts, runs);
  if (format == Format::Csv) fmt::print(stderr, "ampprof: CSV holds one table; these are the runs.\n");
  fmt::print("{}", summary(flags.report, findings, source.targets, format, terminal));
}

}  // namespace

int show_verb(const Arguments& arguments, const Installation&) {
  ShowFlags flags;
  if (!read(arguments, flags)) return kFine;
  const Format format = format_from(flags.format);
  check(flags);
  const Terminal terminal = terminal_of(STDOUT_FILENO);
  const Report report(flags.report);
  const std::vector<RunRow> runs = report.runs();
  check_run(flags.selection.run, runs);
  ViewSource source{report, runs, Targets(runs, flags.target_gpu)};
  if (flags.view == "summary") {
    show_summary(flags, source, format, terminal);
  } else {
    show_view(flags, source, format, terminal);
  }
  return kFine;
}

}  // namespace ampprof::cli
