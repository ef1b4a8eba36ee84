// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "reports/records/dtype.h"

namespace ampprof::kernel_names {

/// A kernel's name and its words, separated by underscores and other punctuation. In a mangled name a word may begin
/// with the length of an identifier.
struct NameWords {
  std::string_view text;
  std::vector<std::string_view> words;

  bool has(std::string_view part) const { return text.find(part) != std::string_view::npos; }
  bool has_word(std::string_view word) const;
};

/// Splits a name into words; the views point into `name`. Stops after 400 words; in all known libraries the relevant
/// part comes earlier.
NameWords words_of(std::string_view name);

/// A word that denotes a matmul. "s16816gemm", "h884cudnn", "i16832gemm", "s1688bf16gemm": letters, the shape of a
/// Tensor Core instruction, sometimes a type, and the operation. "sgemm", "scudnn", "zgemm": no shape, hence no Tensor
/// Cores.
struct MatmulWord {
  char letter = 0;             ///< type of the accumulator: h, s, d, i; c and z for complex numbers; 0 if missing
  std::string_view shape;      ///< "16816"; "" if missing
  std::string_view operation;  ///< the remaining text: "gemm", "bf16gemm", "cudnn"
};
std::optional<MatmulWord> matmul_word(std::string_view word);

/// A number type as spelled in kernel names: "f16", "fp16", "bf16", "tf32", "e4m3", "i8", "cf32".
struct NumberWord {
  DType dtype = DType::Unknown;  ///< Unknown for types that DType does not have: "e2m1", "i4"
  bool tf32 = false;
  bool complex = false;
};

/// Returns the types that make up a whole word, "f16f32" or "e4m3e4m3bf16". Empty for other words.
std::vector<NumberWord> number_words(std::string_view word);

/// Returns the numbers of "128x64" or "128x64x32". Empty for other words.
std::vector<int> size_words(std::string_view word);

constexpr bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
constexpr bool is_lower(char letter) { return letter >= 'a' && letter <= 'z'; }
constexpr bool is_alphanumeric(char letter) {
  return is_digit(letter) || is_lower(letter) || (letter >= 'A' && letter <= 'Z');
}

}  // namespace ampprof::kernel_names
