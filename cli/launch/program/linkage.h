// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Finds out what a program will load, without starting it.
namespace ampprof::cli {

/// The dynamic loader that an ELF file asks for; "" for a static or foreign file, and for what is no ELF file.
std::string loader_of(const std::filesystem::path& program);

/// Whether a file is an ELF file at all.
bool is_elf(const std::filesystem::path& program);

/// The command line of a script's #! line; empty for a file without one.
std::vector<std::string> shebang_of(const std::filesystem::path& program);

/// Shared libraries of a program.
struct Linkage {
  std::vector<std::filesystem::path> libraries;  ///< resolved by the loader
  std::vector<std::string> not_found;            ///< names that the loader cannot resolve

  /// The resolved library with this file name, as in find("libtorch_cpu.so").
  std::optional<std::filesystem::path> find(std::string_view name) const;
};

/// Reads what the loader prints with --list: "libc.so.6 => /lib/libc.so.6 (0x…)".
Linkage linkage_from(std::string_view loader_output);

/// Asks the program's own dynamic loader; nothing of the program runs. Empty for static files and scripts.
Linkage linkage_of(const std::filesystem::path& program);

/// Holds what a command printed on stdout, and how it ended.
struct Captured {
  std::string output;
  int exit_code = -1;  ///< -1 if it could not be started or a signal ended it
};

/// Runs a short command to its end; stderr is dropped.
Captured capture(const std::vector<std::string>& command);

}  // namespace ampprof::cli
