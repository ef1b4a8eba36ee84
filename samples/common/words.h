// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace samples {

/// Number of symbols in a text of words: 0 ends a word, 1 to 26 are a to z. Not a multiple of 8.
constexpr std::int64_t kSymbols = 27;

/// Texts of English words in random order, each word followed by symbol 0: int64 [symbols].
struct WordSplit {
  at::Tensor train;  ///< 27,000 words
  at::Tensor test;   ///< 3,000 words
};

/// Loads the 30,000 words that are installed beside the program. Order and split depend on the seed alone. Does not
/// change LibTorch's random state.
WordSplit load_words(std::uint64_t seed);

/// Input symbols, and the symbol that follows each of them, both int64 [count, length].
struct Windows {
  at::Tensor inputs;
  at::Tensor targets;

  Windows to(at::Device device) const { return {inputs.to(device), targets.to(device)}; }
};

/// Returns `count` windows at random positions in a text.
Windows random_windows(const at::Tensor& text, std::int64_t count, std::int64_t length);

/// Returns consecutive windows from the start of a text: as many as fit, at most `count`.
Windows first_windows(const at::Tensor& text, std::int64_t count, std::int64_t length);

}  // namespace samples
