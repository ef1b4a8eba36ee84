// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "reports/records/dtype.h"

namespace ampprof::kernel_names {

/// A kernel's name and its words: what stands between underscores and other signs. In a mangled name a word may begin
/// with the length of an identifier.
struct NameWords {
  std::string_view text;
  std::vector<std::string_view> words;

  bool has(std::string_view part) const { return text.find(part) != std::string_view::npos; }
  bool has_word(std::string_view word) const;
};

/// Looks into the words; the views point into `name`. Stops after 400 words, which no library's name has in front of
/// what counts.
NameWords words_of(std::string_view name);

/// "s16816gemm", "h884cudnn", "i16832gemm", "s1688bf16gemm": letters, the shape of a Tensor Core instruction, perhaps a
/// type, and what is computed. "sgemm", "scudnn", "zgemm": no shape, and so no Tensor Core.
struct MatmulWord {
  char letter = 0;             ///< type of the sums: h, s, d, i; c and z for complex ones; 0 where none is said
  std::string_view shape;      ///< "16816"; "" where none is said
  std::string_view operation;  ///< what follows: "gemm", "bf16gemm", "cudnn"
};
std::optional<MatmulWord> matmul_word(std::string_view word);

/// A number type as names spell it: "f16", "fp16", "bf16", "tf32", "e4m3", "i8", "cf32".
struct NumberWord {
  DType dtype = DType::Unknown;  ///< Unknown for types that ampprof has no name for: "e2m1", "i4"
  bool tf32 = false;
  bool complex = false;
};

/// The types that a whole word is made of, "f16f32" or "e4m3e4m3bf16". Empty where it is anything else.
std::vector<NumberWord> number_words(std::string_view word);

/// "128x64" and "128x64x32", as numbers. Empty where the word is anything else.
std::vector<int> size_words(std::string_view word);

constexpr bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
constexpr bool is_lower(char letter) { return letter >= 'a' && letter <= 'z'; }
constexpr bool is_alphanumeric(char letter) {
  return is_digit(letter) || is_lower(letter) || (letter >= 'A' && letter <= 'Z');
}

}  // namespace ampprof::kernel_names
