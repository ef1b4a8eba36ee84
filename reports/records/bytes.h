// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

/// Encodes numbers as bytes. The bytes to decode come from untrusted files, so decoding may fail.
namespace ampprof::bytes {

/// Appends a number as LEB128: seven bits per byte, the lowest first.
inline void put_number(std::string& to, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) to.push_back(static_cast<char>(number | 0x80));
  to.push_back(static_cast<char>(number));
}

/// Appends a number in zigzag encoding, so that small negative numbers are short too.
inline void put_signed(std::string& to, std::int64_t number) {
  put_number(to, static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number >> 63));
}

/// Appends a count. A negative count becomes 0.
inline void put_count(std::string& to, std::int64_t count) {
  put_number(to, static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0)));
}

/// Return a difference or a sum that wraps on overflow, since a damaged file may hold any number.
constexpr std::int64_t difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
constexpr std::int64_t sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// Appends eight bytes, little endian.
inline void put_real(std::string& to, double value) {
  static_assert(std::endian::native == std::endian::little);
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  to.append(raw, sizeof value);
}

inline void put_text(std::string& to, std::string_view text) {
  put_number(to, text.size());
  to.append(text);
}

/// Reads values from the front of the bytes. After a failure, all further values are 0 or empty, and failed() is true.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  bool failed() const { return failed_; }
  bool at_end() const { return bytes_.empty(); }

  std::uint64_t number() {
    std::uint64_t number = 0;
    for (int shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      number |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
    return fail(), 0;
  }

  /// Reads a count. A number with the highest bit set is invalid.
  std::int64_t count() {
    const std::uint64_t taken = number();
    if (taken >> 63 != 0) return fail(), 0;
    return static_cast<std::int64_t>(taken);
  }

  std::int64_t signed_number() {
    const std::uint64_t taken = number();
    return static_cast<std::int64_t>(taken >> 1) ^ -static_cast<std::int64_t>(taken & 1);
  }

  double real() {
    double value = 0.0;
    const std::string_view raw = take(sizeof value);
    if (!raw.empty()) std::memcpy(&value, raw.data(), sizeof value);
    return value;
  }

  std::uint8_t byte() {
    const std::string_view raw = take(1);
    return raw.empty() ? 0 : static_cast<std::uint8_t>(raw.front());
  }

  std::string_view text() { return take(number()); }

 private:
  void fail() { failed_ = true, bytes_ = {}; }

  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size()) return fail(), std::string_view{};
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }

  std::string_view bytes_;
  bool failed_ = false;
};

}  // namespace ampprof::bytes
