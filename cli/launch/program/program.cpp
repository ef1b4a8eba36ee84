// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/program/program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <sstream>

#include "amp_core/levels/level.h"
#include "analysis/ops/nearest.h"
#include "cli/launch/program/apex_script.h"
#include "cli/launch/program/find_torch.h"
#include "cli/launch/program/linkage.h"
#include "cli/launch/program/samples.h"
#include "cli/launch/program/torch_version.h"
#include "cli/launch/program/torchscript_file.h"
#include "reports/text/listed.h"
#include "reports/text/shell_text.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kModelSteps = 10;
constexpr std::string_view kSamplePrefix = "sample:";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_executable(const fs::path& path) { return is_file(path) && access(path.c_str(), X_OK) == 0; }

fs::path checked_path(const std::string& name) {
  std::error_code ignored;
  if (!fs::exists(name, ignored)) throw text::UsageError(fmt::format("No such program: '{}'.", name));
  if (fs::is_directory(name, ignored)) throw text::UsageError(fmt::format("'{}' is a directory, not a program.", name));
  if (!is_executable(name)) {
    const std::string remedy = name.ends_with(".py") ? fmt::format("Run it as: ampprof run -- python {}", name)
                                                     : fmt::format("Allow it with: chmod +x {}", name);
    throw text::UsageError(fmt::format("'{}' is not executable. {}", name, remedy));
  }
  return name;
}

/// Sets the program's LibTorch to the one in `lib`. `who` names the program in errors.
void use_torch(Program& program, const fs::path& lib, const std::string& who, const Installation& installation) {
  program.torch = torch_version_of(lib);
  program.torch_lib = lib;
  check_supported(program.torch, who, installation);
}

/// Sets the LibTorch that the loader finds, if the program is linked with one.
void use_linked_torch(Program& program, const Linkage& linkage, const Installation& installation) {
  for (const std::string& name : linkage.not_found) {
    if (name.starts_with("libtorch") || name == "libc10.so") {
      throw text::UsageError(
          fmt::format("'{}' needs {}, which its loader does not find. Add the directory of that library to "
                      "LD_LIBRARY_PATH.",
                      program.executable.string(), name));
    }
  }
  const auto torch = linkage.find("libtorch_cpu.so");
  if (torch) use_torch(program, torch->parent_path(), fmt::format("'{}'", program.executable.string()), installation);
}

void use_torch_of(Program& program, const std::vector<std::string>& interpreter, const Installation& installation) {
  const auto folder = torch_of_python(interpreter);
  const std::string who = fmt::format("'{}'", text::shell_text(interpreter));
  if (!folder) {
    throw text::UsageError(fmt::format(
        "Could not find the torch of {}: it does not run Python code. Use a Python interpreter instead.", who));
  }
  if (folder->empty()) {
    throw text::UsageError(
        fmt::format("{} has no torch, so there is nothing to record. Use the interpreter of an environment that has "
                    "torch, or install torch {} there.",
                    who, text::listed(installation.torch_versions(), "or")));
  }
  use_torch(program, *folder / "lib", who, installation);
}

// Parses "#!/usr/bin/env -S python3 -u": the interpreter and its own arguments.
std::vector<std::string> interpreter_of(const fs::path& script) {
  std::vector<std::string> command = shebang_of(script);
  if (!command.empty() && fs::path(command.front()).filename() == "env") {
    command.erase(command.begin());
    if (!command.empty() && command.front() == "-S") command.erase(command.begin());
  }
  return command;
}

Program resolve_executable(const RunOptions& options, const Installation& installation) {
  Program program;
  program.executable = find_executable(options.command.front());
  program.arguments = options.command;
  program.kind = kind_of(program.executable);
  if (program.kind == ProgramKind::Python) {
    const bool is_interpreter = is_python_name(program.executable.filename().string());
    const std::string interpreter =
        is_interpreter ? program.executable.string() : interpreter_of(program.executable).front();
    use_torch_of(program, {interpreter}, installation);
    program.has_amp_core = runs_on_apex(program.arguments, {interpreter});
  } else if (program.kind == ProgramKind::Executable) {
    const Linkage linkage = linkage_of(program.executable);
    use_linked_torch(program, linkage, installation);
    program.has_amp_core = linkage.find("libamp_core.so").has_value();
  }
  return program;
}

// Returns the number of steps of a sample. The sample's flags --steps, --epochs and --batch-size override the default.
std::optional<std::int64_t> steps_of(const Sample& sample, const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--steps" && i + 1 < arguments.size()) return std::atoll(arguments[i + 1].c_str());
    if (arguments[i].starts_with("--epochs") || arguments[i].starts_with("--batch-size")) return std::nullopt;
  }
  return sample.steps;
}

