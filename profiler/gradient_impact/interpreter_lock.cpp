// SPDX-License-Identifier: Apache-2.0
// Python's C API is found in the process itself: ampprof is linked to no interpreter.
#include "profiler/gradient_impact/interpreter_lock.h"

#include <dlfcn.h>

namespace ampprof::profiler {
namespace {

struct LockOfInterpreter {
  int (*is_initialized)() = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "Py_IsInitialized"));
  int (*has_lock)() = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "PyGILState_Check"));
  void* (*give_back)() = reinterpret_cast<void* (*)()>(dlsym(RTLD_DEFAULT, "PyEval_SaveThread"));
  void (*take)(void*) = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_DEFAULT, "PyEval_RestoreThread"));

  bool is_there() const { return is_initialized && has_lock && give_back && take && is_initialized() != 0; }
};

const LockOfInterpreter& lock_of_interpreter() {
  static const LockOfInterpreter found;
  return found;
}

}  // namespace

WithoutInterpreterLock::WithoutInterpreterLock() {
  if (lock_of_interpreter().is_there() && lock_of_interpreter().has_lock() != 0)
    state_ = lock_of_interpreter().give_back();
}

WithoutInterpreterLock::~WithoutInterpreterLock() {
  if (state_ != nullptr) lock_of_interpreter().take(state_);
}

}  // namespace ampprof::profiler
