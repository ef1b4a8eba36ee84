// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <vector>

namespace amp::parallel {

/// A group of ranks. All objects that communicate in a group share its ownership.
using ProcessGroup = c10::intrusive_ptr<c10d::ProcessGroup>;
/// A key-value store that ranks connect to, to find each other.
using Store = c10::intrusive_ptr<c10d::Store>;

/// Holds the options of init().
struct InitOptions {
  /// How long a rank waits for the other ranks before it throws Error, in init() and in each collective. The
  /// environment variable AMP_PARALLEL_TIMEOUT, in seconds, overrides it.
  std::chrono::milliseconds timeout = std::chrono::minutes(30);
  /// A file visible to all ranks that serves as the store, instead of a TCP store at MASTER_ADDR and MASTER_PORT. The
  /// file of an earlier run must be deleted first.
  std::string store_file = {};
};

/// Connects to the other ranks that torchrun, srun, mpirun or mpiexec started, and makes the group of all ranks: Gloo
/// for tensors on the CPU, NCCL for tensors on GPUs if there are any. Without a launcher, the group has one rank and
/// opens no connection, so that a program needs no changes.
///
/// Call it once, before the first wrapper is made. Throws Error with the ranks that do not connect in time.
void init(const InitOptions& options = {});

/// Returns whether init() has made the group of all ranks.
bool is_initialized();

/// Returns the rank of this process; 0 before init().
int rank();
/// Returns the rank of this process on its machine, which is the index of the GPU to use; 0 before init().
int local_rank();
/// Returns the number of processes; 1 before init().
int world_size();

/// Returns the group of all ranks. Throws Error before init().
ProcessGroup default_group();

/// Returns a new group of these ranks, which must be ascending and include this rank. Only these ranks call it. A
/// second call with the same ranks makes another group.
ProcessGroup new_group(const std::vector<int>& ranks);

/// Makes a group of `world_size` ranks that connect to a store. Each rank calls this function with its own rank. For
/// programs with a store of their own; init() and new_group() use it too.
ProcessGroup make_group(const Store& store, int rank, int world_size, const InitOptions& options = {});

/// Drops the group of init(): for programs that exit before the other ranks, and for tests.
void shutdown();

}  // namespace amp::parallel
