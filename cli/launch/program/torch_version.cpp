// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/program/torch_version.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <regex>

#include "reports/text/listed.h"
#include "reports/text/usage_error.h"

#ifndef AMPPROF_BUILT_FOR_TORCH
#define AMPPROF_BUILT_FOR_TORCH ""
#endif

namespace ampprof::cli {
namespace {

struct Source {
  const char* file;  // path relative to the parent of lib/
  const char* line;  // regular expression; group 1 is the version
};

constexpr Source kSources[]{
    {"version.py", R"(^__version__\s*=\s*['"](\d+\.\d+(\.\d+)?))"},
    {"build-version", R"(^(\d+\.\d+(\.\d+)?))"},
    {"share/cmake/Torch/TorchConfigVersion.cmake", R"(PACKAGE_VERSION\s+"(\d+\.\d+(\.\d+)?))"},
};

std::string version_in(const std::filesystem::path& file, const std::regex& pattern) {
  std::ifstream stream(file);
  std::smatch match;
  for (std::string line; std::getline(stream, line);) {
    if (std::regex_search(line, match, pattern)) return match[1];
  }
  return "";
}

}  // namespace

std::string torch_version_of(const std::filesystem::path& lib) {
  const auto root = lib.parent_path();
  for (const auto& [file, line] : kSources) {
    if (auto version = version_in(root / file, std::regex(line)); !version.empty()) return version;
  }
  return "";
}

std::string unsupported_version_text(const std::string& lead, const std::string& version,
                                     const std::vector<std::string>& served) {
  return fmt::format("{} LibTorch {}, and this ampprof records {}.", lead, version, text::listed(served));
}

std::string how_to_support(const std::string& version, const std::vector<std::string>& served) {
  return fmt::format(
      "Add that version in ampprof's source directory with `make torch TORCH={}` (and `make packages`, if ampprof "
      "came in a package), or run the program with LibTorch {}.",
      version, text::listed(served, "or"));
}

void check_supported(const std::string& version, const std::string& who, const Installation& installation) {
  const auto served = installation.torch_versions();
  if (version.empty() || served.empty() || std::ranges::count(served, version) > 0) return;
  throw text::UsageError(unsupported_version_text(who + " uses", version, served) + ' ' +
                         how_to_support(version, served));
}

std::vector<std::string> supported_versions(const Installation& installation) {
  std::vector<std::string> versions = installation.torch_versions();
  std::ranges::reverse(versions);
  std::stable_partition(versions.begin(), versions.end(),
                        [](const std::string& each) { return each == AMPPROF_BUILT_FOR_TORCH; });
  return versions;
}

std::string version_or_default(const std::string& version, const Installation& installation) {
  const auto versions = supported_versions(installation);
  return version.empty() && !versions.empty() ? versions.front() : version;
}

}  // namespace ampprof::cli
