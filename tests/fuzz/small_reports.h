// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

/// Makes complete reports of a few kilobytes, and damages them. The code does not depend on the schema.
namespace ampprof::fuzz {

struct Column {
  std::string table;
  std::string name;
};

struct SmallReport {
  std::string bytes;
  std::vector<Column> columns;  ///< columns of all tables
};

/// Returns three reports: a net at three levels and a run of two steps, both with pages so small that most bytes are
/// structure, and the same run as the recorder wrote it.
std::vector<SmallReport> small_reports(const std::filesystem::path& folder);

/// Returns the report with the damage that an input describes. An input is a list of edits of six bytes each: a kind, a
/// position, and a value. First, SQL changes values and rows, as a faulty program would. Then bytes of the file change,
/// as on a faulty disk.
std::string damaged(const SmallReport& report, std::span<const std::uint8_t> edits);

}  // namespace ampprof::fuzz
