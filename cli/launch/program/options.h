// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/launch/program/arguments.h"

namespace ampprof::cli {

inline constexpr double kProbeBudget = 60;  ///< seconds
inline constexpr std::int64_t kMaxReport = std::int64_t{1} << 30;

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
  std::optional<StepRange> steps;
  std::optional<std::int64_t> every;
  std::optional<double> delay;     ///< seconds
  std::optional<double> duration;  ///< seconds
  std::string reference = "fp32";
  std::optional<bool> inherited;             ///< add the error against a shadow of the whole step; empty: not said
  std::optional<bool> impact;                ///< add what each error does to the loss; empty: not said
  bool sketch = false;                       ///< leave a sketch of each call's outputs
  std::optional<std::int64_t> impact_bytes;  ///< memory for errors that wait for their gradient
  std::int64_t deep_every = 1;               ///< of the recorded steps, every Nth has inherited error and loss impact
  std::string what_if;  ///< type to judge each op in, or recipes by commas; "" for the types of the run itself
  std::string screen;   ///< recipes whose operand errors are measured, by commas
  std::optional<double> loss_scale;    ///< what the program multiplies its losses by itself
  std::string rerun;                   ///< ops "ns::op" or namespaces "ns::" that may be run again, by commas
  std::optional<double> assume_scale;  ///< loss scale that a what-if judges the backward at
  std::optional<std::int64_t> seed;
  std::int32_t repeat = 1;
  std::string target_gpu = "sm_90";
  std::int64_t max_bytes = kMaxReport;  ///< of the report; all runs share it
  bool probe = false;                   ///< time each matmul on the GPU when the runs have ended
  std::optional<double> probe_budget;   ///< seconds for that; empty: kProbeBudget
  std::vector<std::string> inputs;      ///< of a TorchScript model
  std::optional<std::int64_t>
      ranks;                 ///< processes of this machine that torchrun starts; empty: the program starts alone
  std::string record_ranks;  ///< ranks that record, each into a report of its own (recording::rank_list_from()); "":
                             ///< all that a launcher inside of `ampprof run` starts
  std::optional<std::int64_t> check_ranks;  ///< of the recorded steps, every Nth leaves checksums of its parameters
  std::string torch;  ///< version of LibTorch for a sample or a TorchScript model; "" for the usual one
  bool train = false;
};

}  // namespace ampprof::cli
