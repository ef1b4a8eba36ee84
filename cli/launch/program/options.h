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

inline constexpr double kProbeBudget = 60;  ///< seconds

/// Options of `ampprof run`, checked as far as the text alone allows.
struct RunOptions {
  std::vector<std::string> command;  ///< PROGRAM and its arguments, as typed
  std::string output;                ///< "" for the next free ampprof-<n>.ampprof
  bool replace = false;
  std::vector<std::string> levels;  ///< empty: the program decides
  std::string type;                 ///< that O1 to O3 compute in, "bf16" say; "" for what the program says
  std::string recipe;               ///< that matmuls run in: a name, or a file; "" for none
  std::string eager;                ///< "only": without torch.compile; "both": so once more; "" as the program says
  std::string policy;               ///< file with rules for functions; "" for none
  recording::Options record;        ///< for the recorder; recorder_variables() adds what differs from run to run
  RunStart start;                   ///< for the report; start_of() adds what differs from run to run
  std::int32_t repeat = 1;
  std::string on_event;                ///< shell command to run when something happens; "" for none
  std::vector<std::string> gates;      ///< rules of reports/gates/, whose failures are such events
  bool probe = false;                  ///< time each matmul on the GPU when the runs have ended
  double probe_budget = kProbeBudget;  ///< seconds for that
  std::vector<std::string> inputs;     ///< of a TorchScript model
  std::optional<std::int64_t>
      ranks;                 ///< processes of this machine that torchrun starts; empty: the program starts alone
  std::string record_ranks;  ///< ranks that record, each into a report of its own (recording::rank_list_from()); "":
                             ///< all that a launcher inside of `ampprof run` starts
  std::string torch;         ///< version of LibTorch for a sample or a TorchScript model; "" for the usual one
  bool train = false;
  std::vector<std::string> flags;            ///< words that say the same as the command line and the environment
  std::set<std::string, std::less<>> given;  ///< flags that the command line or the environment gives, "--every"

  /// Returns whether a flag is given, be it with its default.
  bool gives(std::string_view flag) const { return given.contains(flag); }
};

}  // namespace ampprof::cli
