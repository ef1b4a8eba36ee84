// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <vector>

namespace amp::parallel {

using ProcessGroup = c10::intrusive_ptr<c10d::ProcessGroup>;
using Store = c10::intrusive_ptr<c10d::Store>;

struct InitOptions {
  /// How long a rank waits for the others, when they meet and in each collective, before that is an error. The
  /// environment variable AMP_PARALLEL_TIMEOUT, in seconds, beats it.
  std::chrono::milliseconds timeout = std::chrono::minutes(30);
  /// A file that all ranks see, where they meet instead of at MASTER_ADDR and MASTER_PORT; one of a former run must be
  /// gone.
  std::string store_file = {};
};

/// Meets the other ranks that torchrun, srun, mpirun or mpiexec started (launch.h), and makes the group of them all:
/// Gloo for tensors on the CPU, NCCL for those on GPUs where there are any. Where no launcher started the process it is
/// a group of one, so that a program is the same with and without one; then nothing is opened or sent.
///
/// Throws Error where a rank does not come within the time, and names it. To be called once, before the first
/// wrapper is made.
void init(const InitOptions& options = {});

bool is_initialized();

/// The number of this process among all; 0 before init().
int rank();
/// Among those of its machine: the GPU to take.
int local_rank();
int world_size();

/// Returns the group of all ranks. Throws Error before init().
ProcessGroup default_group();

/// Returns the group of these ranks, rising, of which this must be one. Only they call it; a group that is asked for
/// again is another one.
ProcessGroup new_group(const std::vector<int>& ranks);

/// Makes a group of `world_size` ranks that meet in a store, each of which calls this with its number. What init() and
/// new_group() are made of, for programs that bring a store of their own.
ProcessGroup make_group(const Store& store, int rank, int world_size, const InitOptions& options = {});

/// Forgets the group of init(): for programs that leave before others do, and for tests.
void shutdown();

}  // namespace amp::parallel
