// SPDX-License-Identifier: Apache-2.0
#include "reports/text/shell_text.h"

#include <string_view>

namespace ampprof::text {
namespace {

bool needs_quotes(const std::string& argument) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
  return argument.empty() || argument.find_first_not_of(kPlain) != std::string::npos;
}

std::string quoted(const std::string& argument) {
  if (!needs_quotes(argument)) return argument;
  std::string result = "'";
  for (const char c : argument) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + '\'';
}

}  // namespace

std::string shell_text(const std::vector<std::string>& arguments) {
  std::string text;
  for (const std::string& argument : arguments) text += (text.empty() ? "" : " ") + quoted(argument);
  return text;
}

std::optional<std::vector<std::string>> words_of(std::string_view line) {
  std::vector<std::string> words;
  bool in_word = false;
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (!is_quoted && c == ' ') {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\'') {
      is_quoted = !is_quoted;
    } else if (c == '\\' && !is_quoted && i + 1 < line.size()) {
      words.back() += line[++i];
    } else {
      words.back() += c;
    }
  }
  if (is_quoted) return std::nullopt;
  return words;
}

std::optional<std::string> flag_in(std::string_view line, std::string_view flag) {
  for (const std::string& word : words_of(line).value_or(std::vector<std::string>())) {
    if (!word.starts_with(flag)) continue;
    if (word.size() == flag.size()) return "";
    if (word[flag.size()] == '=') return word.substr(flag.size() + 1);
  }
  return std::nullopt;
}

}  // namespace ampprof::text
