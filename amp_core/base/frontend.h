// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace amp {

/// Functions that bring amp_core's messages to the user of a program. The default suits C++ programs.
struct Frontend {
  /// Prints a line.
  void (*print)(const std::string& line);
  /// Replaces the C++ names in a sentence by those of the program's language, such as Python.
  std::string (*reword)(std::string sentence);
};

/// Sets the frontend of the whole process. Call it before the first initialize().
void use_frontend(const Frontend& frontend);
const Frontend& frontend();

}  // namespace amp
