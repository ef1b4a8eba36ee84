// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/program/samples.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

Sample sample_from(const nlohmann::json& entry) {
  Sample sample{entry.at("name"), entry.value("about", ""), entry.at("program"), std::nullopt};
  if (const auto steps = entry.find("steps"); steps != entry.end() && steps->is_number()) sample.steps = *steps;
  return sample;
}

}  // namespace

std::vector<Sample> load_samples(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) return {};
  try {
    std::vector<Sample> samples;
    for (const auto& entry : nlohmann::json::parse(stream)) samples.push_back(sample_from(entry));
    return samples;
  } catch (const nlohmann::json::exception& error) {
    throw text::UsageError(
        fmt::format("{} is damaged ({}). Rebuild or reinstall ampprof.", file.string(), error.what()));
  }
}

std::vector<std::string> names_of(const std::vector<Sample>& samples) {
  std::vector<std::string> names;
  for (const Sample& sample : samples) names.push_back(sample.name);
  return names;
}

}  // namespace ampprof::cli
