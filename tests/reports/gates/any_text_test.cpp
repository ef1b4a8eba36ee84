// SPDX-License-Identifier: Apache-2.0
// Checks that the parser turns any text into a rule, or into an error that points into the text.
#include <gtest/gtest.h>

#include <random>

#include "reports/gates/evaluate.h"
#include "reports/gates/occasion.h"
#include "reports/gates/parser.h"
#include "tests/reports/gates/evidence_builder.h"

namespace ampprof::gates {
namespace any_text_test {

constexpr const char* kParts[] = {
    "overflows",   "local_rel_l2",
    "ms_per_step", "missing",
    "peak_bytes",  "(",
    ")",           "(O1)",
    "(conv*)",     ",",
    "<",           "<=",
    ">",           ">=",
    "==",          "!=",
    "+",           "-",
    "*",           "/",
    "1",           "2.5",
    "1e-3",        "20ms",
    "2 GB",        "90%",
    "and",         "or",
    "&&",          "||",
    "A",           "O1",
    "backward",    "'conv, (x)'",
    "\"",          "'",
    ".",           "=",
    "#",           "unit",
    "µ",           "nan",
    " ",           "\t",
    "1e999",       "steps(",
    "(A, O1)",     "\xF0\x9F",
    "\xFF",        "|",
};

/// Parses a text, and checks the resulting rule or error. Returns whether the text is a rule.
bool ends_well(const std::string& text) {
  try {
    const GateRule rule = parse_rule(text, Reports::Two);
    EXPECT_EQ(rule.text, text);
    const RunEvidence run = a_run("O1");
    const GateResult result = judge(rule, {{.label = "O1", .a = {{&run}, {&run}}, .b = {{&run}, {&run}}}});
    EXPECT_FALSE(result.comparisons.empty()) << text;
    return true;
  } catch (const RuleError& error) {
    EXPECT_LE(error.offset, text.size()) << text;
    EXPECT_NE(std::string(error.what()), "") << text;
    return false;
  }
}

TEST(AnyText, OfTokensIsARuleOrAnError) {
  std::mt19937 random(20260102);
  std::uniform_int_distribution<std::size_t> part(0, std::size(kParts) - 1);
  std::uniform_int_distribution<int> length(0, 7);
  int rules = 0;
  for (int i = 0; i < 30000; ++i) {
    std::string text;
    for (int n = length(random); n > 0; --n) text += std::string(kParts[part(random)]) + (random() % 2 == 0 ? " " : "");
    rules += ends_well(text) ? 1 : 0;
  }
  EXPECT_GT(rules, 5) << "some of them should be rules, or this tests less than it seems";
}

TEST(AnyText, OfBytesIsARuleOrAnError) {
  std::mt19937 random(20260103);
  for (int i = 0; i < 30000; ++i) {
    std::string text(random() % 60, ' ');
    for (char& byte : text) byte = static_cast<char>(random() & 0xFF);
    ends_well(text);
  }
}

// Changes, drops or inserts one to three bytes of a rule.
TEST(AnyText, CloseToARuleIsARuleOrAnError) {
  const std::string good =
      "local_rel_l2(conv*, O1) < 1e-3 and (ms_per_step(B) <= 0.8 * ms_per_step(A) or peak_bytes < 2GB)";
  ASSERT_TRUE(ends_well(good));
  std::mt19937 random(20260104);
  int rules = 0;
  for (int i = 0; i < 8000; ++i) {
    std::string text = good;
    for (int n = static_cast<int>(random() % 3); n >= 0; --n) {
      const std::size_t at = random() % text.size();
      const auto kind = random() % 3;
      if (kind == 0) text[at] = static_cast<char>(random() % 128);
      if (kind == 1) text.erase(at, 1);
      if (kind == 2) text.insert(at, 1, text[random() % text.size()]);
    }
    rules += ends_well(text) ? 1 : 0;
  }
  EXPECT_GT(rules, 300);
}

}  // namespace any_text_test
}  // namespace ampprof::gates
