// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ampprof::cli {

/// A program that comes with ampprof, as samples.json describes it.
struct Sample {
  std::string name;
  std::string about;
  std::string program;  ///< the sample's file in lib/torch-<version>/
  std::optional<std::int64_t> steps;

  bool operator==(const Sample&) const = default;
};

/// Reads samples.json; empty if there is no such file. Throws UsageError if it is malformed.
std::vector<Sample> load_samples(const std::filesystem::path& file);

std::vector<std::string> names_of(const std::vector<Sample>& samples);

}  // namespace ampprof::cli
