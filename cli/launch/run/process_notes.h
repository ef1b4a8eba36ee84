// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/launch/program/program.h"
#include "reports/records/run.h"

/// Notes that a program's processes write into a file beside the claim file, one per line (profiler/preload/claim.h).
namespace ampprof::cli {

struct ProcessNotes {
  bool loaded = false;               ///< some process loaded a LibTorch that ampprof has a recorder for
  std::string other_torch;           ///< path of a loaded LibTorch without a recorder; "" if there is none
  std::string other_version;         ///< version of that LibTorch; "" if older than 2.9
  std::string failure;               ///< why a recorder could not start; "" if none failed
  std::string stopped;               ///< why a recording that a program began itself ended early; "" if none did
  std::string no_casts;              ///< why O1 could not be injected; "" unless that failed
  std::vector<std::string> trained;  ///< RANK of each process that trained unrecorded; "" if RANK is unset
  std::string recorded_rank;         ///< rank that the recorded process reported; "" if none
  bool is_claimed = false;
};

ProcessNotes notes_from(std::string_view claim, std::string_view notes);
/// Reads the claim file of a finished run. The file may be missing.
ProcessNotes read_notes(const std::filesystem::path& claim);

/// Returns why a run has no op calls, and a remedy. `saw_process`: a recorder has written into the report.
/// `names_ranks`: --record-ranks selects ranks.
Missing why_nothing_was_recorded(const ProcessNotes& notes, const Program& program, const Installation& installation,
                                 bool saw_process, bool names_ranks = false);

/// Returns the missing data of a recorded run. `ranks` have reports of their own.
std::vector<Missing> missing_from(const ProcessNotes& notes, const std::vector<std::string>& ranks = {});

}  // namespace ampprof::cli
