// SPDX-License-Identifier: Apache-2.0
// Python's C API is found in the process itself: ampprof is linked to no interpreter.
#include "profiler/source/python_line.h"

#include <dlfcn.h>

#include <memory>
#include <type_traits>

#include "profiler/source/user_code.h"

namespace ampprof::profiler {
namespace {

using Object = void;

struct Interpreter {
  int (*is_initialized)() = nullptr;
  int (*is_finalizing)() = nullptr;
  void* (*state_of_this_thread)() = nullptr;
  int (*take_lock)() = nullptr;
  void (*give_back_lock)(int) = nullptr;
  Object* (*current_frame)() = nullptr;           // borrowed
  Object* (*caller_of)(Object* frame) = nullptr;  // the rest return new references
  Object* (*code_of)(Object* frame) = nullptr;
  int (*line_of)(Object* frame) = nullptr;
  Object* (*attribute)(Object*, const char*) = nullptr;
  const char* (*text_of)(Object*) = nullptr;
  void (*add_reference)(Object*) = nullptr;
  void (*release)(Object*) = nullptr;
  void (*take_error)(Object**, Object**, Object**) = nullptr;
  void (*set_error)(Object*, Object*, Object*) = nullptr;

  bool find() {
    const auto look_up = [](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(RTLD_DEFAULT, name));
      return function != nullptr;
    };
    const bool tells_end = look_up(is_finalizing, "Py_IsFinalizing") || look_up(is_finalizing, "_Py_IsFinalizing");
    return tells_end && look_up(is_initialized, "Py_IsInitialized") &&
           look_up(state_of_this_thread, "PyGILState_GetThisThreadState") && look_up(take_lock, "PyGILState_Ensure") &&
           look_up(give_back_lock, "PyGILState_Release") && look_up(current_frame, "PyEval_GetFrame") &&
           look_up(caller_of, "PyFrame_GetBack") && look_up(code_of, "PyFrame_GetCode") &&
           look_up(line_of, "PyFrame_GetLineNumber") && look_up(attribute, "PyObject_GetAttrString") &&
           look_up(text_of, "PyUnicode_AsUTF8") && look_up(add_reference, "Py_IncRef") &&
           look_up(release, "Py_DecRef") && look_up(take_error, "PyErr_Fetch") && look_up(set_error, "PyErr_Restore");
  }
};

/// Null where there is none, or one older than 3.9. Looked for once, when the first line is asked for.
const Interpreter* interpreter() {
  static Interpreter found;
  static const bool is_complete = found.find();
  return is_complete && found.is_initialized() != 0 && found.is_finalizing() == 0 ? &found : nullptr;
}

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

/// Whatever fails in here is no error of the program's, and one that it is about to see stays what it is.
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

std::string file_of(const Interpreter& python, Object* frame) {
  const Owned code(python.code_of(frame), {&python});
  const Owned file(python.attribute(code.get(), "co_filename"), {&python});
  const char* text = file == nullptr ? nullptr : python.text_of(file.get());
  return text == nullptr ? "" : text;
}

std::string innermost_line(const Interpreter& python, const std::string& torch_folder) {
  std::string packages;
  Owned frame(python.current_frame(), {&python});
  python.add_reference(frame.get());  // which takes null too
  for (; frame != nullptr; frame.reset(python.caller_of(frame.get()))) {
    const std::string file = file_of(python, frame.get());
    const CodeOwner owner = owner_of_python_file(file, torch_folder);
    if (owner == CodeOwner::Machinery || (owner == CodeOwner::Package && !packages.empty())) continue;
    std::string line = file + ':' + std::to_string(python.line_of(frame.get()));
    if (owner == CodeOwner::User) return line;
    packages = std::move(line);
  }
  return packages;
}

}  // namespace

std::optional<std::string> python_line(const std::string& torch_folder) {
  const Interpreter* python = interpreter();
  if (python == nullptr) return std::nullopt;
  if (python->state_of_this_thread() == nullptr) return "";  // no thread of Python's
  const InterpreterLock lock(*python);
  const ErrorOfProgram error(*python);
  return innermost_line(*python, torch_folder);
}

}  // namespace ampprof::profiler
