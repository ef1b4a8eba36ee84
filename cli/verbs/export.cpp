// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <utility>

#include "analysis/ops/nearest.h"
#include "analysis/ops/targets.h"
#include "cli/export/formats.h"
#include "cli/export/output_file.h"
#include "cli/launch/program/exit_code.h"
#include "cli/verbs/anonymize.h"
#include "cli/verbs/flags.h"
#include "cli/verbs/follow.h"
#include "reports/merge/filtered_copy.h"
#include "reports/queries/missing.h"
#include "reports/queries/runs.h"
#include "reports/text/elide.h"
#include "reports/text/listed.h"
#include "reports/text/usage_error.h"
#include "views/diagnosis/missing.h"
#include "views/ops/views.h"
#include "views/runs/run_choice.h"
#include "views/view_source.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

struct ExportFlags {
  std::string report;
  std::string format;
  std::string output;
  std::string anonymize;
  std::optional<std::string> run;
  bool force = false;
  bool follow = false;
};

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const ExportFormat& format : kExportFormats) names.emplace_back(format.name);
  return names;
}

std::string footer() {
  std::string lines = "\n";
  for (const ExportFormat& format : kExportFormats) lines += fmt::format("{}: {}.\n", format.name, format.what);
  return lines + "\nExample:\n  ampprof export digits.ampprof --to html -o digits.html";
}

const ExportFormat& format_of(const ExportFlags& flags) {
  for (const ExportFormat& format : kExportFormats) {
    if (flags.format == format.name) return format;
  }
  throw text::UsageError(fmt::format("--to: unknown format '{}'.{} Use one of {}.", flags.format,
                                     analysis::did_you_mean(flags.format, format_names()),
                                     text::listed(format_names())));
}

bool read(const Arguments& arguments, ExportFlags& flags) {
  CLI::App app("Turns a report into a page, a trace or tables.", "ampprof export");
  set_usage(app, "ampprof export REPORT --to FORMAT -o FILE [OPTIONS]");
  app.footer(footer());
  app.add_option("REPORT", flags.report, "read this report of ampprof run")->required();
  one_of(add_option(app, "--to", flags.format, "write " + text::listed(format_names(), "or")), format_names())
      ->required()
      ->type_name("FORMAT");
  add_option(app, "-o,--output", flags.output, "write to this file; csv and tensorboard write to a directory")
      ->required()
      ->type_name("FILE");
  add_run(app, flags.run);
  add_flag(app, "--force", flags.force, "replace existing files");
  add_anonymize(app, flags.anonymize);
  add_flag(app, "--follow", flags.follow,
           "export again about once per second until the runs have ended: append to a TensorBoard directory, rewrite "
           "any other file");
  return parse(app, arguments);
}

void check_output(const ExportFlags& flags) {
  std::error_code not_there;
  if (!fs::equivalent(flags.report, flags.output, not_there)) return;
  throw text::UsageError(
      fmt::format("{} is the input and cannot be the output. Choose another name with -o.", flags.report));
}

std::string name_of(const fs::path& report) { return report.filename().string(); }

void write_whole(const Exported& exported, const ExportFormat& format, const fs::path& output, bool replace) {
  if (format.write_folder != nullptr) return format.write_folder(exported, output, replace);
  OutputFile file(output, replace);
  format.write(exported, file.stream());
  file.put_in_place();
}

/// Writes the selected runs of a report. Returns their missing data.
std::vector<queries::MissingRow> write_report(const queries::Report& report, const std::string& name,
                                              const ExportFlags& flags,
                                              const std::function<void(const Exported&)>& write) {
  const std::vector<queries::RunRow> runs = views::runs_wanted(queries::runs(report), flags.run, flags.report);
  views::ViewSource views{report, runs, analysis::Targets(runs)};
  write({views, name});
  return views.missing();
}

/// Writes the export again and again, until all runs have ended.
void follow_report(const ExportFlags& flags, const ExportFormat& format) {
  if (!flags.anonymize.empty()) {
    throw text::UsageError("--follow cannot anonymize. Remove --follow or --anonymize.");
  }
  bool replace = flags.force;
  const auto write_anew = [&](const Exported& exported) {
    write_whole(exported, format, flags.output, std::exchange(replace, true));
  };
  const auto write = format.follow != nullptr ? format.follow(flags.output, flags.force) : write_anew;
  follow(flags.report, [&](const queries::Report& report, const text::Terminal&) {
    write_report(report, name_of(flags.report), flags, write);
    return fmt::format("Writes {} about once per second until the runs have ended.\n", text::printable(flags.output));
  });
}

}  // namespace

int export_verb(const Arguments& arguments, const Installation&) {
  ExportFlags flags;
  if (!read(arguments, flags)) return kFine;
  const ExportFormat& format = format_of(flags);
  check_output(flags);
  const auto write = [&](const Exported& exported) { write_whole(exported, format, flags.output, flags.force); };
  std::vector<queries::MissingRow> missing;
  if (flags.follow) {
    follow_report(flags, format);
  } else if (const merge::TextFilter filter = filter_of_anonymize(flags.anonymize)) {
    const merge::FilteredCopy copy(flags.report, filter);
    missing = write_report(queries::Report(copy.path()), name_of(copy.path()), flags, write);
  } else {
    missing = write_report(queries::Report(flags.report), name_of(flags.report), flags, write);
  }
  fmt::print(stderr, "ampprof: wrote {}\n", flags.output);
  views::print_missing(missing, flags.report);
  return kFine;
}

}  // namespace ampprof::cli
