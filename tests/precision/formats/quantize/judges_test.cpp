// SPDX-License-Identifier: Apache-2.0
// Compares quantizers with results of ml_dtypes and torchao for the same matrices. make_vectors.py writes them to
// vectors.txt.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>

#include "precision/formats/quantize/quantize.h"
#include "precision/formats/recipes/operand_text.h"

namespace ampprof::quantize {
namespace judges_test {

using recipes::Direction;
using recipes::Operand;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// A case of vectors.txt.
struct Judged {
  std::string name;
  Direction direction = Direction::Rowwise;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  Settings settings = {};
  Operand operand = {};
  std::vector<float> from = {};
  std::vector<float> inverses = {};  ///< the inverse of each block's scale
  std::vector<std::uint32_t> codes = {};
};

std::vector<std::uint32_t> numbers_from(std::string_view hex, std::size_t digits) {
  std::vector<std::uint32_t> numbers;
  for (std::size_t i = 0; i < hex.size(); i += digits) {
    numbers.push_back(static_cast<std::uint32_t>(std::stoul(std::string(hex.substr(i, digits)), nullptr, 16)));
  }
  return numbers;
}

float float_from(std::string_view hex) { return std::bit_cast<float>(numbers_from(hex, 8).at(0)); }

/// Decodes a number with these exponent and mantissa bits, by the formula of OCP's 8-bit formats.
float decoded(std::uint32_t code, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = static_cast<int>(code >> mantissa_bits) & ((1 << exponent_bits) - 1);
  const int mantissa = static_cast<int>(code) & ((1 << mantissa_bits) - 1);
  const bool is_negative = (code >> (exponent_bits + mantissa_bits) & 1) != 0;
  const float fraction = std::ldexp(static_cast<float>(mantissa), -mantissa_bits);
  const float magnitude = exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1.0F + fraction, exponent - bias);
  return is_negative ? -magnitude : magnitude;
}

float e4m3(std::uint32_t code) { return (code & 0x7fU) == 0x7fU ? kNaN : decoded(code, 4, 3); }

float element_of(std::uint32_t code, recipes::Element element) {
  if (element == recipes::Element::Float4E2M1) return decoded(code, 2, 1);
  if (element == recipes::Element::Float8E4M3) return e4m3(code);
  return (code & 0x7fU) > 0x7cU ? kNaN : decoded(code, 5, 2);
}

std::vector<float> inverses_from(std::istringstream& line) {
  std::string kind;
  std::string hex;
  line >> kind >> hex;
  std::vector<float> inverses;
  if (kind == "multiplier") {
    for (const std::uint32_t bits : numbers_from(hex, 8)) inverses.push_back(1.0F / std::bit_cast<float>(bits));
  } else if (kind == "e8m0") {
    for (const std::uint32_t code : numbers_from(hex, 2)) {
      inverses.push_back(code == 255 ? kNaN : std::ldexp(1.0F, static_cast<int>(code) - 127));
    }
  } else {
    const float tensor_scale = float_from(hex);
    line >> hex;
    for (const std::uint32_t code : numbers_from(hex, 2)) inverses.push_back(e4m3(code) * tensor_scale);
  }
  return inverses;
}

std::istringstream line_of(std::istream& file) {
  std::string line;
  std::getline(file, line);
  return std::istringstream(line);
}

Judged read_case(std::istringstream head, std::istream& file) {
  Judged judged;
  std::string word;
  std::string amax;
  head >> word >> judged.name >> word >> judged.rows >> judged.columns >> amax;
  judged.direction = word == "rowwise" ? Direction::Rowwise : Direction::Columnwise;
  if (amax != "-") judged.settings.amax = float_from(amax);
  auto operand = line_of(file);
  std::vector<std::string> words;
  for (operand >> word; operand >> word;) words.push_back(word);
  judged.operand = recipes::operand_from(std::vector<std::string_view>(words.begin(), words.end()));
  line_of(file) >> word >> amax;
  const std::size_t digits = amax.size() / static_cast<std::size_t>(judged.rows * judged.columns);
  for (const std::uint32_t bits : numbers_from(amax, digits)) {
    judged.from.push_back(std::bit_cast<float>(digits == 4 ? bits << 16 : bits));
  }
  auto scales = line_of(file);
  scales >> word;
  judged.inverses = inverses_from(scales);
  line_of(file) >> word >> amax;
  judged.codes = numbers_from(amax, 2);
  return judged;
}

std::map<std::string, Judged> read_file() {
  std::ifstream file(QUANTIZE_VECTORS);
  EXPECT_TRUE(file.is_open()) << QUANTIZE_VECTORS;
  std::map<std::string, Judged> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    Judged judged = read_case(std::istringstream(line), file);
    cases[judged.name] = judged;
  }
  return cases;
}

/// Returns the index of an element's block in `inverses`.
std::size_t block_of(const Judged& judged, std::int64_t row, std::int64_t column) {
  if (judged.inverses.size() == 1) return 0;
  const bool is_rowwise = judged.direction == Direction::Rowwise;
  const recipes::BlockShape& block = judged.operand.block;
  const std::int64_t height = is_rowwise ? block.across : block.along;
  const std::int64_t width = is_rowwise ? block.along : block.across;
  return static_cast<std::size_t>(row / height * ((judged.columns + width - 1) / width) + column / width);
}

void check(const Judged& judged, error::cpu::InstructionSet instructions) {
  std::vector<float> to(judged.from.size());
  Settings settings = judged.settings;
  settings.instructions = instructions;
  cpu::quantize({judged.from.data(), DType::Float, judged.rows, judged.columns, judged.columns},
                {to.data(), judged.columns}, judged.operand, judged.direction, settings);
  for (std::int64_t row = 0; row < judged.rows; ++row) {
    for (std::int64_t column = 0; column < judged.columns; ++column) {
      const auto i = static_cast<std::size_t>(row * judged.columns + column);
      const float element = element_of(judged.codes.at(i), judged.operand.element);
      const float right = element * judged.inverses.at(block_of(judged, row, column));
      const bool is_same = std::isnan(right)
                               ? std::isnan(to[i])
                               : std::bit_cast<std::uint32_t>(right) == std::bit_cast<std::uint32_t>(to[i]);
      ASSERT_TRUE(is_same) << judged.name << " at " << row << ", " << column << ": of " << judged.from[i] << " came "
                           << to[i] << " in place of " << right;
    }
  }
}

TEST(Judges, AgreeBitForBit) {
  const auto cases = read_file();
  EXPECT_EQ(cases.size(), 31U);
  for (const auto& [name, judged] : cases) {
    SCOPED_TRACE(name);
    check(judged, error::cpu::best_instruction_set());
    check(judged, error::cpu::InstructionSet::Baseline);
  }
}

}  // namespace judges_test
}  // namespace ampprof::quantize
