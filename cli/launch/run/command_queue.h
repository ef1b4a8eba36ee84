// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <queue>
#include <string>
#include <thread>

#include "cli/launch/run/environment.h"

namespace ampprof::cli {

/// Runs shell commands beside us, one after another, in the order in which they came.
class CommandQueue {
 public:
  CommandQueue() = default;
  /// Waits until all have ended. Says so on stderr where that takes long.
  ~CommandQueue();
  CommandQueue(const CommandQueue&) = delete;
  CommandQueue& operator=(const CommandQueue&) = delete;

  /// Adds a command. What it prints goes to stderr, and it has nothing to read.
  void add(std::string command, Environment environment);

 private:
  struct Waiting {
    std::string command;
    Environment environment;
  };
  void run_all();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<Waiting> waiting_;  ///< the first is the one that runs
  bool is_closed_ = false;
  std::thread worker_;  ///< from the first command on
};

}  // namespace ampprof::cli
