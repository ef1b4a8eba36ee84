// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>

#include <cstdlib>
#include <exception>
#include <functional>
#include <thread>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <vector>

#include "amp_core/amp.h"
#include "amp_core/parallel/process_group.h"

namespace amp::parallel {

/// Calls initialize() once, so that its registrations with LibTorch are made before other threads run ops.
inline void set_up_once() {
  static const bool done = [] {
    torch::nn::Linear model(1, 1);
    torch::optim::SGD optimizer(model->parameters(), 0.1);
    amp::initialize(model, optimizer, {.opt_level = "O1", .verbosity = 0});
    amp::shutdown();
    return true;
  }();
  static_cast<void>(done);
}

/// Runs `body` on one thread for each rank. Each thread has its own engine; all threads are in one Gloo group
/// over the loopback. Throws the exception of the lowest rank that threw.
inline void on_ranks(int world_size, const std::function<void(const ProcessGroup& group, int rank)>& body) {
  setenv("GLOO_SOCKET_IFNAME", "lo", /*overwrite=*/1);
  // Disables c10d's flight recorder, because the process has only one, which does not support threads.
  setenv("TORCH_FR_BUFFER_SIZE", "0", /*overwrite=*/1);
  set_up_once();
  const Store store = c10::make_intrusive<c10d::HashStore>();
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(world_size));
  const auto run = [&](int rank) {
    try {
      body(make_group(store, rank, world_size, {.timeout = std::chrono::seconds(60)}), rank);
    } catch (...) {
      thrown[static_cast<std::size_t>(rank)] = std::current_exception();
    }
    amp::shutdown();
  };
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < world_size; ++rank) ranks.emplace_back(run, rank);
  for (std::thread& rank : ranks) rank.join();
  for (const auto& each : thrown) {
    if (each) std::rethrow_exception(each);
  }
}

}  // namespace amp::parallel
