// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace ampprof::analysis {

/// Clocks of the multiprocessors of a run's first GPU, in MHz: the median, lowest and highest value measured during the
/// run.
struct GpuClocks {
  std::int64_t sm_mhz = 0;
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  std::string held_back_by;  ///< most frequent reason for a reduced clock, such as "power cap"; "" if there is none
};

/// Reads the settings of a run as its recorder wrote them. The report is untrusted: any value may be missing or of
/// another type.
class RunSettings {
 public:
  /// `text` is RunRow::settings_json.
  explicit RunSettings(const std::string& text) : json_(nlohmann::json::parse(text, nullptr, false)) {}

  /// Returns the state of a LibTorch switch; false if it was not recorded.
  bool is_on(const char* name) const;
  /// Returns the names of the recipes in which the matmuls were computed, such as "nvfp4"; "" if there were none.
  std::string recipes() const;
  /// Returns the clocks of the run's first GPU; empty if none were read.
  std::optional<GpuClocks> gpu_clocks() const;

 private:
  nlohmann::json json_;
};

}  // namespace ampprof::analysis
