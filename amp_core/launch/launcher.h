// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>

/// Finds the rank of this process from the environment variables of launchers, for init() and for the profiler.
/// Header-only, since the profiler's preload stub links only libc and libstdc++.
namespace amp::parallel {

/// The environment variables that a launcher sets for each process.
struct Launcher {
  const char* name;
  const char* rank;                     ///< index of the process among all processes
  const char* world_size;               ///< the number of processes
  const char* local_rank;               ///< index of the process on its machine
  const char* local_world_size;         ///< the number of processes on its machine
  bool numbers_single_process = false;  ///< the launcher also numbers a process that runs alone
};

/// Supported launchers. The first one whose variables are set applies: torchrun and mpirun may run inside a Slurm job.
/// Slurm also numbers the shell of an allocation and a batch script, but sets the number of tasks only for processes
/// that srun started.
inline constexpr Launcher kLaunchers[]{
    {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"},
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},  // also set by Intel MPI
    {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE",
     /*numbers_single_process=*/true},
};

/// Returns the value of a variable from the first launcher that has set the variable, as in first_set(&Launcher::rank,
/// getenv); null if no launcher has. `value_of(name)` returns a value that stays valid, or null.
template <class ValueOf>
const char* first_set(const char* Launcher::*variable, ValueOf&& value_of) {
  for (const Launcher& launcher : kLaunchers) {
    const char* value = value_of(launcher.*variable);
    if (value != nullptr && *value != '\0') return value;
  }
  return nullptr;
}

/// Rank of a process in a distributed program; all members are empty for other processes.
struct RankIdentity {
  std::optional<std::int64_t> rank = {};
  std::optional<std::int64_t> world_size = {};
  std::optional<std::int64_t> local_rank = {};

  bool operator==(const RankIdentity&) const = default;
};

/// Parses an integer >= 0; returns empty for null and for any other text.
inline std::optional<std::int64_t> parse_rank_number(const char* value) {
  if (value == nullptr) return std::nullopt;
  std::int64_t number = 0;
  const char* last = value + std::strlen(value);
  const auto [end, error] = std::from_chars(value, last, number);
  return error == std::errc{} && end == last && number >= 0 ? std::optional(number) : std::nullopt;
}

/// Returns the first launcher that sets a rank; null if none does.
template <class ValueOf>
const Launcher* launcher_of(ValueOf&& value_of) {
  for (const Launcher& launcher : kLaunchers) {
    if (!parse_rank_number(value_of(launcher.rank))) continue;
    const bool is_alone = parse_rank_number(value_of(launcher.world_size)).value_or(1) <= 1;
    if (!launcher.numbers_single_process || !is_alone) return &launcher;
  }
  return nullptr;
}

/// Returns the rank of this process, from the variables of launcher_of().
template <class ValueOf>
RankIdentity place_of(ValueOf&& value_of) {
  const Launcher* launcher = launcher_of(value_of);
  if (launcher == nullptr) return {};
  return {parse_rank_number(value_of(launcher->rank)), parse_rank_number(value_of(launcher->world_size)),
          parse_rank_number(value_of(launcher->local_rank))};
}

/// Returns launcher, rank, world size and local rank as text, "torchrun 5 8 1"; "" if there is no launcher. If one
/// launcher runs inside another, their processes have different texts.
template <class ValueOf>
std::string rank_identity_text(ValueOf&& value_of) {
  const Launcher* launcher = launcher_of(value_of);
  if (launcher == nullptr) return "";
  std::string name = launcher->name;
  for (const char* variable : {launcher->rank, launcher->world_size, launcher->local_rank}) {
    const char* value = value_of(variable);
    name.append(" ").append(value == nullptr ? "-" : value);
  }
  return name;
}

/// Returns the name of this machine; "" if it has none.
inline std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace amp::parallel
