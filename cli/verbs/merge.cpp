// SPDX-License-Identifier: Apache-2.0
#include "reports/merge/merge.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "cli/launch/program/exit_code.h"
#include "cli/verbs/anonymize.h"
#include "cli/verbs/flags.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "reports/text/usage_error.h"
#include "views/ops/views.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFooter = R"(
Numbers the runs from 1 in the order of the files. Keeps a run once if several
files hold it. Copies a single report, for example with --anonymize.

Example:
  ampprof merge rank0.ampprof rank1.ampprof -o all.ampprof)";

struct MergeFlags {
  std::vector<std::string> reports;
  std::string output;
  bool force = false;
  std::string anonymize;
};

bool read(const Arguments& arguments, MergeFlags& flags) {
  CLI::App app("Merges the runs of several reports into one: ranks, repeats, levels.", "ampprof merge");
  set_usage(app, "ampprof merge REPORT... -o FILE [OPTIONS]");
  app.footer(kFooter);
  app.add_option("REPORT", flags.reports, "read these reports of ampprof run")->required();
  add_option(app, "-o,--output", flags.output, "write this report")->required()->type_name("FILE");
  add_flag(app, "--force", flags.force, "replace an existing report");
  add_anonymize(app, flags.anonymize);
  return parse(app, arguments);
}

/// Identifies a file by device and inode, so that two names of one file compare equal; empty if the file is missing.
using FileId = std::optional<std::pair<dev_t, ino_t>>;

FileId id_of(const std::string& file) {
  struct stat found {};
  return ::stat(file.c_str(), &found) == 0 ? FileId({found.st_dev, found.st_ino}) : std::nullopt;
}

void check(const MergeFlags& flags) {
  const FileId output = id_of(flags.output);
  std::map<FileId, std::string> known;
  for (const std::string& report : flags.reports) {
    const FileId id = id_of(report);
    if (!id) continue;
    if (id == output) {
      throw text::UsageError(
          fmt::format("{} is an input and cannot be the output. Choose another name with -o.", report));
    }
    const auto [other, is_new] = known.emplace(id, report);
    if (is_new) continue;
    throw text::UsageError(fmt::format("{} and {} are the same file. Name each report once.", other->second, report));
  }
}

void say_what_was_merged(const std::vector<merge::MergedRun>& merged, const MergeFlags& flags) {
  std::int64_t copied = 0;
  for (const merge::MergedRun& run : merged) {
    if (!run.is_repeated) ++copied;
    if (!run.is_repeated) continue;
    fmt::print(stderr, "ampprof: run {} of {} is the same as run {} of the new report; it is kept once.\n",
               run.source_run, text::printable(run.source.string()), run.run);
  }
  fmt::print(stderr, "ampprof: wrote {} of {} to {}. To read it: ampprof show {}\n", text::counted(copied, "run"),
             text::counted(static_cast<std::int64_t>(flags.reports.size()), "report"), flags.output, flags.output);
}

}  // namespace

int merge_verb(const Arguments& arguments, const Installation&) {
  MergeFlags flags;
  if (!read(arguments, flags)) return kFine;
  check(flags);
  const merge::TextFilter filter = filter_of_anonymize(flags.anonymize);
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit becomes a write error, like a full disk
  const std::vector<fs::path> sources(flags.reports.begin(), flags.reports.end());
  say_what_was_merged(merge::merge_reports(sources, flags.output, flags.force, filter), flags);
  return kFine;
}

}  // namespace ampprof::cli
