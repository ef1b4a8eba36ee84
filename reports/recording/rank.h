// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Which process of a distributed program this is, as launchers tell it: torchrun; Open MPI; MPICH and Intel MPI;
/// Slurm. Headers alone, since the preload stub links libc and libstdc++ only.
namespace ampprof::recording {

/// A process's number among all. The first that is set counts: torchrun may run inside a Slurm job, and so may mpirun.
inline constexpr const char* kRankVariables[]{"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"};
/// Its number among the processes of one machine.
inline constexpr const char* kLocalRankVariables[]{"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                                   "SLURM_LOCALID"};

/// Returns the value of the first of `names` that is set; null where none is. `value_of(name)` returns a value that
/// lasts, or null.
template <class Names, class ValueOf>
const char* first_set(const Names& names, ValueOf&& value_of) {
  for (const char* name : names) {
    const char* value = value_of(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return nullptr;
}

}  // namespace ampprof::recording
