// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace ampprof::analysis {

/// How fast the multiprocessors of a run's first GPU ran, in MHz: median, lowest and highest of the readings that the
/// recorder took while it worked.
struct GpuClocks {
  std::int64_t sm_mhz = 0;
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  std::string held_back_by;  ///< "power cap", at most readings; "" for nothing
};

/// Reads what a run was set to, as its recorder wrote it. The text is a report's: anything may be missing or of another
/// type.
class RunSettings {
 public:
  /// `text`: RunRow::settings_json.
  explicit RunSettings(const std::string& text) : json_(nlohmann::json::parse(text, nullptr, false)) {}

  /// A switch of LibTorch; off where it is not recorded.
  bool is_on(const char* name) const;
  /// Empty where nobody read the clocks.
  std::optional<GpuClocks> gpu_clocks() const;

 private:
  nlohmann::json json_;
};

}  // namespace ampprof::analysis
