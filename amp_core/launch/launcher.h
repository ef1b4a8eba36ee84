// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>

/// Finds the place of this process in a distributed program from launchers' variables, for init() and for the profiler.
/// It has only headers, since the profiler's preload stub links only libc and libstdc++.
namespace amp::parallel {

/// The variables with which a launcher tells a process its place.
struct Launcher {
  const char* name;
  const char* rank;                     ///< its number among all processes
  const char* world_size;               ///< the number of processes
  const char* local_rank;               ///< its number among the processes of one machine
  const char* local_world_size;         ///< the number of processes of one machine
  bool numbers_single_process = false;  ///< it also sets them for a process outside a distributed program
};

/// The first launcher whose variables are set counts: torchrun may run inside a Slurm job, and so may mpirun. Slurm
/// also numbers the shell of an allocation and a batch script, but sets the number of tasks only for processes that
/// srun started.
inline constexpr Launcher kLaunchers[]{
    {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"},
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},  // and Intel MPI
    {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE",
     /*numbers_single_process=*/true},
};

/// Returns the value of a variable of the first launcher that has set it, as in first_set(&Launcher::rank, getenv);
/// null if none has. `value_of(name)` returns a value that stays valid, or null.
template <class ValueOf>
const char* first_set(const char* Launcher::*variable, ValueOf&& value_of) {
  for (const Launcher& launcher : kLaunchers) {
    const char* value = value_of(launcher.*variable);
    if (value != nullptr && *value != '\0') return value;
  }
  return nullptr;
}

/// Place of a process in a distributed program; all empty outside of one.
struct RankIdentity {
  std::optional<std::int64_t> rank = {};
  std::optional<std::int64_t> world_size = {};
  std::optional<std::int64_t> local_rank = {};

  bool operator==(const RankIdentity&) const = default;
};

/// Returns the value of a variable as a number from 0 on; empty for other texts and null.
inline std::optional<std::int64_t> number_told(const char* value) {
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
    if (!number_told(value_of(launcher.rank))) continue;
    const bool is_alone = number_told(value_of(launcher.world_size)).value_or(1) <= 1;
    if (!launcher.numbers_single_process || !is_alone) return &launcher;
  }
  return nullptr;
}

/// Returns the place given by the first launcher with a rank.
template <class ValueOf>
RankIdentity place_of(ValueOf&& value_of) {
  const Launcher* launcher = launcher_of(value_of);
  if (launcher == nullptr) return {};
  return {number_told(value_of(launcher->rank)), number_told(value_of(launcher->world_size)),
          number_told(value_of(launcher->local_rank))};
}

/// Returns a text that distinguishes the place from that of a launcher around or inside it: "torchrun 5 8 1"; "" if
/// there is none.
template <class ValueOf>
std::string name_of_place(ValueOf&& value_of) {
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
