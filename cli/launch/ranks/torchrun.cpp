// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/ranks/torchrun.h"

#include <string>
#include <vector>

#include "cli/launch/program/find_torch.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

/// Returns the Python interpreter of the environment whose lib/python3*/site-packages/torch/lib is `torch_lib`.
fs::path python_around(const fs::path& torch_lib) {
  return (torch_lib / "../../../../../bin/python").lexically_normal();
}

std::string python_with_torch(const Program& program) {
  std::vector<std::string> candidates;
  if (program.kind == ProgramKind::Python) candidates.push_back(program.executable.string());
  std::error_code ignored;
  const fs::path around = python_around(program.torch_lib);
  if (!program.torch_lib.empty() && fs::exists(around, ignored)) candidates.push_back(around.string());
  candidates.emplace_back("python3");
  for (const std::string& candidate : candidates) {
    if (!torch_of_python({candidate}).value_or("").empty()) return find_executable(candidate).string();
  }
  throw text::UsageError(
      "--ranks starts processes with torchrun, and no Python here has torch. Activate the environment that has it, or "
      "let your own launcher start ampprof: srun ampprof run -o r%r.ampprof -- ./train");
}

}  // namespace

Program on_ranks(Program program, std::int64_t ranks) {
  const std::string python = python_with_torch(program);
  std::vector<std::string> arguments{python,
                                     "-m",
                                     "torch.distributed.run",
                                     "--standalone",
                                     "--nproc-per-node",
                                     std::to_string(ranks),
                                     "--no-python",
                                     program.executable.string()};
  arguments.insert(arguments.end(), program.arguments.begin() + 1, program.arguments.end());
  program.executable = python;
  program.arguments = std::move(arguments);
  return program;
}

}  // namespace ampprof::cli
