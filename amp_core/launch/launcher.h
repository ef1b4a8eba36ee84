// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>

/// Tells which process of a distributed program this is, as launchers say it: for init() and for the profiler. Headers
/// alone, since the profiler's preload stub links libc and libstdc++ only.
namespace amp::parallel {

/// Names the variables in which a launcher tells a process its place.
struct Launcher {
  const char* name;
  const char* rank;                     ///< its number among all processes
  const char* world_size;               ///< how many there are
  const char* local_rank;               ///< its number among the processes of one machine
  const char* local_world_size;         ///< how many these are
  bool numbers_single_process = false;  ///< it sets them for a process that is no part of a distributed program, too
};

/// The first that is set counts: torchrun may run inside a Slurm job, and so may mpirun. Slurm numbers the shell of an
/// allocation and a batch script as well; how many there are is said in what srun started alone.
inline constexpr Launcher kLaunchers[]{
    {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"},
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},  // and Intel MPI
    {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE",
     /*numbers_single_process=*/true},
};

/// Returns the value of a variable of the first launcher that has set it, as in first_set(&Launcher::rank, getenv);
/// null where none has. `value_of(name)` returns a value that lasts, or null.
template <class ValueOf>
const char* first_set(const char* Launcher::*variable, ValueOf&& value_of) {
  for (const Launcher& launcher : kLaunchers) {
    const char* value = value_of(launcher.*variable);
    if (value != nullptr && *value != '\0') return value;
  }
  return nullptr;
}

/// Holds the place of a process in a distributed program; all empty where it is in none.
struct RankIdentity {
  std::optional<std::int64_t> rank = {};
  std::optional<std::int64_t> world_size = {};
  std::optional<std::int64_t> local_rank = {};

  bool operator==(const RankIdentity&) const = default;
};

/// Returns the number from 0 on that a variable's value is; nothing for another text, or null.
inline std::optional<std::int64_t> number_told(const char* value) {
  if (value == nullptr) return std::nullopt;
  std::int64_t number = 0;
  const char* last = value + std::strlen(value);
  const auto [end, error] = std::from_chars(value, last, number);
  return error == std::errc{} && end == last && number >= 0 ? std::optional(number) : std::nullopt;
}

/// Returns the first launcher that tells a rank; null where none does.
template <class ValueOf>
const Launcher* launcher_of(ValueOf&& value_of) {
  for (const Launcher& launcher : kLaunchers) {
    if (!number_told(value_of(launcher.rank))) continue;
    const bool is_alone = number_told(value_of(launcher.world_size)).value_or(1) <= 1;
    if (!launcher.numbers_single_process || !is_alone) return &launcher;
  }
  return nullptr;
}

/// Returns the place that the first launcher with a rank tells.
template <class ValueOf>
RankIdentity place_of(ValueOf&& value_of) {
  const Launcher* launcher = launcher_of(value_of);
  if (launcher == nullptr) return {};
  return {number_told(value_of(launcher->rank)), number_told(value_of(launcher->world_size)),
          number_told(value_of(launcher->local_rank))};
}

/// Returns what tells that place from any other that a launcher around or inside it gives: "torchrun 5 8 1"; "" where
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

/// Returns the name of this machine; "" where it has none.
inline std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace amp::parallel
