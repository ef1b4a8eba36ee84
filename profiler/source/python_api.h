// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace ampprof::profiler::python {

using Object = void;

/// The functions of Python's C API that ampprof calls, found in the process, since ampprof links no interpreter.
struct Interpreter {
  int (*is_initialized)() = nullptr;
  int (*is_finalizing)() = nullptr;
  void* (*state_of_this_thread)() = nullptr;
  int (*take_lock)() = nullptr;
  void (*give_back_lock)(int) = nullptr;
  Object* (*current_frame)() = nullptr;           // returns a borrowed reference
  Object* (*caller_of)(Object* frame) = nullptr;  // the functions from here on return new references
  Object* (*code_of)(Object* frame) = nullptr;
  int (*line_of)(Object* frame) = nullptr;
  Object* (*attribute)(Object*, const char*) = nullptr;
  const char* (*text_of)(Object*) = nullptr;
  void (*add_reference)(Object*) = nullptr;
  void (*release)(Object*) = nullptr;
  void (*take_error)(Object**, Object**, Object**) = nullptr;
  void (*set_error)(Object*, Object*, Object*) = nullptr;
  int (*instruction_of)(Object* frame) = nullptr;  ///< returns an offset in bytes; null before Python 3.11
  /// Sets lines (from 1) and columns (from 0); -1 if unknown. Returns 0 if it fails. The pointer is null before Python
  /// 3.11.
  int (*position_of)(Object* code, int instruction, int* line, int* column, int* end_line, int* end_column) = nullptr;
  const unsigned long* version = nullptr;  ///< encoded like PY_VERSION_HEX; null before Python 3.11

  /// Finds the functions with dlsym(). Returns false if a function is missing that all versions since 3.9 have.
  bool find();
};

/// Returns the interpreter of this process. Null if there is none, if it is older than 3.9, and while it is not
/// initialized or is finalizing. Searches for the functions only once.
const Interpreter* interpreter();

/// Holds the interpreter's lock.
class [[nodiscard]] InterpreterLock {
 public:
  explicit InterpreterLock(const Interpreter& python) : python_(python), before_(python.take_lock()) {}
  ~InterpreterLock() { python_.give_back_lock(before_); }
  InterpreterLock(const InterpreterLock&) = delete;
  InterpreterLock& operator=(const InterpreterLock&) = delete;

 private:
  const Interpreter& python_;
  int before_;
};

/// Saves the program's pending Python error, and restores it at the end of the scope. Drops errors raised in the scope.
class [[nodiscard]] ErrorOfProgram {
 public:
  explicit ErrorOfProgram(const Interpreter& python) : python_(python) { python.take_error(&type_, &value_, &trace_); }
  ~ErrorOfProgram() { python_.set_error(type_, value_, trace_); }
  ErrorOfProgram(const ErrorOfProgram&) = delete;
  ErrorOfProgram& operator=(const ErrorOfProgram&) = delete;

 private:
  const Interpreter& python_;
  Object* type_ = nullptr;
  Object* value_ = nullptr;
  Object* trace_ = nullptr;
};

struct Release {
  void operator()(Object* object) const { python->release(object); }
  const Interpreter* python;
};
using Owned = std::unique_ptr<Object, Release>;

}  // namespace ampprof::profiler::python
