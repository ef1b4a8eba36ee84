// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Determines what a program will load, without starting it.
namespace ampprof::cli {

/// Returns the dynamic loader that a 64-bit ELF file names (PT_INTERP); "" for static executables and all other files.
std::string loader_of(const std::filesystem::path& program);

/// Returns whether a file is an ELF file.
bool is_elf(const std::filesystem::path& program);

/// Returns the command line of a script's #! line; empty for a file without one.
std::vector<std::string> shebang_of(const std::filesystem::path& program);

/// Shared libraries of a program.
struct Linkage {
  std::vector<std::filesystem::path> libraries;  ///< resolved by the loader
  std::vector<std::string> not_found;            ///< names that the loader cannot resolve

  /// Returns the resolved library with this file name, as in find("libtorch_cpu.so").
  std::optional<std::filesystem::path> find(std::string_view name) const;
};

/// Parses the output of the loader's --list: "libc.so.6 => /lib/libc.so.6 (0x…)".
Linkage linkage_from(std::string_view loader_output);

/// Returns what the program's own dynamic loader resolves, without running the program. Empty for static files and
/// scripts.
Linkage linkage_of(const std::filesystem::path& program);

/// The output of a command on stdout, and its exit code.
struct Captured {
  std::string output;
  int exit_code = -1;  ///< -1 if the command could not be started or a signal ended it
};

/// Runs a short command to its end; discards stderr.
Captured capture(const std::vector<std::string>& command);

}  // namespace ampprof::cli
