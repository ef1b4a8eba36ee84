// SPDX-License-Identifier: Apache-2.0
#include "cli/export/event_file.h"

#include <array>
#include <bit>
#include <cstddef>
#include <ostream>

namespace ampprof::cli {
namespace {

constexpr std::array<std::uint32_t, 256> crc_table() {
  constexpr std::uint32_t kPolynomial = 0x82F63B78;  // Castagnoli's polynomial, bits reversed
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    table.at(i) = crc;
  }
  return table;
}

/// Rotates a CRC and adds a constant, as TFRecord does, since a CRC of bytes that contain CRCs is weak.
std::uint32_t masked_crc(std::string_view bytes) { return std::rotr(crc32c(bytes), 15) + 0xA282EAD8; }

/// Returns the `count` low bytes of a number in little-endian order.
std::string little_endian(std::uint64_t number, int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
  return bytes;
}

std::string fixed64(double value) { return little_endian(std::bit_cast<std::uint64_t>(value), 8); }

/// Bytes of a protocol buffer, field by field: https://protobuf.dev/programming-guides/encoding/
class Message {
 public:
  Message& integer(int field, std::int64_t value) {
    key(field, kVarint);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  Message& real(int field, double value) {
    key(field, kFixed64);
    bytes_ += fixed64(value);
    return *this;
  }
  Message& single(int field, float value) {
    key(field, kFixed32);
    bytes_ += little_endian(std::bit_cast<std::uint32_t>(value), 4);
    return *this;
  }
  Message& text(int field, std::string_view value) {
    key(field, kLengthDelimited);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  Message& message(int field, const Message& value) { return text(field, value.bytes_); }
  Message& packed(int field, const std::vector<double>& values) {
    std::string bytes;
    for (const double value : values) bytes += fixed64(value);
    return text(field, bytes);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  enum WireType : std::uint8_t { kVarint = 0, kFixed64 = 1, kLengthDelimited = 2, kFixed32 = 5 };

  void key(int field, WireType type) { varint(static_cast<std::uint64_t>(field) << 3 | type); }

  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>((value & 0x7F) | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

// Field numbers of each protocol buffer message.
enum EventField { kWallTime = 1, kStep = 2, kFileVersion = 3, kSummary = 5 };
enum SummaryField { kValue = 1 };
enum ValueField { kTag = 1, kSimpleValue = 2, kHisto = 5, kTensor = 8, kMetadata = 9 };
enum MetadataField { kPluginData = 1, kDataClass = 4 };
enum PluginDataField { kPluginName = 1 };
enum HistogramField { kMin = 1, kMax = 2, kNum = 3, kSum = 4, kSumSquares = 5, kBucketLimit = 6, kBucket = 7 };
enum TensorField { kDtype = 1, kTensorShape = 2, kStringVal = 8 };

constexpr std::int64_t kStringType = 7;   // DT_STRING
constexpr std::int64_t kTensorClass = 2;  // DATA_CLASS_TENSOR

Message event_at(const EventMoment& moment) {
  return Message().real(kWallTime, moment.wall_seconds).integer(kStep, moment.step);
}

void write_value(std::ostream& out, const EventMoment& moment, const Message& value) {
  out << tf_record(event_at(moment).message(kSummary, Message().message(kValue, value)).bytes());
}

/// Encodes a histogram. Estimates the sum and the sum of squares from the middles of the buckets.
Message histogram_message(const EventHistogram& histogram) {
  double number = 0;
  double sum = 0;
  double sum_squares = 0;
  double lower = histogram.lowest;
  for (std::size_t i = 0; i < histogram.limits.size(); ++i) {
    const double middle = (lower + histogram.limits[i]) / 2;
    number += histogram.counts[i];
    sum += histogram.counts[i] * middle;
    sum_squares += histogram.counts[i] * middle * middle;
    lower = histogram.limits[i];
  }
  return Message()
      .real(kMin, histogram.lowest)
      .real(kMax, lower)
      .real(kNum, number)
      .real(kSum, sum)
      .real(kSumSquares, sum_squares)
      .packed(kBucketLimit, histogram.limits)
      .packed(kBucket, histogram.counts);
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr auto kTable = crc_table();
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char byte : bytes) crc = (crc >> 8) ^ kTable.at((crc ^ static_cast<unsigned char>(byte)) & 0xFF);
  return ~crc;
}

std::string tf_record(std::string_view data) {
  const std::string length = little_endian(data.size(), 8);
  std::string record = length + little_endian(masked_crc(length), 4);
  record += data;
  return record + little_endian(masked_crc(data), 4);
}

void EventFile::add_version(double wall_seconds) {
  out_ << tf_record(Message().real(kWallTime, wall_seconds).text(kFileVersion, "brain.Event:2").bytes());
}

void EventFile::add_scalar(std::string_view tag, const EventMoment& moment, double value) {
  write_value(out_, moment, Message().text(kTag, tag).single(kSimpleValue, static_cast<float>(value)));
}

void EventFile::add_histogram(std::string_view tag, const EventMoment& moment, const EventHistogram& histogram) {
  write_value(out_, moment, Message().text(kTag, tag).message(kHisto, histogram_message(histogram)));
}

void EventFile::add_text(std::string_view tag, const EventMoment& moment, std::string_view text) {
  const Message plugin = Message().text(kPluginName, "text");
  const Message metadata = Message().message(kPluginData, plugin).integer(kDataClass, kTensorClass);
  // A tensor with a single value has a shape without dimensions.
  const Message tensor = Message().integer(kDtype, kStringType).message(kTensorShape, {}).text(kStringVal, text);
  write_value(out_, moment, Message().text(kTag, tag).message(kTensor, tensor).message(kMetadata, metadata));
}

}  // namespace ampprof::cli
