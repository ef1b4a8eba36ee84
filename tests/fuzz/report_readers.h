// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>

namespace ampprof::fuzz {

/// Reads a report completely, like a verb of ampprof, but without a terminal. Throws ReportError if the report is
/// damaged. Aborts if the output cannot be parsed.
struct Reader {
  const char* name;
  void (*read)(const std::filesystem::path& report);
};

std::span<const Reader> report_readers();

}  // namespace ampprof::fuzz
