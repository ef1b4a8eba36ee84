// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/program/find_torch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "cli/launch/program/linkage.h"
#include "cli/launch/program/torch_version.h"
#include "reports/text/listed.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

// Removes the current folder, which python -c puts first in sys.path and which may contain a torch.py.
constexpr const char* kTorchOfPython =
    "import sys; sys.path[:] = filter(None, sys.path); import importlib.util as u; s = u.find_spec('torch'); "
    "print(s.submodule_search_locations[0] if s else '')";

std::optional<Torch> of_loader(const std::vector<std::string>& versions, const Installation& installation) {
  for (const std::string& version : versions) {
    const auto library = linkage_of(installation.for_torch(version).runner()).find("libtorch_cpu.so");
    if (library && torch_version_of(library->parent_path()) == version) return Torch{version, library->parent_path()};
  }
  return std::nullopt;
}

std::vector<Torch> elsewhere(const Installation& installation) {
  std::vector<fs::path> folders;
  if (const char* set = std::getenv("LIBTORCH")) folders.emplace_back(set);
  const fs::path package = installation.lib.parent_path();
  folders.push_back(package.parent_path() / "torch");
  folders.push_back(torch_of_python({"python3"}).value_or(""));
  std::vector<Torch> found;
  for (const fs::path& folder : folders) {
    if (folder.empty()) continue;
    const std::string version = torch_version_of(folder / "lib");
    if (!version.empty()) found.push_back({version, folder / "lib"});
  }
  return found;
}

std::string not_found(const std::vector<std::string>& versions, const std::vector<Torch>& others) {
  std::vector<std::string> places;
  for (const Torch& each : others) places.push_back(fmt::format("{} in {}", each.version, each.lib.string()));
  return fmt::format(
      "No LibTorch {} was found{}. Activate the Python environment that has it, install it there (pip install "
      "torch=={}), or set LIBTORCH to the directory that holds its lib/.",
      text::listed(versions, "or"), places.empty() ? "" : fmt::format(", only {}", text::listed(places)),
      versions.front());
}

}  // namespace

std::optional<fs::path> torch_of_python(const std::vector<std::string>& interpreter) {
  std::vector<std::string> command = interpreter;
  command.insert(command.end(), {"-c", kTorchOfPython});
  const Captured asked = capture(command);
  if (asked.exit_code != 0) return std::nullopt;
  return asked.output.substr(0, asked.output.find('\n'));
}

std::optional<Torch> find_own_torch(const std::string& asked, const Installation& installation) {
  if (!asked.empty()) check_supported(asked, "--torch", installation);
  const std::vector<std::string> wanted = asked.empty() ? supported_versions(installation) : std::vector{asked};
  if (wanted.empty()) return std::nullopt;
  if (auto found = of_loader(wanted, installation)) return found;
  const std::vector<Torch> others = elsewhere(installation);
  const auto fits = [&](const Torch& each) { return std::ranges::count(wanted, each.version) > 0; };
  if (const auto found = std::ranges::find_if(others, fits); found != others.end()) return *found;
  throw text::UsageError(not_found(wanted, others));
}

}  // namespace ampprof::cli
