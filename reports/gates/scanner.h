// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "reports/gates/expression.h"

namespace ampprof::gates {

enum class TokenKind { End, Number, Name, Operator, Open, Close };

struct Token {
  TokenKind kind = TokenKind::End;
  std::size_t begin = 0;
  std::size_t end = 0;
  double number = 0.0;                      ///< for a Number, without its unit
  Unit unit = {};                           ///< for a Number; for "%", a plain unit with factor 0.01
  Operation operation = Operation::Number;  ///< for an Operator
};

/// Scans a rule from left to right. Throws RuleError.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) { advance(); }

  const Token& token() const { return token_; }
  std::string_view text_of(const Token& token) const { return text_.substr(token.begin, token.end - token.begin); }
  void advance();

  struct Argument {
    std::string text;
    std::size_t begin = 0;
  };
  /// Reads the argument after the current token, which is Open or a comma, up to the next comma or parenthesis: a
  /// level, a phase or a pattern. A pattern that contains a comma or a parenthesis is quoted. Afterwards, the current
  /// token is the delimiter: Close, or an Operator for a comma.
  Argument argument();
  /// Returns whether the current token is the comma that argument() stopped at.
  bool at_comma() const { return token_.kind == TokenKind::Operator && text_of(token_) == ","; }

 private:
  void skip_blanks();
  void scan_number();
  void scan_unit();
  void scan_name();
  bool scan_operator();

  std::string_view text_;
  std::size_t at_ = 0;
  Token token_ = {};
};

/// Returns the text of a binary operator: "<=", "and".
std::string_view symbol_of(Operation operation);

}  // namespace ampprof::gates