Program resolve_sample(const RunOptions& options, const Installation& installation) {
  const std::string name = options.command.front().substr(kSamplePrefix.size());
  const auto samples = load_samples(installation.samples());
  const auto sample = std::find_if(samples.begin(), samples.end(), [&](const Sample& s) { return s.name == name; });
  if (samples.empty() || installation.torch_versions().empty())
    throw text::UsageError("This ampprof has no samples, because it was built without LibTorch.");
  if (sample == samples.end()) {
    const auto names = names_of(samples);
    throw text::UsageError(fmt::format("Unknown sample '{}'.{} Use one of {}. See: ampprof samples", name,
                                       analysis::did_you_mean(name, names), text::listed(names)));
  }
  const Torch torch = find_own_torch(options.torch, installation).value();
  Program program{.kind = ProgramKind::Sample,
                  .executable = installation.for_torch(torch.version).sample(sample->program),
                  .arguments = options.command,
                  .has_amp_core = true,
                  .torch = torch.version,
                  .torch_lib = torch.lib,
                  .steps = steps_of(*sample, options.command)};
  program.arguments.front() = program.executable.string();
  if (!is_executable(program.executable)) {
    throw text::UsageError(
        fmt::format("The sample's program {} is missing. Rebuild or reinstall ampprof.", program.executable.string()));
  }
  return program;
}

Program resolve_model(const RunOptions& options, const Installation& installation) {
  const std::string& model = options.command.front();
  if (auto objection = why_not_model(model); !objection.empty()) throw text::UsageError(objection);
  if (options.inputs.empty()) {
    throw text::UsageError(
        fmt::format("'{}' is a TorchScript model and needs an input. Add one, as in --input f32[8,3,32,32].", model));
  }
  const Torch torch = find_own_torch(options.torch, installation).value_or(Torch{});
  const fs::path runner = installation.for_torch(torch.version).runner();
  Program program{.kind = ProgramKind::Model,
                  .executable = runner,
                  .arguments = {runner.string(), model},
                  .torch = torch.version,
                  .torch_lib = torch.lib,
                  .steps = {}};
  if (!is_executable(program.executable)) {
    throw text::UsageError(fmt::format("{}, which runs TorchScript models, is missing. Rebuild or reinstall ampprof.",
                                       program.executable.string()));
  }
  for (const std::string& input : options.inputs) program.arguments.insert(program.arguments.end(), {"--input", input});
  if (options.train) program.arguments.push_back("--train");
  program.steps = options.record.last_step.value_or(kModelSteps);
  program.arguments.insert(program.arguments.end(), {"--steps", std::to_string(*program.steps)});
  if (const auto seed = options.start.seed) {
    program.arguments.insert(program.arguments.end(), {"--seed", std::to_string(*seed)});
  }
  return program;
}

}  // namespace

bool is_python_name(const std::string& file_name) {
  static const std::regex kName("python[0-9.]*");
  return std::regex_match(file_name, kName);
}

ProgramKind kind_of(const fs::path& executable) {
  if (is_python_name(executable.filename().string())) return ProgramKind::Python;
  const auto interpreter = interpreter_of(executable);
  if (interpreter.empty()) return ProgramKind::Executable;
  const bool is_python = is_python_name(fs::path(interpreter.front()).filename().string());
  return is_python ? ProgramKind::Python : ProgramKind::Script;
}

fs::path find_executable(const std::string& name) {
  if (name.find('/') != std::string::npos) return checked_path(name);
  const char* variable = std::getenv("PATH");
  std::istringstream folders(variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
    if (is_executable(candidate)) return candidate;
  }
  std::string hint;
  if (name.ends_with(".py")) {
    hint = fmt::format(" Run a Python script as: ampprof run -- python {}", name);
  } else if (is_file(name)) {
    hint = fmt::format(" There is a file of this name here; run it as ./{}", name);
  }
  throw text::UsageError(fmt::format("No program '{}' on PATH.{}", name, hint));
}

Program resolve_program(const RunOptions& options, const Installation& installation) {
  const std::string& name = options.command.front();
  if (name.starts_with(kSamplePrefix)) return resolve_sample(options, installation);
  if (looks_like_model(name)) return resolve_model(options, installation);
  if (!options.inputs.empty() || options.train) {
    throw text::UsageError(
        fmt::format("--input and --train are for TorchScript models, and '{}' is not one. Remove them.", name));
  }
  if (!options.torch.empty()) {
    throw text::UsageError(fmt::format(
        "--torch chooses the LibTorch of samples and TorchScript models, but '{}' brings its own. Remove --torch.",
        name));
  }
  return resolve_executable(options, installation);
}

void check_eager(const RunOptions& options, const Program& program) {
  if (options.eager.empty() || !is_own(program.kind)) return;
  throw text::UsageError(fmt::format(
      "--eager disables torch.compile, which only Python programs use, and '{}' is not one. Remove --eager.",
      options.command.front()));
}

void check_levels(const RunOptions& options, const Program& program) {
  const bool engine_decides = options.levels.empty() && program.has_amp_core;
  if (!options.type.empty() && !engine_decides && std::ranges::all_of(options.levels, amp::is_fp32_level)) {
    throw text::UsageError(fmt::format(
        "--type {} is the reduced type of O1 to O3, but no run has one of these levels. Add one: --levels O0,O1",
        options.type));
  }
  if (program.has_amp_core) return;
  for (const std::string& level : options.levels) {
    if (!amp::needs_amp_core(level)) continue;
    throw text::UsageError(fmt::format(
        "--levels {}: '{}' does not use amp_core, and only amp_core can convert the model to half precision. Use O0 "
        "and O1, which work on any program: --levels O0,O1. A Python script gets amp_core from the package "
        "ampprof-apex. "
        "--what-if fp16 predicts what FP16 would do without changing the program.",
        level, options.command.front()));
  }
}

}  // namespace ampprof::cli
