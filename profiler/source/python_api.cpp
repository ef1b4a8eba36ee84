// SPDX-License-Identifier: Apache-2.0
#include "profiler/source/python_api.h"

#include <dlfcn.h>

#include <type_traits>

namespace ampprof::profiler::python {

bool Interpreter::find() {
  const auto look_up = [](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(RTLD_DEFAULT, name));
    return function != nullptr;
  };
  look_up(instruction_of, "PyFrame_GetLasti");
  look_up(position_of, "PyCode_Addr2Location");
  look_up(version, "Py_Version");
  const bool tells_end = look_up(is_finalizing, "Py_IsFinalizing") || look_up(is_finalizing, "_Py_IsFinalizing");
  return tells_end && look_up(is_initialized, "Py_IsInitialized") &&
         look_up(state_of_this_thread, "PyGILState_GetThisThreadState") && look_up(take_lock, "PyGILState_Ensure") &&
         look_up(give_back_lock, "PyGILState_Release") && look_up(current_frame, "PyEval_GetFrame") &&
         look_up(caller_of, "PyFrame_GetBack") && look_up(code_of, "PyFrame_GetCode") &&
         look_up(line_of, "PyFrame_GetLineNumber") && look_up(attribute, "PyObject_GetAttrString") &&
         look_up(text_of, "PyUnicode_AsUTF8") && look_up(add_reference, "Py_IncRef") && look_up(release, "Py_DecRef") &&
         look_up(take_error, "PyErr_Fetch") && look_up(set_error, "PyErr_Restore");
}

const Interpreter* interpreter() {
  static Interpreter found;
  static const bool is_complete = found.find();
  return is_complete && found.is_initialized() != 0 && found.is_finalizing() == 0 ? &found : nullptr;
}

}  // namespace ampprof::profiler::python
