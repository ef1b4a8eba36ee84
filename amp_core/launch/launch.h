// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace amp::parallel {

/// The rank of a process among the processes that a launcher started together, and the address of the store through
/// which they connect.
struct Launch {
  std::string launcher;
  int rank = 0;
  int world_size = 1;
  int local_rank = 0;          ///< rank among the processes of its machine: selects the GPU
  std::string master_address;  ///< host of the TCP store
  int master_port = 0;
  bool has_store = false;  ///< the launcher hosts the store; false: rank 0 does
  int attempt = 0;         ///< number of times that the launcher has restarted the processes

  bool operator==(const Launch&) const = default;
};

/// Returns the value of an environment variable; null if it is not set.
using Environment = std::function<const char*(const char* name)>;

/// Reads the variables of torchrun, Open MPI, MPICH and Intel MPI, or srun for this process; empty if there are none.
/// Throws Error for an invalid number, for a rank that is not below the world size, and for ranks on several machines
/// if no variable has the address of the store.
///
/// Without `MASTER_ADDR` the store is on the first machine of a Slurm step or, if all ranks are on one machine, on the
/// loopback. Without `MASTER_PORT` the port is derived from the ids of the Slurm job and step or, outside Slurm, from
/// `parent`, the id of the process that started the ranks.
std::optional<Launch> find_launch(const Environment& environment, int parent);

/// Returns the first machine of a Slurm host list: "n07" for "n[07-09,12],m1".
std::string first_host(std::string_view slurm_list);

}  // namespace amp::parallel
