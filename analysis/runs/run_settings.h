// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace ampprof::analysis {

/// Clocks of the multiprocessors of a run's first GPU, in MHz: median, lowest and highest reading during the run.
struct GpuClocks {
  std::int64_t sm_mhz = 0;
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  std::string held_back_by;  ///< "power cap" if most readings show it; "" for none
};

/// Reads the settings of a run as its recorder wrote them. The report is untrusted: any value may be missing or of
/// another type.
class RunSettings {
 public:
  /// `text` is RunRow::settings_json.
  explicit RunSettings(const std::string& text) : json_(nlohmann::json::parse(text, nullptr, false)) {}

  /// A switch of LibTorch; off if it is not recorded.
  bool is_on(const char* name) const;
  /// Names of the recipes that the matmuls computed in, "nvfp4"; "" without any.
  std::string recipes() const;
  /// Empty if no clocks were read.
  std::optional<GpuClocks> gpu_clocks() const;

 private:
  nlohmann::json json_;
};

}  // namespace ampprof::analysis
