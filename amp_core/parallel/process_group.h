// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <vector>

namespace amp::parallel {

/// A group of ranks, shared by all that communicate in it.
using ProcessGroup = c10::intrusive_ptr<c10d::ProcessGroup>;
/// A place where ranks meet.
using Store = c10::intrusive_ptr<c10d::Store>;

/// Holds the options of init().
struct InitOptions {
  /// How long a rank waits for the others, in init() and in each collective, before that is an error. The environment
  /// variable AMP_PARALLEL_TIMEOUT, in seconds, overrides it.
  std::chrono::milliseconds timeout = std::chrono::minutes(30);
  /// A file visible to all ranks, where they meet instead of at MASTER_ADDR and MASTER_PORT. The file of an earlier run
  /// must be deleted first.
  std::string store_file = {};
};

/// Meets the other ranks that torchrun, srun, mpirun or mpiexec started, and makes the group of them all: Gloo for
/// tensors on the CPU, NCCL for those on GPUs if there are any. If no launcher started the process it is a group of
/// one, so that a program is the same with and without one; then nothing is opened or sent.
///
/// Call it once, before the first wrapper is made. Throws Error naming a rank that does not come in time.
void init(const InitOptions& options = {});

/// Returns whether init() has made the group of all ranks.
bool is_initialized();

/// Returns the number of this process among all; 0 before init().
int rank();
/// The number of this process among those of its machine: the index of the GPU to use; 0 before init().
int local_rank();
/// The number of processes; 1 before init().
int world_size();

/// Returns the group of all ranks. Throws Error before init().
ProcessGroup default_group();

/// Returns the group of these ranks, ascending, of which this must be one. Only they call it. A second call with the
/// same ranks makes another group.
ProcessGroup new_group(const std::vector<int>& ranks);

/// Makes a group of `world_size` ranks that meet in a store, each of which calls this with its number. For programs
/// that bring a store of their own; init() and new_group() use it too.
ProcessGroup make_group(const Store& store, int rank, int world_size, const InitOptions& options = {});

/// Drops the group of init(): for programs that leave before others do, and for tests.
void shutdown();

}  // namespace amp::parallel
