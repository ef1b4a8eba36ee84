// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "precision/error/kernels.h"
#include "precision/formats/types/widen.h"

/// Makes values for tests of kernels.
namespace ampprof::error::testing_buffer {

/// Numbers of elements: near the size of a warp, of a block, and of a warp's share, and enough for several blocks.
constexpr std::size_t kSizes[]{0, 1, 31, 32, 33, 255, 256, 257, 2047, 2048, 2049, 9001};

/// Holds values of one type, at an address that is `shift` elements off a multiple of 16 bytes.
class Buffer {
 public:
  Buffer(DType dtype, std::size_t size, std::size_t shift)
      : memory_((size + shift) * static_cast<std::size_t>(size_of(dtype)) / 16 + 2),
        all_{memory_.data(), size + shift, dtype} {
    elements_ = all_.part(shift, size);
  }

  const Elements& elements() const { return elements_; }
  std::byte* bytes() { return static_cast<std::byte*>(const_cast<void*>(elements_.data)); }

  void set(std::size_t i, double value) {
    const auto as_float = static_cast<float>(value);
    elements_.dtype == DType::Double ? write(i, value) : write(i, as_float);
  }

  /// Returns the values in double. Narrow types are converted through float.
  std::vector<double> values() const;

 private:
  struct alignas(16) Line {
    std::byte bytes[16];
  };

  template <typename T>
  void write(std::size_t i, T value) {
    std::memcpy(bytes() + i * sizeof(T), &value, sizeof value);
  }

  std::vector<Line> memory_;
  Elements all_;
  Elements elements_;
};

template <typename Word, typename Widen>
std::vector<double> widened(const Elements& elements, Widen widen) {
  std::vector<float> wide(elements.size);
  widen(std::span(static_cast<const Word*>(elements.data), elements.size), wide.data());
  return {wide.begin(), wide.end()};
}

template <typename T>
std::vector<double> in_double(const Elements& elements) {
  const auto* const values = static_cast<const T*>(elements.data);
  return {values, values + elements.size};
}

inline std::vector<double> Buffer::values() const {
  switch (elements_.dtype) {
    case DType::Half:
      return widened<std::uint16_t>(elements_, cpu::widen_half);
    case DType::BFloat16:
      return widened<std::uint16_t>(elements_, cpu::widen_bfloat16);
    case DType::Float8E4M3:
      return widened<std::uint8_t>(elements_, cpu::widen_float8_e4m3);
    case DType::Float8E5M2:
      return widened<std::uint8_t>(elements_, cpu::widen_float8_e5m2);
    case DType::Double:
      return in_double<double>(elements_);
    default:
      return in_double<float>(elements_);
  }
}

/// Kinds of test values. Faint: the squares of the values are normal floats, but those of the errors are not. Apart:
/// the squares of the references are not normal floats.
enum class Kind { Plain, Wild, Huge, Tiny, Faint, Apart };

constexpr double kSpecial[]{0.0,
                            -0.0,
                            std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity(),
                            NAN,
                            65504,
                            65519.99,
                            65520,
                            65536,
                            0x1p-14,
                            0x1.ffffp-15,
                            0x1p-24,
                            0x1p-25,
                            0x1.00001p-25,
                            0x1p-149,
                            -0x1p-126,
                            3.4e38,
                            1e150,
                            1e-150};

inline double value_of(Kind kind, std::mt19937& random) {
  std::normal_distribution<double> normal;
  const auto around = [&](int low, int high) {
    return std::ldexp(normal(random), std::uniform_int_distribution(low, high)(random));
  };
  switch (kind) {
    case Kind::Plain:
    case Kind::Apart:
      return random() % 8 == 0 ? 0.0 : around(-8, 2);
    case Kind::Wild:
      return random() % 4 == 0 ? kSpecial[random() % std::size(kSpecial)] : around(-45, 20);
    case Kind::Huge:
      return around(40, 120);
    case Kind::Faint:
      return around(-54, -52);
    default:
      return around(-149, -40);
  }
}

/// Fills an output, and a reference that is near the output, equal to it, or different. Kind::Wild gives narrow types
/// arbitrary bits.
inline void fill(Buffer& output, Buffer& reference, Kind kind, unsigned seed) {
  std::mt19937 random(seed);
  const DType dtype = output.elements().dtype;
  const std::size_t size = output.elements().size;
  const bool is_narrow = size_of(dtype) < 4;
  for (std::size_t i = 0; i < size; ++i) {
    if (!is_narrow) output.set(i, value_of(kind, random));
  }
  if (is_narrow) {
    for (std::size_t i = 0; i < size * static_cast<std::size_t>(size_of(dtype)); ++i) {
      // A low exponent field excludes NaN: 0x3f clears the sign and the highest exponent bit.
      output.bytes()[i] = static_cast<std::byte>(kind == Kind::Wild ? random() : random() & 0x3fU);
    }
  }
  const std::vector<double> values = output.values();
  for (std::size_t i = 0; i < size; ++i) {
    const double other = value_of(kind, random);
    const unsigned which = kind == Kind::Faint || kind == Kind::Apart ? 2 : random() % 8;
    const double width = kind == Kind::Faint ? 0x1p-20 : 1e-3;
    const double scale = kind == Kind::Apart ? 0x1p-72 : 1.0;
    const double near = values[i] * scale * (1 + width * std::generate_canonical<double, 53>(random));
    reference.set(i, which == 0 ? other : which == 1 ? values[i] : near);
  }
}

}  // namespace ampprof::error::testing_buffer
