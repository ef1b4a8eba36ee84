// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/run/process_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "cli/launch/program/linkage.h"
#include "cli/launch/program/torch_version.h"
#include "reports/text/listed.h"
#include "reports/text/read_file.h"

namespace ampprof::cli {
namespace {

constexpr const char* kEveryOp = "every op of this run";

void take(std::string_view what, const std::string& text, ProcessNotes& notes) {
  if (what == "loaded") notes.loaded = true;
  if (what == "version") {
    const auto space = std::min(text.find(' '), text.size());
    notes.other_version = text.substr(0, space);
    notes.other_torch = text.substr(std::min(space + 1, text.size()));
  }
  if (what == "failed") notes.failure = text;
  if (what == "stopped") notes.stopped = text;
  if (what == "no-casts") notes.no_casts = text;
  if (what == "trained") notes.trained.push_back(text);
}

Missing nothing(std::string cause, std::string remedy) { return {kEveryOp, 1, std::move(cause), std::move(remedy)}; }

bool is_static(const Program& program) { return is_elf(program.executable) && loader_of(program.executable).empty(); }

Missing of_other_torch(const ProcessNotes& notes, const std::vector<std::string>& served) {
  if (notes.other_version.empty()) {
    return nothing(fmt::format("The program loaded {}, which is older than LibTorch 2.9.", notes.other_torch),
                   fmt::format("Run it with LibTorch {}.", text::listed(served, "or")));
  }
  return nothing(unsupported_version_text(fmt::format("The program loaded {}, which is", notes.other_torch),
                                          notes.other_version, served),
                 how_to_support(notes.other_version, served));
}

/// Returns "ranks 1 and 2"; "" if a process has no rank.
std::string ranks_of(std::vector<std::string> ranks) {
  if (ranks.empty() || std::ranges::count(ranks, "") > 0) return "";
  std::ranges::sort(ranks,
                    [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return (ranks.size() == 1 ? "rank " : "ranks ") + text::listed(ranks);
}

}  // namespace

ProcessNotes notes_from(std::string_view claim, std::string_view notes) {
  ProcessNotes read;
  read.is_claimed = !claim.empty();
  if (const auto space = claim.find(' '); space != std::string_view::npos) read.recorded_rank = claim.substr(space + 1);
  std::istringstream lines{std::string(notes)};
  for (std::string line; std::getline(lines, line);) {
    const auto space = std::min(line.find(' '), line.size());
    take(std::string_view(line).substr(0, space), line.substr(std::min(space + 1, line.size())), read);
  }
  return read;
}

ProcessNotes read_notes(const std::filesystem::path& claim) {
  return notes_from(text::read_file(claim), text::read_file(claim.string() + ".notes"));
}

Missing why_nothing_was_recorded(const ProcessNotes& notes, const Program& program, const Installation& installation,
                                 bool saw_process, bool names_ranks) {
  if (saw_process) {
    return nothing("The program ran none of the requested steps (--steps, --every, --delay, --duration).",
                   "Request steps that the program runs; they count from 1.");
  }
  if (!notes.failure.empty()) return nothing("The recorder could not start: " + notes.failure, "See: ampprof doctor");
  if (!notes.other_torch.empty()) {
    return of_other_torch(notes, installation.torch_versions());
  }
  if (!notes.trained.empty()) {
    return nothing("Processes trained, but the recorded one ended before it wrote anything.",
                   "Read the program's output for the reason, and run it again.");
  }
  if (names_ranks) {
    return nothing("No process with a rank in --record-ranks called an op.",
                   "Ranks are the numbers that torchrun, mpirun or srun give to processes (RANK, ...). Name ranks that "
                   "exist, or remove --record-ranks.");
  }
  if (notes.loaded) {
    return nothing("The program loaded LibTorch but called no op, or called ops only in workers that did not train.",
                   "Record a program that trains or infers in its own process.");
  }
  if (is_static(program)) {
    return nothing("The program is linked statically, so no recorder can be loaded into it.",
                   "Link it with LibTorch's shared libraries.");
  }
  return nothing(
      "No process of the program loaded LibTorch.",
      "Check that it uses libtorch_cpu.so, and that nothing clears LD_PRELOAD before it starts (env -i, sudo).");
}

std::vector<Missing> missing_from(const ProcessNotes& notes, const std::vector<std::string>& ranks) {
  std::vector<Missing> missing;
  std::vector<std::string> others = notes.trained;
  const auto again = std::stable_partition(others.begin(), others.end(), [&](const std::string& rank) {
    return std::ranges::find(ranks, rank) == ranks.end();
  });
  const std::vector<std::string> restarted(again, others.end());
  others.erase(again, others.end());
  if (!others.empty()) {
    const std::string who = ranks_of(others);
    const std::string recorded = notes.recorded_rank.empty() ? "" : ", here rank " + notes.recorded_rank;
    missing.push_back({"processes that trained", std::ssize(others),
                       fmt::format("Only one process of the program is recorded{}{}.", recorded,
                                   who.empty() ? "" : fmt::format("; {} trained too", who)),
                       "Start the processes with a launcher that assigns ranks: torchrun, mpirun or srun. Then each "
                       "process is recorded."});
  }
  if (!restarted.empty()) {
    missing.push_back({"processes that trained", std::ssize(restarted),
                       fmt::format("Only the first process of a rank that trains is recorded; {} also trained in "
                                   "another process, for example after a restart by the launcher.",
                                   ranks_of(restarted)),
                       "To record the training after a restart, run the program again from its checkpoint."});
  }
  if (!notes.no_casts.empty()) {
    missing.push_back({"casts of O1", 1, "The program ran in its own types: " + notes.no_casts,
                       "Correct the policy or recipe, and run again."});
  }
  return missing;
}

}  // namespace ampprof::cli
