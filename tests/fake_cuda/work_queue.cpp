// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_cuda/work_queue.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "tests/fake_cuda/settings.h"

namespace fake_cuda::work {
namespace {

class Queue {
 public:
  Queue() {
    std::thread([this] { serve(); }).detach();
  }

  Ticket give(Work work) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(work));
    given_.notify_one();
    return ++last_given_;
  }

  bool is_done(Ticket ticket) {
    const std::lock_guard lock(mutex_);
    return ticket <= last_done_;
  }

  void wait_for(Ticket ticket) {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return ticket <= last_done_; });
  }

  Ticket last_given() {
    const std::lock_guard lock(mutex_);
    return last_given_;
  }

 private:
  void serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      given_.wait(lock, [&] { return !waiting_.empty(); });
      const Work work = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      if (settings().lag.count() > 0) std::this_thread::sleep_for(settings().lag);
      if (work) work();
      lock.lock();
      ++last_done_;
      done_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable given_;
  std::condition_variable done_;
  std::deque<Work> waiting_;
  Ticket last_given_ = 0;
  Ticket last_done_ = 0;
};

Queue& queue() {
  static Queue& only = *new Queue;  // never destroyed: its thread outlives the program's destructors
  return only;
}

}  // namespace

Ticket give(Work work) { return queue().give(std::move(work)); }
bool is_done(Ticket ticket) { return queue().is_done(ticket); }
void wait_for(Ticket ticket) { queue().wait_for(ticket); }
void wait_for_all() { queue().wait_for(queue().last_given()); }

}  // namespace fake_cuda::work
