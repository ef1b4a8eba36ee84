// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace amp::parallel {

/// The place of a process among those that a launcher started together, and their meeting place.
struct Launch {
  std::string launcher;
  int rank = 0;
  int world_size = 1;
  int local_rank = 0;          ///< among the processes of its machine: selects the GPU
  std::string master_address;  ///< host of the TCP store
  int master_port = 0;
  bool has_store = false;  ///< the launcher keeps the store itself; else rank 0 does
  int attempt = 0;         ///< restarts of the group before this one

  bool operator==(const Launch&) const = default;
};

/// Returns the value of an environment variable; null if it is not set.
using Environment = std::function<const char*(const char* name)>;

/// Reads the variables of torchrun, Open MPI, MPICH and Intel MPI, or srun for this process; empty if there are none.
/// Throws Error for an invalid number, for a rank that does not fit the world size, and for ranks of several machines
/// without a meeting place.
///
/// Without `MASTER_ADDR` ranks meet on the first machine of a Slurm step or, if all are on one machine, on the
/// loopback. Without `MASTER_PORT` the port is derived from the job's number or from `parent`, the process that started
/// them.
std::optional<Launch> find_launch(const Environment& environment, int parent);

/// Returns the first machine of a Slurm list: "n07" for "n[07-09,12],m1".
std::string first_host(std::string_view slurm_list);

}  // namespace amp::parallel
