// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ucontext.h>

#include <csetjmp>
#include <cstddef>
#include <functional>
#include <memory>

namespace ampprof::host_cuda {

/// Runs a function on its own stack, so that it can be left in the middle and resumed. Only one thread may use a fiber.
class Fiber {
 public:
  /// Sets the work. The first resume() begins it.
  void start(std::function<void()> work);
  /// Runs the work until it calls leave() or returns. Must not be called inside a fiber.
  void resume();
  /// Returns to the caller of resume(). Only the work itself may call it.
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
  // Data of AddressSanitizer for the two stacks.
  void* fake_inside_ = nullptr;
  void* fake_outside_ = nullptr;
  const void* outside_stack_ = nullptr;
  std::size_t outside_size_ = 0;
};

}  // namespace ampprof::host_cuda
