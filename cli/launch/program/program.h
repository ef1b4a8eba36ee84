// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/launch/program/installation.h"
#include "cli/launch/program/options.h"

namespace ampprof::cli {

enum class ProgramKind { Executable, Script, Python, Sample, Model };

/// Returns whether ampprof provides the executable (a sample, or the runner of a model). It then runs with the LibTorch
/// of find_own_torch().
inline bool is_own(ProgramKind kind) { return kind == ProgramKind::Sample || kind == ProgramKind::Model; }

/// A program to start, with facts that are known before it runs.
struct Program {
  ProgramKind kind = ProgramKind::Executable;
  std::filesystem::path executable;
  std::vector<std::string> arguments;      ///< argv, the name first
  bool has_amp_core = false;               ///< linked with amp_core, or a script on amp_core's `apex`
  std::string torch = {};                  ///< version of its LibTorch; "" if it is known only at run time
  std::filesystem::path torch_lib = {};    ///< folder of that LibTorch's libraries; "" if unknown
  std::optional<std::int64_t> steps = {};  ///< number of steps, if known
};

/// Returns whether a file name is that of a Python interpreter: python, python3, python3.11.
bool is_python_name(const std::string& file_name);

/// Tells Python, scripts of other languages and executables apart, by the file's name and its first bytes.
ProgramKind kind_of(const std::filesystem::path& executable);

/// Returns the file that a shell would run for this name; throws UsageError if there is none.
std::filesystem::path find_executable(const std::string& name);

/// Finds the program and checks that ampprof can record it: it exists, ampprof has a recorder for its LibTorch, its
/// model can be read. Throws UsageError.
Program resolve_program(const RunOptions& options, const Installation& installation);

/// Throws UsageError if a program without Python is to run without torch.compile.
void check_eager(const RunOptions& options, const Program& program);

/// Throws UsageError for levels that need amp_core if the program lacks it.
void check_levels(const RunOptions& options, const Program& program);

}  // namespace ampprof::cli
