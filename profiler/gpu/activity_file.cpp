// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/activity_file.h"

#include <array>
#include <concepts>
#include <limits>
#include <string>

namespace ampprof::profiler {
namespace {

constexpr std::string_view kMagic = "AMPCUPTI";
constexpr std::string_view kBufferMark = "BUFF";
constexpr std::uint32_t kFormat = 1;
constexpr std::uint32_t kNoName = std::numeric_limits<std::uint32_t>::max();

/// Thrown if the bytes end in the middle of a record.
struct EndsEarly {};

/// Reads values from the front of a byte range, one after the other.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}

  bool is_at_end() const { return left_.empty(); }

  std::span<const std::byte> bytes(std::size_t count) {
    if (count > left_.size()) throw EndsEarly{};
    const auto taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }
  std::string_view text(std::size_t count) {
    const auto taken = bytes(count);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }
  template <std::integral Number>
  Number number() {
    std::uint64_t value = 0;
    int shift = 0;
    for (const std::byte byte : bytes(sizeof(Number))) {
      value |= std::to_integer<std::uint64_t>(byte) << shift;
      shift += 8;
    }
    return static_cast<Number>(value);
  }

 private:
  std::span<const std::byte> left_;
};

template <std::integral Number>
void put(std::ostream& out, Number number) {
  auto left = static_cast<std::uint64_t>(number);
  std::array<char, sizeof(Number)> bytes;
  for (char& byte : bytes) {
    byte = static_cast<char>(left & 0xff);
    left >>= 8;
  }
  out.write(bytes.data(), bytes.size());
}

void put(std::ostream& out, std::string_view text) {
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

void put(std::ostream& out, std::span<const std::byte> bytes) {
  put(out, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

ActivityDump read_head(Reader& reader) {
  ActivityDump dump;
  if (reader.text(kMagic.size()) != kMagic) {
    throw ActivityFileError("not a file of CUPTI activities: it does not begin with " + std::string(kMagic));
  }
  if (const auto format = reader.number<std::uint32_t>(); format != kFormat) {
    throw ActivityFileError("a file of CUPTI activities of format " + std::to_string(format) +
                            ", but this build reads " + std::to_string(kFormat));
  }
  dump.cupti_version = reader.number<std::uint32_t>();
  return dump;
}

// Checks the kind, which is written twice, before the record and in it. If the two differ, lengths cannot be trusted
// either.
bool is_of_kind(const RawRecord& record) {
  return record.bytes.size() >= sizeof record.kind &&
         Reader(record.bytes.first(sizeof record.kind)).number<std::uint32_t>() == record.kind;
}

/// Reads a record. Returns false if it is damaged.
bool read_record(Reader& reader, RawBuffer& buffer) {
  RawRecord record;
  record.kind = reader.number<std::uint32_t>();
  const auto size = reader.number<std::uint32_t>();
  const auto name = reader.number<std::uint32_t>();
  record.bytes = reader.bytes(size);
  if (name != kNoName) record.name = reader.text(name);
  if (!is_of_kind(record)) return false;
  buffer.records.push_back(record);
  return true;
}

/// Reads a buffer. Returns false if it is damaged. If this throws, `buffer` has the part read so far.
bool read_buffer(Reader& reader, RawBuffer& buffer) {
  buffer.is_cut_short = true;
  if (reader.text(kBufferMark.size()) != kBufferMark) return false;
  buffer.clock.cupti = reader.number<std::uint64_t>();
  buffer.clock.recorder = reader.number<std::int64_t>();
  buffer.context = reader.number<std::uint64_t>();
  buffer.stream = reader.number<std::uint32_t>();
  buffer.dropped = reader.number<std::uint64_t>();
  const bool was_cut_short = reader.number<std::uint32_t>() != 0;
  for (auto left = reader.number<std::uint32_t>(); left > 0; --left) {
    if (!read_record(reader, buffer)) return false;
  }
  buffer.is_cut_short = was_cut_short;
  return true;
}

/// Reads the buffers. Returns why reading stopped before the end of the file; null if it did not.
const char* read_buffers(Reader& reader, std::vector<RawBuffer>& buffers) {
  try {
    while (!reader.is_at_end()) {
      if (!read_buffer(reader, buffers.emplace_back())) return "the file is damaged";
    }
    return nullptr;
  } catch (const EndsEarly&) {
    return "the file ends too early";
  }
}

}  // namespace

ActivityDump read_activities(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  ActivityDump dump;
  try {
    dump = read_head(reader);
  } catch (const EndsEarly&) {
    throw ActivityFileError("not a file of CUPTI activities: it ends within its header");
  }
  if (const char* cause = read_buffers(reader, dump.buffers); cause != nullptr) {
    dump.missing.push_back({.what = "the rest of a file of CUPTI activities",
                            .count = 1,
                            .cause = cause,
                            .remedy = "read the file after its program has ended"});
  }
  return dump;
}

ActivityFile::ActivityFile(const std::filesystem::path& path, std::uint32_t cupti_version)
    : out_(path, std::ios::binary | std::ios::trunc) {
  put(out_, kMagic);
  put(out_, kFormat);
  put(out_, cupti_version);
}

void ActivityFile::append(const RawBuffer& buffer) {
  put(out_, kBufferMark);
  put(out_, buffer.clock.cupti);
  put(out_, buffer.clock.recorder);
  put(out_, buffer.context);
  put(out_, buffer.stream);
  put(out_, buffer.dropped);
  put(out_, std::uint32_t{buffer.is_cut_short});
  put(out_, static_cast<std::uint32_t>(buffer.records.size()));
  for (const RawRecord& record : buffer.records) {
    put(out_, record.kind);
    put(out_, static_cast<std::uint32_t>(record.bytes.size()));
    put(out_, record.name ? static_cast<std::uint32_t>(record.name->size()) : kNoName);
    put(out_, record.bytes);
    if (record.name) put(out_, *record.name);
  }
  out_.flush();
}

}  // namespace ampprof::profiler
