// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>

namespace ampprof::fuzz {

/// One way to read a report to its end, as a verb does, without a terminal. Ends in ReportError where the report is
/// damaged; aborts where what it would print cannot be read back.
struct Reader {
  const char* name;
  void (*read)(const std::filesystem::path& report);
};

std::span<const Reader> report_readers();

}  // namespace ampprof::fuzz
