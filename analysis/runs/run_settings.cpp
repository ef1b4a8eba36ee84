// SPDX-License-Identifier: Apache-2.0
#include "analysis/runs/run_settings.h"

namespace ampprof::analysis {
namespace {

using Any = nlohmann::json;

std::int64_t number_in(const Any& gpu, const char* key) {
  const auto value = gpu.find(key);
  return value != gpu.end() && value->is_number_integer() ? value->get<std::int64_t>() : 0;
}

std::string most_frequent(const Any& gpu) {
  const auto reasons = gpu.find("held_back_by");
  if (reasons == gpu.end() || !reasons->is_object()) return {};
  std::string name;
  std::int64_t most = 0;
  for (const auto& [reason, readings] : reasons->items()) {
    if (!readings.is_number_integer() || readings.get<std::int64_t>() <= most) continue;
    name = reason;
    most = readings.get<std::int64_t>();
  }
  return name;
}

}  // namespace

bool RunSettings::is_on(const char* name) const {
  if (!json_.is_object()) return false;
  const auto value = json_.find(name);
  return value != json_.end() && value->is_boolean() && value->get<bool>();
}

std::string RunSettings::recipes() const {
  if (!json_.is_object()) return {};
  const auto value = json_.find("recipes");
  return value != json_.end() && value->is_string() ? value->get<std::string>() : "";
}

std::optional<GpuClocks> RunSettings::gpu_clocks() const {
  if (!json_.is_object()) return std::nullopt;
  const auto gpus = json_.find("gpus");
  if (gpus == json_.end() || !gpus->is_array() || gpus->empty() || !gpus->front().is_object()) return std::nullopt;
  const Any& gpu = gpus->front();
  GpuClocks clocks{number_in(gpu, "sm_mhz"), number_in(gpu, "sm_mhz_lowest"), number_in(gpu, "sm_mhz_highest"),
                   most_frequent(gpu)};
  if (clocks.sm_mhz <= 0) return std::nullopt;
  return clocks;
}

}  // namespace ampprof::analysis
