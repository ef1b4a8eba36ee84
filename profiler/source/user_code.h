// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ampprof::profiler {

/// The owner of code. The user's line is wanted; a package's line only if the user has none on the stack.
enum class CodeOwner { User, Package, Machinery };

/// Returns the owner of a Python file. `torch_folder` is the package torch itself, which may lie outside of
/// site-packages. Torch, its generated code, the standard library and ampprof's hooks are machinery. Installed code is
/// a package's. So is code that the program generates: temporary files, and strings, unless the program itself is a
/// string (`python -c`). `file` is a code object's co_filename.
CodeOwner owner_of_python_file(std::string_view file, std::string_view torch_folder);

/// Returns a name that is the same in all runs. A notebook's cell is "<cell 1234>": Python calls it
/// "/tmp/ipykernel_77/1234.py", from the number of the process and a hash of the cell's text. Other files keep `file`.
std::string lasting_name_of(const std::string& file);

/// Returns whether `words` start Python with a program of the user's in `-c`. `multiprocessing` starts its own
/// processes like that, too; these do not count.
bool is_program_in_command(std::span<const std::string> words);

/// Returns the owner of an object file (executable or shared library) of native code. LibTorch, ampprof and the
/// system's objects are machinery.
CodeOwner owner_of_object(std::string_view file);

/// Returns the owner of a C++ source file. Headers of LibTorch, of amp_core and of the system are machinery; their code
/// is inlined everywhere.
CodeOwner owner_of_cpp_file(std::string_view file);

/// Returns whether headers of LibTorch or of the standard library define this function, by its demangled name.
bool is_librarys_function(std::string_view name);

}  // namespace ampprof::profiler
