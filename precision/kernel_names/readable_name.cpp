// SPDX-License-Identifier: Apache-2.0
#include "precision/kernel_names/readable_name.h"

#include <cxxabi.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>

#include "precision/kernel_names/name_words.h"

namespace ampprof::kernel_names {
namespace {

// The demangler expands each reference to an earlier part of the name (S0_, T_). References to references double the
// text, so a name of 300 bytes may need gigabytes. This limit keeps the memory in the megabytes.
constexpr std::size_t kMostReferences = 32;
constexpr std::size_t kLongestMangled = 8192;

/// Returns the length of the reference at `at`: "S_", "S1_", "T_", "T0_"; 0 if there is none.
std::size_t reference_at(std::string_view name, std::size_t at) {
  if (name[at] != 'S' && name[at] != 'T') return 0;
  const std::size_t end = name.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", at + 1);
  return end != name.npos && name[end] == '_' ? end + 1 - at : 0;
}

std::size_t references_in(std::string_view name) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < name.size(); ++i) count += reference_at(name, i) > 0 ? 1 : 0;
  return count;
}

/// Replaces each reference by a type called "_". Skips identifiers, which begin with their length, and literals (Li4E),
/// whose numbers are not lengths.
std::string without_references(std::string_view name) {
  std::string result;
  for (std::size_t i = 0; i < name.size();) {
    std::size_t taken = 1;
    if (is_digit(name[i])) {
      const std::string_view rest = name.substr(i);
      std::size_t length = 0;
      const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
      taken = static_cast<std::size_t>(end - rest.data());
      taken += std::min(length, rest.size());
    } else if (name[i] == 'L' && i + 1 < name.size() && is_lower(name[i + 1])) {
      taken = std::min(name.find('E', i), name.size()) - i;
    } else if (const std::size_t reference = reference_at(name, i)) {
      result += "1_";
      i += reference;
      continue;
    }
    result += name.substr(i, taken);
    i += taken;
  }
  return result;
}

std::string demangled(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : "";
}

bool is_opening(char letter) { return letter == '<' || letter == '(' || letter == '{'; }

/// Returns the index of the bracket that closes the one at `open`; the size of the text if there is none.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (is_opening(text[i])) ++depth;
    if (text[i] == '>' || text[i] == ')' || text[i] == '}') --depth;
    if (depth == 0) return i;
  }
  return text.size();
}

/// Tells whether a function's parameters begin here.
bool is_parameters(std::string_view text) {
  return text.starts_with('(') && !text.starts_with("(anonymous namespace)");
}

/// Removes the result type and the parameters: "void f<int>(int*)" becomes "f<int>".
std::string_view without_signature(std::string_view text) {
  if (text.starts_with("void ")) text.remove_prefix(5);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_parameters(text.substr(i))) return text.substr(0, i);
    if (is_opening(text[i])) i = closing(text, i);
  }
  return text;
}

std::string cut(std::string_view text) {
  if (text.size() <= kLongestReadableName) return std::string(text);
  constexpr std::string_view kMore = "…";
  std::size_t end = kLongestReadableName - kMore.size();
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not inside a UTF-8 character
  return std::string(text.substr(0, end)) + std::string(kMore);
}

/// Returns the text after the last "::" outside brackets. If that text is only "kernel", includes the component before
/// it.
std::string_view without_namespaces(std::string_view text) {
  std::size_t begin = 0;
  std::size_t before = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_opening(text[i])) i = closing(text, i);
    if (text.substr(i).starts_with("::")) {
      before = begin;
      begin = i + 2;
      ++i;
    }
  }
  const std::string_view last = text.substr(std::min(begin, text.size()));
  return last.starts_with("kernel") || last.starts_with("Kernel") ? text.substr(before) : last;
}

/// Template arguments nested deeper than this become "…".
constexpr int kDepth = 2;

std::string collapsed(std::string_view text, int depth);

/// Turns "f<int>(int)::{lambda(double)#1}" into "f<int>{lambda(double)}".
std::string lambda_name(std::string_view text, std::string_view lambda, int depth) {
  std::size_t function = 0;
  while (function < text.size() && !is_parameters(text.substr(function))) {
    const bool is_bracket = text[function] == '<' || text[function] == '(';
    function = is_bracket ? closing(text, function) + 1 : function + 1;
  }
  if (function >= text.size()) return std::string(lambda);
  return collapsed(text.substr(0, function), depth) + std::string(lambda.substr(0, lambda.rfind('#'))) + '}';
}

std::string collapsed(std::string_view text, int depth) {
  const std::string_view whole = text;
  text = without_namespaces(text);
  if (text.starts_with("{lambda") && text.size() < whole.size()) return lambda_name(whole, text, depth);
  const std::size_t open = text.find('<');
  if (open == std::string_view::npos) return std::string(text);
  std::string result(text.substr(0, open));
  if (depth == 0) return result + "<…>";
  const std::size_t close = closing(text, open);
  std::string separator = "<";
  for (std::size_t begin = open + 1; begin <= close;) {
    std::size_t end = begin;
    while (end < close && text[end] != ',') end = is_opening(text[end]) ? closing(text, end) + 1 : end + 1;
    std::string_view argument = text.substr(begin, std::min(end, close) - begin);
    while (argument.starts_with(' ')) argument.remove_prefix(1);
    result += separator + collapsed(argument, depth - 1);
    separator = ", ";
    begin = end + 1;
  }
  return result + '>';
}

}  // namespace

std::string readable_name(std::string_view name) {
  if (!name.starts_with("_Z") || name.size() > kLongestMangled) return cut(name);
  std::string mangled(name);
  if (references_in(mangled) > kMostReferences) mangled = without_references(mangled);
  if (references_in(mangled) > kMostReferences) return cut(name);
  const std::string text = demangled(mangled);
  return cut(text.empty() ? name : without_signature(text));
}

std::string short_name_of_kernel(std::string_view name) {
  const std::string text = readable_name(name);
  return text == name ? text : collapsed(text, kDepth);
}

}  // namespace ampprof::kernel_names
