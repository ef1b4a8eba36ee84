// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <csignal>

#include "analysis/ops/nearest.h"
#include "cli/launch/machine/doctor.h"
#include "cli/launch/program/exit_code.h"
#include "cli/launch/program/installation.h"
#include "cli/verbs/verb.h"
#include "reports/store/report_error.h"
#include "reports/text/listed.h"
#include "reports/text/usage_error.h"
#include "reports/version/version.h"

namespace ampprof::cli {
namespace {

std::string or_none(std::string_view text) { return std::string(text.empty() ? "none" : text); }

void print_version() {
  fmt::print("ampprof {}\ncommit {}\nLibTorch {}\nCUDA {}\nCUPTI {}\nSQLite {}\n", version::number(),
             or_none(version::commit()), or_none(text::listed(Installation::own().torch_versions())),
             or_none(AMPPROF_CUDA_VERSION), or_none(cupti_found()), sqlite3_libversion());
}

void print_help(std::FILE* file) {
  fmt::print(file,
             "ampprof: find out which ops of a PyTorch or LibTorch program can run in FP16, BF16, FP8 or FP4\n\n"
             "Usage: ampprof VERB [OPTIONS]\n\n");
  for (const Verb& verb : all_verbs()) {
    if (!verb.about.empty()) fmt::print(file, "  {:<12}{}\n", verb.name, verb.about);
  }
  fmt::print(file,
             "\n  --version     print the versions of ampprof and of the libraries it was built for\n"
             "  --help        print this page; `ampprof VERB --help` prints the options of a verb\n\n"
             "Example:\n  ampprof run --levels O0,O1 sample:mlp\n");
}

text::UsageError unknown_verb(const std::string& name) {
  std::vector<std::string> names;
  for (const Verb& verb : all_verbs()) {
    if (!verb.about.empty()) names.push_back(verb.name);
  }
  return text::UsageError(fmt::format("Unknown verb '{}'.{} Use one of {}. See: ampprof --help", name,
                                      analysis::did_you_mean(name, names), text::listed(names)));
}

int run(const Arguments& arguments) {
  if (arguments.empty()) {
    print_help(stderr);
    return kWrongUsage;
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") return print_help(stdout), kFine;
  if (name == "--version") return print_version(), kFine;
  const auto& verbs = all_verbs();
  const auto verb = std::find_if(verbs.begin(), verbs.end(), [&](const Verb& v) { return v.name == name; });
  if (verb == verbs.end()) throw unknown_verb(name);
  return verb->run({arguments.begin() + 1, arguments.end()}, Installation::own());
}

int guarded(const Arguments& arguments) {
  try {
    return run(arguments);
  } catch (const store::WriteError& error) {
    fmt::print(stderr, "ampprof: {}\n", error.what());
    return kWrongUsage;
  } catch (const store::ReportError& error) {
    fmt::print(stderr, "ampprof: {}\n", error.what());
    return kReportUnreadable;
  } catch (const std::exception& error) {
    fmt::print(stderr, "ampprof: {}\n", error.what());
    return kWrongUsage;
  }
}

}  // namespace
}  // namespace ampprof::cli

int main(int count, char** values) {
  std::signal(SIGXFSZ, SIG_IGN);  // makes a file size limit an error to report, like a full disk
  return ampprof::cli::guarded({values + 1, values + count});
}
