// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ampprof {

/// Missing data of a report, and a remedy. Counts of the same `what` and `cause` add up.
struct Missing {
  std::string what;
  std::int64_t count = 0;
  std::string cause;
  std::string remedy;
};

/// Missing::what of a run whose GPUs could not be recorded at all.
inline constexpr const char* kAllGpuActivity = "all GPU activity";
/// Missing::what of a run that multiplies its loss by a tensor, as a GradScaler does, without dividing the gradients. A
/// rule of the diagnosis turns it into a finding.
inline constexpr const char* kUndividedGradients = "division of scaled gradients";

/// Missing::what of a run with a loss that is not multiplied by the loss scale, although its gradients are divided by
/// it. A rule of the diagnosis turns it into a finding.
inline constexpr const char* kUnscaledLoss = "loss scale of a loss";

/// Facts about a run that the command line knows before the program starts.
struct RunStart {
  std::string level;                 ///< "O0".."O3", "" if the program decides
  std::string program;               ///< the command line, arguments quoted where needed
  std::string started_at;            ///< ISO 8601, UTC
  std::string reference;             ///< "fp32", "fp64" or "off"
  std::string target_gpu = "sm_90";  ///< GPU for Tensor Core rules
  std::optional<std::int64_t> seed;
  std::int32_t repeat = 0;  ///< 0 for the first run of a level
  std::string what_if{};    ///< type that each op was judged in: "fp16"; "" for the run's own types
  std::optional<double> assume_scale{};       ///< loss scale for judging the backward; only with what_if
  std::string ampprof_version{};              ///< version of the ampprof that records
  std::string ampprof_commit{};               ///< commit of its build; "" if unknown
  std::optional<std::int64_t> check_ranks{};  ///< parameters are checked in every Nth recorded step; empty: never
  std::string flags{};                        ///< flags of `ampprof run`, in shell syntax: "--impact --levels=O1"
  std::string folder{};                       ///< working directory at the start; "" if the program records itself
};

/// Facts that the recorder inside the program knows when it attaches.
struct RunAttach {
  std::string device;  ///< "cpu" or the GPU's name
  std::string torch_version;
  std::string settings_json;           ///< {"tf32_matmul":…,"tf32_cudnn":…,"cudnn_benchmark":…,"threads":…}
  std::string level;                   ///< level in force, if the engine reported it
  std::string cuda_version{};          ///< CUDA version of LibTorch: "13.0"; "" without CUDA
  std::optional<std::int64_t> rank{};  ///< rank in a distributed program; empty without a launcher
  std::optional<std::int64_t> world_size{};  ///< number of ranks
  std::optional<std::int64_t> local_rank{};  ///< rank among the processes of one machine
  std::string host{};                        ///< name of the machine; "" without a rank
};

/// Facts that the recorder knows when the program ends cleanly.
struct RunDetach {
  std::int64_t peak_bytes = 0;  ///< peak GPU memory; if no GPU was used, peak process memory minus that at the start
  std::int64_t wall_ns = 0;
  std::int64_t overhead_ns = 0;
  std::int64_t overhead_gpu_ns = 0;              ///< time in which GPUs worked for ampprof alone
  std::optional<std::int64_t> gpu_busy_ns = {};  ///< time in which any stream of a GPU was busy; empty: no GPU
};

/// The trial of `ampprof search` behind a run, and its result.
struct Trial {
  std::string policy;                ///< text of its policy file, "" for none
  std::string metric;                ///< "loss", "overflows", or an expression for the printed output
  std::optional<double> value = {};  ///< empty if the run failed or was stopped early

  bool operator==(const Trial&) const = default;
};

}  // namespace ampprof
