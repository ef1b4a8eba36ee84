// SPDX-License-Identifier: Apache-2.0
#include "reports/records/signature.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace ampprof {
namespace {

constexpr std::string_view kUndefined = "-";

void append_number(std::string& text, std::int64_t number) {
  char digits[20];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
  text.append(digits, end);
}

void append_numbers(std::string& text, char begin, const std::vector<std::int64_t>& numbers, char end) {
  text += begin;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += ',';
    append_number(text, numbers[i]);
  }
  text += end;
}

void append(std::string& text, const TensorInfo& tensor) {
  if (tensor == TensorInfo{}) {
    text += kUndefined;
    return;
  }
  text += short_name(tensor.dtype);
  append_numbers(text, '[', tensor.shape, ']');
  if (!tensor.strides.empty()) append_numbers(text, '{', tensor.strides, '}');
  if (tensor.alignment == kFullAlignment) return;
  text += '@';
  append_number(text, tensor.alignment);
}

void append_without_blanks(std::string& text, std::string_view part) {
  std::copy_if(part.begin(), part.end(), std::back_inserter(text), [](char c) { return c != ' '; });
}

// Parses "64,1,28,28"; empty for other text, also for a number that is negative or does not fit.
std::optional<std::vector<std::int64_t>> numbers_from(std::string_view text) {
  std::vector<std::int64_t> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::int64_t number = 0;
    const auto [after, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || number < 0) return std::nullopt;
    numbers.push_back(number);
    if (after == end) return numbers;
    if (*after != ',' || after + 1 == end) return std::nullopt;
    at = after + 1;
  }
  return numbers;
}

/// Cuts "{40,1}" off the end of a word. Empty for other text between braces.
std::optional<std::vector<std::int64_t>> cut_strides(std::string_view& word) {
  if (!word.ends_with('}')) return std::vector<std::int64_t>{};
  const auto brace = word.find('{');
  if (brace == 0 || brace == std::string_view::npos) return std::nullopt;
  auto strides = numbers_from(word.substr(brace + 1, word.size() - brace - 2));
  word = word.substr(0, brace);
  return strides && strides->empty() ? std::nullopt : strides;
}

/// Cuts "@2" off the end of a word. Empty for an invalid alignment.
std::optional<int> cut_alignment(std::string_view& word) {
  const auto at = word.find('@');
  if (at == std::string_view::npos) return kFullAlignment;
  const auto digits = word.substr(at + 1);
  int alignment = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), alignment);
  const bool is_whole = error == std::errc{} && end == digits.data() + digits.size();
  if (at == 0 || !is_whole || alignment < 1 || alignment > kFullAlignment) return std::nullopt;
  word = word.substr(0, at);
  return alignment;
}

std::optional<TensorInfo> tensor_from(std::string_view word) {
  if (word == kUndefined) return TensorInfo{};
  const auto alignment = cut_alignment(word);
  if (!alignment) return std::nullopt;
  auto strides = cut_strides(word);
  const auto bracket = word.find('[');
  if (!strides || bracket == 0 || bracket == std::string_view::npos || word.back() != ']') return std::nullopt;
  auto shape = numbers_from(word.substr(bracket + 1, word.size() - bracket - 2));
  if (!shape || (!strides->empty() && strides->size() != shape->size())) return std::nullopt;
  return TensorInfo{dtype_from(word.substr(0, bracket)), std::move(*shape), std::move(*strides), *alignment};
}

}  // namespace

std::string_view Signature::attribute(std::string_view name, std::string_view fallback) const {
  for (const auto& [key, value] : attributes) {
    if (key == name) return value;
  }
  return fallback;
}

std::string to_text(const Signature& signature) {
  std::string text;
  for (const TensorInfo& tensor : signature.tensors) {
    if (!text.empty()) text += ' ';
    append(text, tensor);
  }
  for (const auto& [name, value] : signature.attributes) {
    if (!text.empty()) text += ' ';
    append_without_blanks(text, name);
    text += '=';
    append_without_blanks(text, value);
  }
  return text;
}

Signature signature_from(std::string_view text) {
  Signature signature;
  while (!text.empty()) {
    const auto blank = std::min(text.find(' '), text.size());
    const auto word = text.substr(0, blank);
    text.remove_prefix(std::min(blank + 1, text.size()));
    const auto equals = word.find('=');
    if (equals != std::string_view::npos && equals > 0) {
      signature.attributes.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    } else if (auto tensor = tensor_from(word)) {
      signature.tensors.push_back(std::move(*tensor));
    } else {
      break;
    }
  }
  return signature;
}

}  // namespace ampprof
