// SPDX-License-Identifier: Apache-2.0
#include "samples/common/words.h"

#include <torch/torch.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "samples/common/data_file.h"

namespace samples {
namespace {

constexpr std::size_t kHeldOut = 3000;

std::vector<std::string> read_words() {
  std::istringstream lines(read_data_file("words_30k.txt.gz"));
  std::vector<std::string> words;
  for (std::string word; std::getline(lines, word);) words.push_back(word);
  return words;
}

at::Tensor text_of(const std::vector<std::string>& words, std::size_t begin, std::size_t end) {
  std::vector<std::int64_t> symbols;
  for (std::size_t i = begin; i < end; ++i) {
    for (const char letter : words[i]) symbols.push_back(letter - 'a' + 1);
    symbols.push_back(0);
  }
  return torch::tensor(symbols, torch::kLong);
}

Windows windows_at(const at::Tensor& text, const at::Tensor& places, std::int64_t length) {
  const at::Tensor index = places.unsqueeze(1) + torch::arange(length + 1);
  const at::Tensor symbols = text.take(index);
  return {symbols.slice(1, 0, length), symbols.slice(1, 1)};
}

}  // namespace

WordSplit load_words(std::uint64_t seed) {
  auto words = read_words();
  std::mt19937_64 random(seed);
  std::ranges::shuffle(words, random);
  return {text_of(words, kHeldOut, words.size()), text_of(words, 0, kHeldOut)};
}

Windows random_windows(const at::Tensor& text, std::int64_t count, std::int64_t length) {
  return windows_at(text, torch::randint(text.size(0) - length, {count}), length);
}

Windows first_windows(const at::Tensor& text, std::int64_t count, std::int64_t length) {
  const auto fitting = std::min(count, (text.size(0) - 1) / length);
  return windows_at(text, torch::arange(fitting) * length, length);
}

}  // namespace samples
