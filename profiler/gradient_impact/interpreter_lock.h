// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::profiler {

/// Gives Python's interpreter lock back while it lives, where this thread holds it: the autograd engine refuses to be
/// called with it. Does nothing in a program without Python. Must die on its thread.
class [[nodiscard]] WithoutInterpreterLock {
 public:
  WithoutInterpreterLock();
  ~WithoutInterpreterLock();
  WithoutInterpreterLock(const WithoutInterpreterLock&) = delete;
  WithoutInterpreterLock& operator=(const WithoutInterpreterLock&) = delete;

 private:
  void* state_ = nullptr;  ///< of this thread; null where it held no lock
};

}  // namespace ampprof::profiler
