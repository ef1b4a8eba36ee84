// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ampprof {

/// Something that the report does not hold, and what to do about it. Counts of the same `what` and `cause` add up.
struct Missing {
  std::string what;
  std::int64_t count = 0;
  std::string cause;
  std::string remedy;
};

/// `what` of a run whose GPUs could not be recorded at all.
inline constexpr const char* kAllGpuActivity = "all GPU activity";
/// `what` of a run that multiplies its loss by a tensor, as a GradScaler does, while nobody divides the gradients. A rule
/// of the diagnosis makes a finding of it.
inline constexpr const char* kUndividedGradients = "division of scaled gradients";

/// `what` of a run with a loss that is not multiplied by the loss scale that its gradients are divided by; likewise.
inline constexpr const char* kUnscaledLoss = "loss scale of a loss";

/// Holds what the command line knows of a run before the program starts.
struct RunStart {
  std::string level;                 ///< "O0".."O3", "" where the program decides
  std::string program;               ///< the command line, arguments quoted where needed
  std::string started_at;            ///< ISO 8601, UTC
  std::string reference;             ///< "fp32", "fp64" or "off"
  std::string target_gpu = "sm_90";  ///< the GPU that Tensor Core rules speak of
  std::optional<std::int64_t> seed;
  std::int32_t repeat = 0;  ///< 0 for the first
  std::string what_if{};    ///< type that each op was judged in: "fp16"; "" for the types of the run itself
  std::optional<double> assume_scale{};       ///< loss scale that the backward was judged at; with what_if only
  std::string ampprof_version{};              ///< of the program that records
  std::string ampprof_commit{};               ///< that it was built from; "" where nobody knows
  std::optional<std::int64_t> check_ranks{};  ///< parameters are checked in every Nth recorded step; empty: in none
  std::string flags{};                        ///< of `ampprof run`, as a shell reads them: "--impact --levels=O1"
  std::string folder{};                       ///< that the program was started in; "" where it records itself
};

/// Holds what the recorder inside the program knows when it attaches.
struct RunAttach {
  std::string device;  ///< "cpu" or the GPU's name
  std::string torch_version;
  std::string settings_json;           ///< {"tf32_matmul":…,"tf32_cudnn":…,"cudnn_benchmark":…,"threads":…}
  std::string level;                   ///< level in force, where the engine said so
  std::string cuda_version{};          ///< that LibTorch was built with: "13.0"; "" without CUDA
  std::optional<std::int64_t> rank{};  ///< of the process in a distributed program; empty where no launcher said
  std::optional<std::int64_t> world_size{};  ///< how many ranks there are
  std::optional<std::int64_t> local_rank{};  ///< among the processes of one machine
  std::string host{};                        ///< name of the machine; "" without a rank
};

/// Holds what the recorder knows when the program ends cleanly.
struct RunDetach {
  std::int64_t peak_bytes = 0;  ///< peak memory: of a program on a GPU there, else above the level after loading
  std::int64_t wall_ns = 0;
  std::int64_t overhead_ns = 0;
  std::int64_t overhead_gpu_ns = 0;              ///< in which GPUs worked for ampprof alone
  std::optional<std::int64_t> gpu_busy_ns = {};  ///< in which some stream of a GPU did something; empty: not seen
};

/// Tells what a run of `ampprof search` was a trial of, and what came out.
struct Trial {
  std::string policy;                ///< text of the policy file that it ran with, "" for none
  std::string metric;                ///< "loss", "overflows", or an expression of what the program prints
  std::optional<double> value = {};  ///< empty: it failed, or was stopped since it was past hope

  bool operator==(const Trial&) const = default;
};

}  // namespace ampprof
