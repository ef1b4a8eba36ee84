// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/recording/options.h"
#include "reports/records/run.h"

namespace ampprof::cli {

inline constexpr double kProbeBudget = 60;  ///< default of --probe-budget, in seconds

/// Options of `ampprof run`, checked as far as the text alone allows.
struct RunOptions {
  std::vector<std::string> command;  ///< PROGRAM and its arguments, as typed
  std::string output;                ///< "" for the next free ampprof-<n>.ampprof
  bool replace = false;
  std::vector<std::string> levels;  ///< opt levels to run at; empty if the program decides
  std::string type;                 ///< reduced type for O1 to O3, such as "bf16"; "" for the program's choice
  std::string recipe;               ///< recipe for matmuls: a name or a file; "" for none
  std::string eager;                ///< "only": run without torch.compile; "both": add such a run; "": change nothing
  std::string policy;               ///< file with rules for functions; "" for none
  recording::Options record;        ///< options for the recorder; recorder_variables() adds values that differ by run
  RunStart start;                   ///< the run's row in the report; start_of() adds values that differ by run
  std::int32_t repeat = 1;
  std::string on_event;                ///< shell command to run on an event; "" for none
  std::vector<std::string> gates;      ///< rules of reports/gates/ whose failures are events
  bool probe = false;                  ///< times each matmul on the GPU after the runs
  double probe_budget = kProbeBudget;  ///< limit for timing the matmuls, in seconds
  std::vector<std::string> inputs;     ///< inputs of a TorchScript model
  std::optional<std::int64_t>
      ranks;  ///< processes that torchrun starts on this machine; empty if torchrun is not to be used
  /// Ranks that record, each into its own report: a text for recording::rank_list_from(). "": all ranks of a launcher
  /// that `ampprof run` starts.
  std::string record_ranks;
  std::string torch;  ///< LibTorch version for a sample or a TorchScript model; "" for the default
  bool train = false;
  std::vector<std::string> flags;            ///< flags from the command line and the environment, as arguments
  std::set<std::string, std::less<>> given;  ///< names of the flags in `flags`, "--every"

  /// Returns whether a flag is given, even with its default.
  bool gives(std::string_view flag) const { return given.contains(flag); }
};

}  // namespace ampprof::cli
