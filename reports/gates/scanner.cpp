// SPDX-License-Identifier: Apache-2.0
#include "reports/gates/scanner.h"

#include <algorithm>
#include <charconv>

#include "reports/gates/characters.h"
#include "reports/gates/rule_error.h"

namespace ampprof::gates {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kDigits = "0123456789";

// Classifies ASCII, whatever the locale.
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Accepts letters of other alphabets: "µs".
bool is_in_word(char c) { return is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80; }

struct Spelling {
  std::string_view text;
  Operation operation;
};

// Longer operators come before their prefixes.
constexpr Spelling kOperators[] = {
    {"<=", Operation::LessOrEqual}, {">=", Operation::GreaterOrEqual},
    {"==", Operation::Equal},       {"!=", Operation::NotEqual},
    {"&&", Operation::And},         {"||", Operation::Or},
    {"<", Operation::Less},         {">", Operation::Greater},
    {"+", Operation::Add},          {"-", Operation::Subtract},
    {"*", Operation::Multiply},     {"/", Operation::Divide},
};

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Returns the whole character at `at`, which may have several bytes.
std::string_view character_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return text.substr(at, end - at);
}

}  // namespace

void Scanner::skip_blanks() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }

void Scanner::advance() {
  skip_blanks();
  token_ = {.begin = at_, .end = at_};
  if (at_ == text_.size()) return;
  const char c = text_[at_];
  if (is_digit(c) || (c == '.' && text_.find_first_of(kDigits, at_) == at_ + 1)) return scan_number();
  if (is_letter(c)) return scan_name();
  if (c == '(' || c == ')') {
    token_.kind = c == '(' ? TokenKind::Open : TokenKind::Close;
    token_.end = ++at_;
    return;
  }
  if (scan_operator()) return;
  if (c == '=') throw RuleError(at_, "A single = is not a comparison. Write ==.");
  throw RuleError(at_, "'" + std::string(character_at(text_, at_)) + "' has no meaning here.");
}

void Scanner::scan_number() {
  token_.kind = TokenKind::Number;
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), token_.number);
  if (error == std::errc::result_out_of_range) throw RuleError(at_, "The number is too large or too small.");
  at_ = static_cast<std::size_t>(end - text_.data());
  scan_unit();
  token_.end = at_;
}

// A unit follows the number directly or after spaces. `and`, `or` and metrics are not units.
void Scanner::scan_unit() {
  const std::size_t end_of_number = at_;
  skip_blanks();
  std::size_t end = at_;
  if (end < text_.size() && text_[end] == '%') {
    ++end;
  } else {
    while (end < text_.size() && is_in_word(text_[end])) ++end;
  }
  const std::string_view name = text_.substr(at_, end - at_);
  if (const Unit* unit = unit_named(name)) {
    token_.unit = *unit;
    at_ = end;
  } else if (name.empty() || is_digit(name.front()) || name == "and" || name == "or" || metric_named(name) != nullptr) {
    at_ = end_of_number;
  } else {
    throw RuleError(at_, "'" + std::string(name) + "' is not a unit.", std::string(name), unit_names());
  }
}

void Scanner::scan_name() {
  while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
  token_.end = at_;
  const std::string_view name = text_of(token_);
  const bool is_operator = name == "and" || name == "or";
  token_.kind = is_operator ? TokenKind::Operator : TokenKind::Name;
  if (is_operator) token_.operation = name == "and" ? Operation::And : Operation::Or;
}

bool Scanner::scan_operator() {
  for (const Spelling& spelling : kOperators) {
    if (!text_.substr(at_).starts_with(spelling.text)) continue;
    token_.kind = TokenKind::Operator;
    token_.operation = spelling.operation;
    token_.end = at_ += spelling.text.size();
    return true;
  }
  return false;
}

Scanner::Argument Scanner::argument() {
  skip_blanks();
  Argument argument{.text = {}, .begin = at_};
  std::size_t end = 0;
  if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
    end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) throw RuleError(at_, "The quote is not closed.");
    argument.text = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    skip_blanks();
    end = at_;
  } else {
    end = std::min(text_.find_first_of(",()", at_), text_.size());
    argument.text = without_blanks(text_.substr(at_, end - at_));
  }
  at_ = end;
  if (at_ == text_.size()) throw RuleError(at_, "A closing parenthesis is missing.");
  if (text_[at_] != ',' && text_[at_] != ')') throw RuleError(at_, "A comma or a closing parenthesis is missing here.");
  token_ = {.kind = text_[at_] == ',' ? TokenKind::Operator : TokenKind::Close, .begin = at_, .end = at_ + 1};
  ++at_;
  return argument;
}

std::string_view symbol_of(Operation operation) {
  if (operation == Operation::And) return "and";
  if (operation == Operation::Or) return "or";
  return std::ranges::find(kOperators, operation, &Spelling::operation)->text;
}

}  // namespace ampprof::gates
