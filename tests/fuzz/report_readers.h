// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>

namespace ampprof::fuzz {

/// A way to read a report completely, as a verb does, without a terminal. Throws ReportError if the report is damaged.
/// Aborts if the output cannot be parsed.
struct Reader {
  const char* name;
  void (*read)(const std::filesystem::path& report);
};

std::span<const Reader> report_readers();

}  // namespace ampprof::fuzz
