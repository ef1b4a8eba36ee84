// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ampprof::profiler {

/// Whose code it is. A line is wanted of the user's; of a package's only where the user has none on the way.
enum class CodeOwner { User, Package, Machinery };

/// Returns whose a Python file is. `torch_folder`: the package torch itself, which may lie outside of site-packages.
/// Machinery is torch, what it generates, the standard library, and ampprof's hooks. A package's is what was installed,
/// and what the program generates: temporary files, and strings, unless the program itself is one (`python -c`). `file`
/// is a code object's co_filename.
CodeOwner owner_of_python_file(std::string_view file, std::string_view torch_folder);

/// Returns the name by which runs can be compared: of a notebook's cell "<cell 1234>", where Python has
/// "/tmp/ipykernel_77/1234.py", the number of the process and a hash of the cell's text. Of other files `file`.
std::string lasting_name_of(const std::string& file);

/// Returns whether `words` start Python with a program of the user's in `-c`; `multiprocessing` starts its own like
/// that.
bool is_program_in_command(std::span<const std::string> words);

/// Returns whose the object file (executable or shared library) is that native code lies in. LibTorch, ampprof and what
/// the system brings are machinery.
CodeOwner owner_of_object(std::string_view file);

/// Returns whose a C++ source file is: headers of LibTorch, of amp_core and of the system, of which code is inlined
/// everywhere, are machinery.
CodeOwner owner_of_cpp_file(std::string_view file);

/// Returns whether a function, by its demangled name, is one that headers of LibTorch or of the standard library bring.
bool is_librarys_function(std::string_view name);

}  // namespace ampprof::profiler
