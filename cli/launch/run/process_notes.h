// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/launch/program/program.h"
#include "reports/records/run.h"

/// Notes that the processes of a program left beside the claim, one line each (profiler/preload/claim.h).
namespace ampprof::cli {

struct ProcessNotes {
  bool loaded = false;               ///< some process loaded a LibTorch that is served
  std::string other_torch;           ///< path of another one that was loaded; "" for none
  std::string other_version;         ///< its version; "" where LibTorch does not say
  std::string failure;               ///< why a recorder could not start; ""
  std::string stopped;               ///< why one that a program began itself could not go on; ""
  std::string no_casts;              ///< why O1 could not be injected; ""
  std::vector<std::string> trained;  ///< RANK of each process that trained and was not recorded; "" without one
  std::string recorded_rank;         ///< of the process that was, where no launcher gave it one; "" without one
  bool is_claimed = false;
};

ProcessNotes notes_from(std::string_view claim, std::string_view notes);
/// Reads the claim file of a run that has ended; it may not be there.
ProcessNotes read_notes(const std::filesystem::path& claim);

/// Why a run holds no op call, and what to do. `saw_process`: a recorder has written into the report. `names_ranks`:
/// not all ranks were to be recorded (--record-ranks).
Missing why_nothing_was_recorded(const ProcessNotes& notes, const Program& program, const Installation& installation,
                                 bool saw_process, bool names_ranks = false);

/// Returns what is missing in a run that was recorded; `ranks` are those that have a report of their own.
std::vector<Missing> missing_from(const ProcessNotes& notes, const std::vector<std::string>& ranks = {});

}  // namespace ampprof::cli
