// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ampprof::profiler {

/// The owner of code. The line of a call is the innermost line of the user's code on the stack, or else the innermost
/// line of a package. Lines of machinery are never used.
enum class CodeOwner { User, Package, Machinery };

/// Returns the owner of a Python file. `file` is a code object's co_filename. `torch_folder` is the folder of the
/// package torch, which may lie outside of site-packages.
///
/// Machinery: torch, its generated code, the standard library, ampprof's hooks. Package: installed code, and code that
/// the program generates (temporary files and strings). A string is the user's if the program itself is one
/// (`python -c`).
CodeOwner owner_of_python_file(std::string_view file, std::string_view torch_folder);

/// Returns a name of the file that is equal in all runs. A notebook's cell "/tmp/ipykernel_77/1234.py" (77 is the
/// process id, 1234 a hash of the cell's text) becomes "<cell 1234>". Other names stay as they are.
std::string lasting_name_of(const std::string& file);

/// Returns whether the command line `words` starts Python with a program in `-c`. False for the child processes of
/// `multiprocessing`, which starts them with `-c`, too.
bool is_program_in_command(std::span<const std::string> words);

/// Returns the owner of an executable or shared library. LibTorch, ampprof and the system's libraries are machinery,
/// all others are the user's.
CodeOwner owner_of_object(std::string_view file);

/// Returns the owner of a C++ source file. Headers of LibTorch, amp_core and the system are machinery, although their
/// code is inlined into the user's executable.
CodeOwner owner_of_cpp_file(std::string_view file);

/// Returns whether `name` is the demangled name of a function in LibTorch or the standard library. True for "".
bool is_librarys_function(std::string_view name);

}  // namespace ampprof::profiler
