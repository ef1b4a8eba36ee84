// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace amp::parallel {

/// Where a process stands among those that a launcher started together, and where they meet.
struct Launch {
  std::string launcher;
  int rank = 0;
  int world_size = 1;
  int local_rank = 0;          ///< among those of its machine: which GPU it takes
  std::string master_address;  ///< host of the TCP store
  int master_port = 0;
  bool has_store = false;  ///< the launcher keeps the store itself; else rank 0 does
  int attempt = 0;         ///< restarts of the group before this one

  bool operator==(const Launch&) const = default;
};

/// Returns the value of an environment variable, null where it is not set.
using Environment = std::function<const char*(const char* name)>;

/// Reads what torchrun, Open MPI, MPICH and Intel MPI, or srun say of this process; none of them: nothing. Throws Error
/// where a number is none, where rank and world size do not fit, or where the ranks of several machines are not told
/// where to meet.
///
/// Without `MASTER_ADDR` ranks meet on the first machine of a Slurm step, or, where all are on one machine, on the
/// loopback; without `MASTER_PORT` at a port made from the job's number or from `parent`, the process that started
/// them.
std::optional<Launch> find_launch(const Environment& environment, int parent);

/// Returns the first machine of a Slurm list: "n07" of "n[07-09,12],m1".
std::string first_host(std::string_view slurm_list);

}  // namespace amp::parallel
