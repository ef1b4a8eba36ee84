// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "amp_core/levels/error.h"

namespace apex {

/// Returns an error message of amp_core with the names that a Python script knows: "amp.initialize" for
/// "amp::initialize".
std::string in_python_names(std::string sentence);

/// Runs `call`, and rethrows amp_core's errors as std::runtime_error, which Python shows as RuntimeError.
template <class Call>
auto translated(Call&& call) {
  try {
    return std::forward<Call>(call)();
  } catch (const amp::Error& error) {
    throw std::runtime_error(in_python_names(error.what()));
  }
}

/// Prints a line to Python's `sys.stdout`, which notebooks and tests capture, or to std::cout in a process without
/// Python.
void print_to_python(const std::string& line);

}  // namespace apex
