// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/run/command_queue.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <utility>

#include "cli/launch/run/child.h"

namespace ampprof::cli {
namespace {

constexpr std::chrono::seconds kLong{2};

}  // namespace

CommandQueue::~CommandQueue() {
  if (!worker_.joinable()) return;
  {
    std::unique_lock lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
    if (!changed_.wait_for(lock, kLong, [&] { return waiting_.empty(); })) {
      fmt::print(stderr, "ampprof: waiting for the command of --on-event\n");
    }
  }
  worker_.join();
}

void CommandQueue::add(std::string command, Environment environment) {
  const std::lock_guard lock(mutex_);
  waiting_.push({std::move(command), std::move(environment)});
  changed_.notify_all();
  if (!worker_.joinable()) worker_ = std::thread([this] { run_all(); });
}

void CommandQueue::run_all() {
  std::unique_lock lock(mutex_);
  while (true) {
    // Uses wait_for(), because wait() without a time limit needs the libstdc++ of GCC 12 (GLIBCXX_3.4.30), which RHEL 9
    // lacks.
    while (!changed_.wait_for(lock, kLong, [&] { return is_closed_ || !waiting_.empty(); })) {
    }
    if (waiting_.empty()) return;
    const Waiting& next = waiting_.front();  // add() moves no element
    lock.unlock();
    if (!run_shell(next.command, next.environment)) {
      fmt::print(stderr, "ampprof: --on-event: cannot start the shell\n");
    }
    lock.lock();
    waiting_.pop();
    changed_.notify_all();
  }
}

}  // namespace ampprof::cli
