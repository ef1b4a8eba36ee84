// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "profiler/gpu/clock.h"
#include "reports/records/run.h"

/// Files of CUPTI's records as they came, for tests and for looking into a recording that went wrong.
///
/// All numbers are little-endian. First "AMPCUPTI", the format's version (1) and CUPTI's (u32 each). Then any number of
/// buffers: "BUFF", the clock's reading, CUPTI's and the recorder's (u64, i64), context (u64), stream (u32), dropped
/// records (u64), 1 if it was cut short (u32), number of records (u32). Then for each record: kind, size and length of
/// its name (u32 each; 2^32 - 1 for no name), its bytes, its name.
namespace ampprof::profiler {

/// Bytes of one CUPTI record, and the text that a pointer in it leads to. Owns neither.
struct RawRecord {
  std::uint32_t kind = 0;
  std::span<const std::byte> bytes;
  std::optional<std::string_view> name;
};

struct RawBuffer {
  CuptiClock clock;           ///< read when the buffer came
  std::uint64_t context = 0;  ///< a number; CUPTI hands over no context any more
  std::uint32_t stream = 0;
  std::uint64_t dropped = 0;
  bool is_cut_short = false;
  std::vector<RawRecord> records;
};

/// The contents of a file. Points into the bytes that it was read from.
struct ActivityDump {
  std::uint32_t cupti_version = 0;
  std::vector<RawBuffer> buffers;
  std::vector<Missing> missing;  ///< where the file is damaged or ends too early; what comes before is in `buffers`
};

/// The bytes are no file of activities, or one of a version that this build does not read. what() is a sentence.
class ActivityFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws ActivityFileError where not even the head can be read.
ActivityDump read_activities(std::span<const std::byte> bytes);

/// Writes such a file.
class ActivityFile {
 public:
  /// Truncates a file that is there.
  ActivityFile(const std::filesystem::path& path, std::uint32_t cupti_version);
  void append(const RawBuffer& buffer);
  /// Returns whether nothing failed so far.
  bool is_good() const { return out_.good(); }

 private:
  std::ofstream out_;
};

}  // namespace ampprof::profiler
