// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace samples {

/// Symbols of a text of words: 0 is the end of a word, 1 to 26 are a to z. No multiple of 8.
constexpr std::int64_t kSymbols = 27;

/// Texts of English words in random order, each word followed by symbol 0: int64 [symbols].
struct WordSplit {
  at::Tensor train;  ///< 27,000 words
  at::Tensor test;   ///< 3,000 words
};

/// The 30,000 words that lie beside the program; order and split depend on the seed alone. Does not touch LibTorch's
/// random state.
WordSplit load_words(std::uint64_t seed);

/// Inputs and what follows each of their symbols, both int64 [count, length].
struct Windows {
  at::Tensor inputs;
  at::Tensor targets;

  Windows to(at::Device device) const { return {inputs.to(device), targets.to(device)}; }
};

/// Windows at random places of a text.
Windows random_windows(const at::Tensor& text, std::int64_t count, std::int64_t length);

/// Windows that lie one behind the other, from the text's start: as many as fit, at most `count`.
Windows first_windows(const at::Tensor& text, std::int64_t count, std::int64_t length);

}  // namespace samples
