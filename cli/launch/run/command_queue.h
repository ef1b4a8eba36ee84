// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <queue>
#include <string>
#include <thread>

#include "cli/launch/run/environment.h"

namespace ampprof::cli {

/// Runs shell commands in the background, one after another, in the order of their arrival.
class CommandQueue {
 public:
  CommandQueue() = default;
  /// Waits until all commands have ended. Prints a remark on stderr if that takes long.
  ~CommandQueue();
  CommandQueue(const CommandQueue&) = delete;
  CommandQueue& operator=(const CommandQueue&) = delete;

  /// Adds a command. It has no input, and its output goes to stderr.
  void add(std::string command, Environment environment);

 private:
  struct Waiting {
    std::string command;
    Environment environment;
  };
  void run_all();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<Waiting> waiting_;  ///< the front one is running
  bool is_closed_ = false;
  std::thread worker_;  ///< started by the first add()
};

}  // namespace ampprof::cli
