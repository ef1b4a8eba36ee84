// SPDX-License-Identifier: Apache-2.0
#include "precision/kernel_names/name_words.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ampprof::kernel_names {
namespace {

constexpr std::size_t kMostWords = 400;

struct Spelling {
  std::string_view text;
  NumberWord number;
};

// Longer spellings come before their prefixes.
constexpr std::array kSpellings{
    Spelling{"bf16", {DType::BFloat16}},   Spelling{"tf32", {DType::Float, true}},
    Spelling{"e4m3", {DType::Float8E4M3}}, Spelling{"e5m2", {DType::Float8E5M2}},
    Spelling{"e2m1", {DType::Unknown}},    Spelling{"e3m2", {DType::Unknown}},
    Spelling{"e2m3", {DType::Unknown}},    Spelling{"fp16", {DType::Half}},
    Spelling{"fp32", {DType::Float}},      Spelling{"fp64", {DType::Double}},
    Spelling{"f16", {DType::Half}},        Spelling{"f32", {DType::Float}},
    Spelling{"f64", {DType::Double}},      Spelling{"uint8", {DType::UInt8}},
    Spelling{"int8", {DType::Int8}},       Spelling{"int32", {DType::Int32}},
    Spelling{"i32", {DType::Int32}},       Spelling{"s32", {DType::Int32}},
    Spelling{"i8", {DType::Int8}},         Spelling{"s8", {DType::Int8}},
    Spelling{"u8", {DType::UInt8}},        Spelling{"f8", {DType::Unknown}},
    Spelling{"f4", {DType::Unknown}},      Spelling{"i4", {DType::Unknown}},
    Spelling{"s4", {DType::Unknown}},      Spelling{"u4", {DType::Unknown}},
};

const Spelling* spelling_at(std::string_view text) {
  const auto found = std::ranges::find_if(kSpellings, [&](const auto& entry) { return text.starts_with(entry.text); });
  return found == kSpellings.end() ? nullptr : &*found;
}

// Handles "int8x4" (four numbers in one register) and "ue8m0xe4m3" (a block scale's type before the element type).
std::string_view without_packing(std::string_view word) {
  if (word.starts_with("ue8m0x") || word.starts_with("ue4m3x")) return word.substr(6);
  const bool is_integer = word.starts_with("int") || word.starts_with("uint");
  return is_integer ? word.substr(0, word.find('x')) : word;
}

}  // namespace

bool NameWords::has_word(std::string_view word) const { return std::ranges::find(words, word) != words.end(); }

NameWords words_of(std::string_view name) {
  NameWords result{name, {}};
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= name.size() && result.words.size() < kMostWords; ++i) {
    if (i < name.size() && is_alphanumeric(name[i])) continue;
    if (i > begin) result.words.push_back(name.substr(begin, i - begin));
    begin = i + 1;
  }
  return result;
}

std::optional<MatmulWord> matmul_word(std::string_view word) {
  constexpr auto kShapes = std::to_array<std::string_view>({"884", "1688", "16816", "16832", "8816", "8832", "161616"});
  constexpr auto kOperations = std::to_array<std::string_view>({"gemm", "cudnn", "fprop", "dgrad", "wgrad"});
  const std::size_t digits = std::ranges::find_if_not(word, is_lower) - word.begin();
  std::string_view rest = word.substr(digits);
  const std::string_view shape = rest.substr(0, std::ranges::find_if_not(rest, is_digit) - rest.begin());
  if (!shape.empty()) {
    rest.remove_prefix(shape.size());
    if (digits > 2 || std::ranges::find(kShapes, shape) == kShapes.end()) return std::nullopt;
    const auto names_it = [&](std::string_view operation) { return rest.find(operation) <= 5; };
    if (!std::ranges::any_of(kOperations, names_it)) return std::nullopt;
    return MatmulWord{digits == 0 ? '\0' : word[digits - 1], shape, rest};
  }
  const bool is_gaussian = word.starts_with("gz") || word.starts_with("gc");  // complex, with three real matmuls
  const std::size_t at = is_gaussian ? 1 : 0;
  if (word.size() <= at || std::string_view("sdhzci").find(word[at]) == std::string_view::npos) return std::nullopt;
  const std::string_view operation = word.substr(at + 1);
  if (!operation.starts_with("gemm") && !operation.starts_with("cudnn")) return std::nullopt;
  return MatmulWord{word[at], {}, operation};
}

std::vector<NumberWord> number_words(std::string_view word) {
  std::vector<NumberWord> numbers;
  word = without_packing(word);
  while (!word.empty()) {
    const bool is_complex = word.front() == 'c';
    if (is_complex) word.remove_prefix(1);
    const Spelling* spelling = spelling_at(word);
    if (spelling == nullptr) return {};
    numbers.push_back(spelling->number);
    numbers.back().complex = is_complex;
    word.remove_prefix(spelling->text.size());
  }
  return numbers;
}

std::vector<int> size_words(std::string_view word) {
  std::vector<int> sizes;
  while (true) {
    int size = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), size);
    const std::size_t length = end - word.data();
    if (error != std::errc{} || length > 4 || size <= 0) return {};
    sizes.push_back(size);
    word.remove_prefix(length);
    if (word.empty()) break;
    if (word.front() != 'x') return {};
    word.remove_prefix(1);
  }
  return sizes.size() == 2 || sizes.size() == 3 ? sizes : std::vector<int>{};
}

}  // namespace ampprof::kernel_names
