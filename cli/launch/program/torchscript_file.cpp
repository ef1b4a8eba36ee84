// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/program/torchscript_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>

namespace ampprof::cli {
namespace {

// The zip format (APPNOTE.TXT): a central directory lists the entries, and a record at the file's end locates it.
constexpr std::uint32_t kEndRecord = 0x06054b50;
constexpr std::uint32_t kEndRecord64 = 0x06064b50;
constexpr std::uint32_t kEndLocator64 = 0x07064b50;
constexpr std::uint32_t kEntry = 0x02014b50;
constexpr std::size_t kEndRecordSize = 22;
constexpr std::size_t kEndLocatorSize64 = 20;
constexpr std::size_t kEntrySize = 46;
constexpr std::size_t kLongestComment = 65535;
constexpr std::uint32_t kInZip64Record = 0xFFFFFFFF;  // the value is in the 64-bit record
constexpr std::size_t kMostEntries = 1 << 20;

template <class T>
T number_at(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(value));  // zip files are little-endian, like all supported machines
  return value;
}

std::optional<std::string> read_part(std::ifstream& file, std::uint64_t offset, std::size_t size) {
  std::string bytes(size, '\0');
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size))) return std::nullopt;
  return bytes;
}

std::optional<std::uint64_t> directory_offset64(std::ifstream& file, std::uint64_t end_record) {
  if (end_record < kEndLocatorSize64) return std::nullopt;
  const auto locator = read_part(file, end_record - kEndLocatorSize64, kEndLocatorSize64);
  if (!locator || number_at<std::uint32_t>(locator->data()) != kEndLocator64) return std::nullopt;
  const auto record = read_part(file, number_at<std::uint64_t>(locator->data() + 8), 56);
  if (!record || number_at<std::uint32_t>(record->data()) != kEndRecord64) return std::nullopt;
  return number_at<std::uint64_t>(record->data() + 48);
}

std::optional<std::uint64_t> directory_offset(std::ifstream& file) {
  file.seekg(0, std::ios::end);
  const auto size = static_cast<std::uint64_t>(std::max<std::streamoff>(0, file.tellg()));
  if (size < kEndRecordSize) return std::nullopt;
  const std::uint64_t tail_size = std::min<std::uint64_t>(size, kEndRecordSize + kLongestComment);
  const auto tail = read_part(file, size - tail_size, tail_size);
  if (!tail) return std::nullopt;
  for (std::size_t at = tail_size - kEndRecordSize + 1; at-- > 0;) {
    if (number_at<std::uint32_t>(tail->data() + at) != kEndRecord) continue;
    const auto offset = number_at<std::uint32_t>(tail->data() + at + 16);
    return offset == kInZip64Record ? directory_offset64(file, size - tail_size + at) : offset;
  }
  return std::nullopt;
}

bool any_entry(const std::vector<std::string>& entries, std::string_view part) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const std::string& entry) { return entry.find(part) != std::string::npos; });
}

}  // namespace

bool looks_like_model(const std::filesystem::path& file) {
  constexpr std::array kEndings{".pt", ".pth", ".ts", ".torchscript", ".pt2"};
  return std::find(kEndings.begin(), kEndings.end(), file.extension().string()) != kEndings.end();
}

std::vector<std::string> zip_entries(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  auto offset = file ? directory_offset(file) : std::nullopt;
  std::vector<std::string> entries;
  while (offset && entries.size() < kMostEntries) {
    const auto entry = read_part(file, *offset, kEntrySize);
    if (!entry || number_at<std::uint32_t>(entry->data()) != kEntry) break;
    const auto name_size = number_at<std::uint16_t>(entry->data() + 28);
    const auto name = read_part(file, *offset + kEntrySize, name_size);
    if (!name) break;
    entries.push_back(*name);
    *offset += kEntrySize + name_size + number_at<std::uint16_t>(entry->data() + 30) +
               number_at<std::uint16_t>(entry->data() + 32);
  }
  return entries;
}

std::string why_not_model(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return fmt::format("No such file: '{}'.", file.string());
  const auto entries = zip_entries(file);
  const std::string how =
      "Save it with torch.jit.script(model).save(FILE) or torch.jit.trace(model, input).save(FILE).";
  if (entries.empty())
    return fmt::format("'{}' is not a TorchScript model, because it is not a zip archive. {}", file.string(), how);
  if (any_entry(entries, "constants.pkl") || any_entry(entries, "/code/")) return "";
  if (any_entry(entries, "models/model.json") || any_entry(entries, "serialized_exported_program.json")) {
    return fmt::format("'{}' was written by torch.export, which ampprof cannot run. {}", file.string(), how);
  }
  if (any_entry(entries, "data.pkl")) {
    return fmt::format("'{}' was written by torch.save: it holds weights but no code. {}", file.string(), how);
  }
  return fmt::format("'{}' is a zip archive, but not a TorchScript model. {}", file.string(), how);
}

}  // namespace ampprof::cli
