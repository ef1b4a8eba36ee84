// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace amp {

/// How amp_core reports to the user of a program. The default is for C++ programs.
struct Frontend {
  /// Prints a line.
  void (*print)(const std::string& line);
  /// Translates the names in a sentence into the program's language.
  std::string (*reword)(std::string sentence);
};

/// Applies to the whole process; set it before the first initialize().
void use_frontend(const Frontend& frontend);
const Frontend& frontend();

}  // namespace amp
