// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

/// Whole reports of a few kilobytes, and damage to them. Nothing here knows a table's name: the schema may grow.
namespace ampprof::fuzz {

struct Column {
  std::string table;
  std::string name;
};

struct SmallReport {
  std::string bytes;
  std::vector<Column> columns;  ///< of all tables
};

/// What a net leaves at three levels, and a run of two steps; both in small pages, so that most bytes are structure.
/// Then the latter as the recorder left it.
std::vector<SmallReport> small_reports(const std::filesystem::path& folder);

/// The report that an input of the fuzzer means. Its bytes are a list of edits, six for each: a kind, where, and what.
/// First values and rows are changed by SQL, as a program that writes nonsense would; then bytes of the file, as a
/// broken disk would.
std::string damaged(const SmallReport& report, std::span<const std::uint8_t> edits);

}  // namespace ampprof::fuzz
