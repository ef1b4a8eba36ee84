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

/// Files of CUPTI's raw records, for tests and for examining a failed recording.
///
/// All numbers are little-endian. A file begins with "AMPCUPTI", the version of the format (1), and the version of
/// CUPTI (u32 each). Then any number of buffers: "BUFF", the times on CUPTI's clock (u64) and the recorder's (i64),
/// context (u64), stream (u32), dropped records (u64), 1 if the buffer was cut short (u32), number of records (u32).
/// Then for each record: kind, size and length of the name (u32 each; 2^32 - 1 for no name), the record's bytes, the
/// name.
namespace ampprof::profiler {

/// The bytes of one CUPTI record, and the text to which a pointer in it points. Owns neither.
struct RawRecord {
  std::uint32_t kind = 0;
  std::span<const std::byte> bytes;
  std::optional<std::string_view> name;
};

struct RawBuffer {
  CuptiClock clock;           ///< read when the buffer arrived
  std::uint64_t context = 0;  ///< CUcontext as a number; 0 with current CUPTI, which passes none
  std::uint32_t stream = 0;
  std::uint64_t dropped = 0;
  bool is_cut_short = false;
  std::vector<RawRecord> records;
};

/// The contents of a file. Points into the bytes from which the file was read.
struct ActivityDump {
  std::uint32_t cupti_version = 0;
  std::vector<RawBuffer> buffers;
  std::vector<Missing> missing;  ///< damage, or an early end of the file; `buffers` has the part before the fault
};

/// Thrown if the bytes are not a file of activities, or have a format that this build cannot read. what() is a
/// sentence.
class ActivityFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads a file. Throws ActivityFileError if its head cannot be read.
ActivityDump read_activities(std::span<const std::byte> bytes);

/// Writes a file of activities.
class ActivityFile {
 public:
  /// Creates the file, or truncates an existing one.
  ActivityFile(const std::filesystem::path& path, std::uint32_t cupti_version);
  void append(const RawBuffer& buffer);
  /// Returns whether all writes have succeeded so far.
  bool is_good() const { return out_.good(); }

 private:
  std::ofstream out_;
};

}  // namespace ampprof::profiler
