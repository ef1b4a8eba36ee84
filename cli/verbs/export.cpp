// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <csignal>
#include <filesystem>

#include "analysis/nearest.h"
#include "analysis/targets.h"
#include "cli/export/documents.h"
#include "cli/export/output_file.h"
#include "cli/export/page.h"
#include "cli/export/trace.h"
#include "cli/launch/exit_code.h"
#include "cli/verbs/anonymize.h"
#include "cli/verbs/flags.h"
#include "reports/merge/filtered_copy.h"
#include "reports/text/listed.h"
#include "reports/text/usage_error.h"
#include "views/run_choice.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFooter = R"(
html: one page, for people and paper; needs no network.
perfetto: a trace for ui.perfetto.dev or chrome://tracing.
csv: a folder with one file for each view of ampprof show.
json: all views in one object, with the keys of ampprof show --format json.

Example:
  ampprof export digits.ampprof --to html -o digits.html)";

struct ExportFlags {
  std::string report;
  std::string target;
  std::string output;
  std::string anonymize;
  std::optional<std::string> run;
  bool force = false;
};

/// A report and how the export calls it.
struct Exported {
  views::ViewSource& views;
  std::string name;
};

using Write = void (*)(Exported&, std::ostream&);

struct Target {
  const char* name;
  Write write;  ///< null for csv, which is no single file
};

constexpr Target kTargets[]{
    {"html", [](Exported& from, std::ostream& out) { write_page(from.views, from.name, out); }},
    {"perfetto", [](Exported& from, std::ostream& out) { write_trace(from.views.report, from.views.runs, out); }},
    {"csv", nullptr},
    {"json", [](Exported& from, std::ostream& out) { write_json(from.views, from.name, out); }},
};

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const Target& target : kTargets) names.emplace_back(target.name);
  return names;
}

const Target& target_of(const ExportFlags& flags) {
  for (const Target& target : kTargets) {
    if (flags.target == target.name) return target;
  }
  throw text::UsageError(fmt::format("--to: '{}' is no format to export to.{} It is one of {}.", flags.target,
                                     analysis::did_you_mean(flags.target, target_names()),
                                     text::listed(target_names())));
}

bool read(const Arguments& arguments, ExportFlags& flags) {
  CLI::App app("Turns a report into a page, a trace or tables.", "ampprof export");
  set_usage(app, "ampprof export REPORT --to FORMAT -o FILE [OPTIONS]");
  app.footer(kFooter);
  app.add_option("REPORT", flags.report, "the file that ampprof run wrote")->required();
  one_of(add_option(app, "--to", flags.target, "html, perfetto, csv or json"), target_names())
      ->required()
      ->type_name("FORMAT");
  add_option(app, "-o,--output", flags.output, "file to write; for csv a folder")->required()->type_name("FILE");
  add_run(app, flags.run);
  add_flag(app, "--force", flags.force, "replace existing files");
  add_anonymize(app, flags.anonymize);
  return parse(app, arguments);
}

void check_output(const ExportFlags& flags) {
  std::error_code not_there;
  if (!fs::equivalent(flags.report, flags.output, not_there)) return;
  throw text::UsageError(
      fmt::format("{} is read and cannot be written too; choose another name with -o.", flags.report));
}

/// Returns what the export does not hold.
std::vector<queries::MissingRow> write(const ExportFlags& flags, const Target& target, const fs::path& report_file) {
  const queries::Report report(report_file);
  const std::vector<queries::RunRow> runs = views::runs_wanted(queries::runs(report), flags.run, flags.report);
  views::ViewSource views{report, runs, analysis::Targets(runs)};
  if (target.write == nullptr) {
    write_csv_folder(views, flags.output, flags.force);
    return views.missing();
  }
  OutputFile file(flags.output, flags.force);
  Exported exported{views, report_file.filename().string()};
  target.write(exported, file.stream());
  file.put_in_place();
  return views.missing();
}

}  // namespace

int export_verb(const Arguments& arguments, const Installation&) {
  ExportFlags flags;
  if (!read(arguments, flags)) return kFine;
  const Target& target = target_of(flags);
  check_output(flags);
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is an error like a full disk
  std::vector<queries::MissingRow> missing;
  if (const merge::TextFilter filter = filter_of_anonymize(flags.anonymize)) {
    const merge::FilteredCopy copy(flags.report, filter);
    missing = write(flags, target, copy.path());
  } else {
    missing = write(flags, target, flags.report);
  }
  fmt::print(stderr, "ampprof: wrote {}\n", flags.output);
  views::print_missing(missing, flags.report);
  return kFine;
}

}  // namespace ampprof::cli
