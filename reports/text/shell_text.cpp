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

}  // namespace ampprof::text
