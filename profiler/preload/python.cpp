// SPDX-License-Identifier: Apache-2.0
#include "profiler/preload/python.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <type_traits>

#include "profiler/preload/claim.h"

namespace ampprof::preload {
namespace {

constexpr int kFileInput = 257;  // Py_file_input

constexpr const char* kCode = R"(
import importlib.util
import sys
if "ampprof_hooks" not in sys.modules:
    spec = importlib.util.spec_from_file_location("ampprof_hooks", path)
    hooks = sys.modules["ampprof_hooks"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hooks)
    hooks.wait_for_torch()
)";

/// The functions of Python's C API that are called here, found in the process itself.
struct Python {
  using Object = void;
  int (*is_initialized)();
  int (*has_lock)();
  Object* (*new_dict)();
  Object* (*text)(const char*);
  int (*set_item)(Object* dict, const char* key, Object* value);
  Object* (*run)(const char* code, int start, Object* globals, Object* locals);
  void (*print_error)();
  void (*release)(Object*);

  bool find() {
    const auto look_up = [](const char* name, auto& function) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(RTLD_DEFAULT, name));
      return function != nullptr;
    };
    return look_up("Py_IsInitialized", is_initialized) && look_up("PyGILState_Check", has_lock) &&
           look_up("PyDict_New", new_dict) && look_up("PyUnicode_FromString", text) &&
           look_up("PyDict_SetItemString", set_item) && look_up("PyRun_String", run) &&
           look_up("PyErr_Print", print_error) && look_up("Py_DecRef", release);
  }

  /// Runs the file in a new namespace, so that the program's namespaces do not change.
  void run_hooks(const char* file) const {
    Object* names = new_dict();
    Object* path = text(file);
    set_item(names, "path", path);
    Object* result = run(kCode, kFileInput, names, names);
    if (result == nullptr) {
      std::fprintf(stderr, "ampprof: modules of the Python program will have no names, because of this error:\n");
      print_error();
    } else {
      release(result);
    }
    release(path);
    release(names);
  }
};

/// Layout of PyMethodDef, which is part of Python's stable ABI.
struct MethodDefinition {
  const char* name;
  Python::Object* (*function)(Python::Object* self, Python::Object* argument);
  int flags;
  const char* about;
};

constexpr int kNoArguments = 4, kOneArgument = 8;  // METH_NOARGS, METH_O

template <class Function>
Function found(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

Python::Object* new_none() {
  static Python::Object* const none = dlsym(RTLD_DEFAULT, "_Py_NoneStruct");
  static const auto hold = found<void (*)(Python::Object*)>("Py_IncRef");
  hold(none);
  return none;
}

Python::Object* call_begins(Python::Object* /*self*/, Python::Object* path) {
  static const auto number_of = found<long long (*)(Python::Object*)>("PyLong_AsLongLong");
  ampprof_scope_entered(number_of(path), /*is_call=*/1);
  return new_none();
}

Python::Object* call_ends(Python::Object* /*self*/, Python::Object* /*none*/) {
  ampprof_scope_left();
  return new_none();
}

}  // namespace

void hook_python() {
  static std::atomic<bool> done{false};
  if (done.load(std::memory_order_relaxed) || !is_recording_asked_for()) return;
  Python python{};
  if (!python.find() || python.is_initialized() == 0 || python.has_lock() == 0 || done.exchange(true)) return;
  python.run_hooks(python_hooks());
}

}  // namespace ampprof::preload

extern "C" __attribute__((visibility("default"))) void* ampprof_module_hooks() {
  using namespace ampprof::preload;
  static MethodDefinition begins{"call_begins", call_begins, kOneArgument, "Enters the module of this path."};
  static MethodDefinition ends{"call_ends", call_ends, kNoArguments, "Leaves it."};
  const auto new_function =
      found<Python::Object* (*)(MethodDefinition*, Python::Object*, Python::Object*)>("PyCFunction_NewEx");
  const auto new_tuple = found<Python::Object* (*)(std::intptr_t, ...)>("PyTuple_Pack");
  const auto release = found<void (*)(Python::Object*)>("Py_DecRef");
  Python::Object* const functions[]{new_function(&begins, nullptr, nullptr), new_function(&ends, nullptr, nullptr)};
  Python::Object* const both = new_tuple(2, functions[0], functions[1]);
  for (Python::Object* function : functions) release(function);
  return both;
}
