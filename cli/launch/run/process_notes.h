// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/launch/program/program.h"
#include "reports/records/run.h"

/// Notes of a program's processes beside the claim, one per line (profiler/preload/claim.h).
namespace ampprof::cli {

struct ProcessNotes {
  bool loaded = false;               ///< some process loaded a LibTorch that is served
  std::string other_torch;           ///< path of another LibTorch that was loaded; "" for none
  std::string other_version;         ///< its version; "" if LibTorch does not say
  std::string failure;               ///< why a recorder could not start; ""
  std::string stopped;               ///< why a recording that a program began itself could not continue; ""
  std::string no_casts;              ///< why O1 could not be injected; ""
  std::vector<std::string> trained;  ///< RANK of each process that trained without being recorded; "" without one
  std::string recorded_rank;         ///< rank of the recorded process if no launcher set it; "" without one
  bool is_claimed = false;
};

ProcessNotes notes_from(std::string_view claim, std::string_view notes);
/// Reads the claim file of a finished run; it may not exist.
ProcessNotes read_notes(const std::filesystem::path& claim);

/// Returns why a run holds no op call, and a remedy. `saw_process`: a recorder has written into the report.
/// `names_ranks`: only some ranks were to be recorded (--record-ranks).
Missing why_nothing_was_recorded(const ProcessNotes& notes, const Program& program, const Installation& installation,
                                 bool saw_process, bool names_ranks = false);

/// Returns the missing data of a recorded run; `ranks` are those with a report of their own.
std::vector<Missing> missing_from(const ProcessNotes& notes, const std::vector<std::string>& ranks = {});

}  // namespace ampprof::cli
