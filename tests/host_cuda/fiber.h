// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ucontext.h>

#include <csetjmp>
#include <cstddef>
#include <functional>
#include <memory>

namespace ampprof::host_cuda {

/// A function with a stack of its own, which can be left in the middle and gone on with. Used by one thread at a time.
class Fiber {
 public:
  /// Sets what the first resume() begins.
  void start(std::function<void()> work);
  /// Goes on with the work until it calls leave() or returns. Not from inside a fiber.
  void resume();
  /// Returns to who called resume(). Only from the work itself.
  void leave();

 private:
  static void begin(unsigned high, unsigned low);
  void jump_out();

  std::function<void()> work_;
  std::unique_ptr<std::byte[]> stack_;
  bool has_begun_ = false;
  bool has_ended_ = false;
  std::jmp_buf inside_;
  std::jmp_buf outside_;
  // What AddressSanitizer wants to know of the two stacks.
  void* fake_inside_ = nullptr;
  void* fake_outside_ = nullptr;
  const void* outside_stack_ = nullptr;
  std::size_t outside_size_ = 0;
};

}  // namespace ampprof::host_cuda
