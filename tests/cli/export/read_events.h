// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/export/event_file.h"

/// A parser for event files, written from the specifications of TFRecord and protocol buffers. The parser shares only
/// the CRC with ampprof; a separate test checks the CRC. A malformed file fails the test.
namespace ampprof::cli {

template <class Number>
Number number_at(std::string_view bytes, std::size_t place = 0) {
  Number number{};
  if (place + sizeof number <= bytes.size()) std::memcpy(&number, bytes.data() + place, sizeof number);
  return number;
}

inline bool has_masked_crc(std::string_view data, std::uint32_t masked) {
  return std::rotr(crc32c(data), 15) + 0xA282EAD8 == masked;
}

inline std::vector<std::string> parse_records(std::string_view file) {
  std::vector<std::string> records;
  while (!file.empty()) {
    const auto length = number_at<std::uint64_t>(file);
    if (file.size() < 16 || file.size() - 16 < length ||
        !has_masked_crc(file.substr(0, 8), number_at<std::uint32_t>(file, 8)) ||
        !has_masked_crc(file.substr(12, length), number_at<std::uint32_t>(file, 12 + length))) {
      ADD_FAILURE() << "no record";
      break;
    }
    records.emplace_back(file.substr(12, length));
    file.remove_prefix(16 + length);
  }
  return records;
}

/// Values of the fields of a message, by field number. A varint is stored as 8 bytes, any other field as in the
/// message.
using Fields = std::multimap<std::uint64_t, std::string>;

inline std::uint64_t take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  ADD_FAILURE() << "no varint";
  return value;
}

inline Fields parse_message(std::string_view bytes) {
  Fields fields;
  while (!bytes.empty()) {
    const std::uint64_t key = take_varint(bytes);
    std::string value(8, '\0');
    if ((key & 7) == 0) {
      const std::uint64_t varint = take_varint(bytes);
      std::memcpy(value.data(), &varint, 8);
    } else {
      const std::size_t length = (key & 7) == 1 ? 8 : (key & 7) == 5 ? 4 : (key & 7) == 2 ? take_varint(bytes) : ~0UL;
      if (length > bytes.size()) {
        ADD_FAILURE() << "no field";
        return fields;
      }
      value = bytes.substr(0, length);
      bytes.remove_prefix(length);
    }
    fields.emplace(key >> 3, value);
  }
  return fields;
}

/// Returns the value of the field `number`; "" if the message lacks the field.
inline std::string field(const Fields& fields, std::uint64_t number) {
  const auto found = fields.find(number);
  return found == fields.end() ? "" : found->second;
}

inline std::vector<double> parse_packed(const std::string& bytes) {
  std::vector<double> values;
  for (std::size_t place = 0; place < bytes.size(); place += 8) values.push_back(number_at<double>(bytes, place));
  return values;
}

struct ReadEvent {
  double wall_seconds = 0;
  std::int64_t step = 0;
  std::string file_version;
  std::string tag;
  std::optional<float> scalar;
  std::map<int, double> figures;  ///< scalar fields of a histogram, by field number
  std::vector<double> limits, counts;
  std::string text, plugin;
};

inline std::vector<ReadEvent> parse_events(std::string_view file) {
  std::vector<ReadEvent> events;
  for (const std::string& record : parse_records(file)) {
    const Fields event = parse_message(record);
    const Fields value = parse_message(field(parse_message(field(event, 5)), 1));
    const Fields histogram = parse_message(field(value, 5));
    ReadEvent& read = events.emplace_back();
    read.wall_seconds = number_at<double>(field(event, 1));
    read.step = number_at<std::int64_t>(field(event, 2));
    read.file_version = field(event, 3);
    read.tag = field(value, 1);
    if (value.contains(2)) read.scalar = number_at<float>(field(value, 2));
    for (int figure = 1; figure <= 5; ++figure) {
      if (!histogram.empty()) read.figures[figure] = number_at<double>(field(histogram, static_cast<unsigned>(figure)));
    }
    read.limits = parse_packed(field(histogram, 6));
    read.counts = parse_packed(field(histogram, 7));
    read.text = field(parse_message(field(value, 8)), 8);
    read.plugin = field(parse_message(field(parse_message(field(value, 9)), 1)), 1);
  }
  return events;
}

}  // namespace ampprof::cli
