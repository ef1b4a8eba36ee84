// SPDX-License-Identifier: Apache-2.0
#include "profiler/source/python_line.h"

#include <array>
#include <functional>
#include <unordered_set>
#include <utility>

#include "profiler/source/python_api.h"
#include "profiler/source/python_stack.h"
#include "profiler/source/user_code.h"

namespace ampprof::profiler {
namespace {

using python::Interpreter;
using python::Object;
using python::Owned;

std::string text_of(const Interpreter& python, Object* code, const char* attribute) {
  const Owned value(python.attribute(code, attribute), {&python});
  const char* text = value == nullptr ? nullptr : python.text_of(value.get());
  return text == nullptr ? "" : text;
}

/// Keeps the code object alive until the process ends.
void keep(const Interpreter& python, Object* code) {
  static std::unordered_set<const Object*> kept;  // guarded by the interpreter's lock
  if (kept.insert(code).second) python.add_reference(code);
}

/// Returns the hash `path` extended by the frame's current expression, which is identified by its lines and columns.
/// The current instruction would not identify the expression: the interpreter moves a call to another instruction when
/// it specializes the call.
std::uint64_t with_frame(std::uint64_t path, const Interpreter& python, Object* frame, Object* code) {
  std::array<int, 4> position{};
  auto& [line, column, end_line, end_column] = position;
  python.position_of(code, python.instruction_of(frame), &line, &column, &end_line, &end_column);
  path ^= std::hash<std::string>{}(text_of(python, code, "co_name"));
  for (const int number : position) path = (path ^ static_cast<std::uint64_t>(number)) * 0x9E3779B97F4A7C15ull + 1;
  return path ^ path >> 32;
}

PythonPlace innermost_place(const Interpreter& python, const std::string& torch_folder) {
  PythonPlace found;
  std::uint64_t path = 0;
  bool is_users = false;
  Owned frame(python.current_frame(), {&python});
  python.add_reference(frame.get());  // null is allowed
  for (; frame != nullptr; frame.reset(python.caller_of(frame.get()))) {
    const Owned code(python.code_of(frame.get()), {&python});
    keep(python, code.get());
    if (python.position_of != nullptr && python.instruction_of != nullptr) {
      path = with_frame(path, python, frame.get(), code.get());
    }
    if (is_users) continue;
    const std::string file = text_of(python, code.get(), "co_filename");
    const CodeOwner owner = owner_of_python_file(file, torch_folder);
    if (owner == CodeOwner::Machinery || (owner == CodeOwner::Package && !found.line.empty())) continue;
    is_users = owner == CodeOwner::User;
    found = {.line = lasting_name_of(file) + ':' + std::to_string(python.line_of(frame.get())), .path = path};
  }
  found.stack = path;
  return found;
}

}  // namespace

std::optional<PythonPlace> python_place(const std::string& torch_folder) {
  const Interpreter* python = python::interpreter();
  if (python == nullptr) return std::nullopt;
  if (python->state_of_this_thread() == nullptr) return PythonPlace{};  // this thread does not run Python
  const python::InterpreterLock lock(*python);
  const python::ErrorOfProgram error(*python);
  learn_python_frames(*python);
  return innermost_place(*python, torch_folder);
}

}  // namespace ampprof::profiler
