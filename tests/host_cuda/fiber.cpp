// SPDX-License-Identifier: Apache-2.0
#undef _FORTIFY_SOURCE  // its longjmp() rejects jumps to another fiber's stack
#include "tests/host_cuda/fiber.h"

#include <cstdint>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#else
// Only AddressSanitizer needs these functions.
inline void __sanitizer_start_switch_fiber(void**, const void*, std::size_t) {}
inline void __sanitizer_finish_switch_fiber(void*, const void**, std::size_t*) {}
#endif

namespace ampprof::host_cuda {
namespace {

constexpr std::size_t kStack = 64 * 1024;

}  // namespace

void Fiber::start(std::function<void()> work) {
  work_ = std::move(work);
  has_begun_ = has_ended_ = false;
}

// Starts the work with a context, but switches with jumps, because switching contexts makes a system call for the
// signal mask.
void Fiber::resume() {
  if (!stack_) stack_ = std::make_unique_for_overwrite<std::byte[]>(kStack);
  if (_setjmp(outside_) == 0) {
    __sanitizer_start_switch_fiber(&fake_outside_, stack_.get(), kStack);
    if (has_begun_) _longjmp(inside_, 1);
    has_begun_ = true;
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = stack_.get();
    context.uc_stack.ss_size = kStack;
    context.uc_link = nullptr;
    const auto address = reinterpret_cast<std::uintptr_t>(this);
    makecontext(&context, reinterpret_cast<void (*)()>(&Fiber::begin), 2, static_cast<unsigned>(address >> 32),
                static_cast<unsigned>(address));
    setcontext(&context);
  }
  __sanitizer_finish_switch_fiber(fake_outside_, nullptr, nullptr);
}

/// The function that a context starts can only take ints, so the address is split.
void Fiber::begin(unsigned high, unsigned low) {
  auto& fiber = *reinterpret_cast<Fiber*>(static_cast<std::uintptr_t>(high) << 32 | low);
  __sanitizer_finish_switch_fiber(nullptr, &fiber.outside_stack_, &fiber.outside_size_);
  fiber.work_();
  fiber.has_ended_ = true;
  fiber.jump_out();
}

void Fiber::leave() {
  if (_setjmp(inside_) == 0) jump_out();
  __sanitizer_finish_switch_fiber(fake_inside_, &outside_stack_, &outside_size_);
}

void Fiber::jump_out() {
  __sanitizer_start_switch_fiber(has_ended_ ? nullptr : &fake_inside_, outside_stack_, outside_size_);
  _longjmp(outside_, 1);
}

}  // namespace ampprof::host_cuda
