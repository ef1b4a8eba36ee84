// SPDX-License-Identifier: Apache-2.0
#include "reports/gates/parser.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "reports/gates/scanner.h"

namespace ampprof::gates {
namespace parser_test {

// Returns the tree of an expression as text, with every operation in parentheses.
std::string tree(const GateRule& rule, const Expression& part) {
  if (part.operands.empty()) return std::string(rule.text_of(part));
  if (part.operands.size() == 1) return "(-" + tree(rule, part.operands[0]) + ")";
  return "(" + tree(rule, part.operands[0]) + " " + std::string(symbol_of(part.operation)) + " " +
         tree(rule, part.operands[1]) + ")";
}

struct Good {
  const char* name;
  const char* text;
  const char* tree;
};

void PrintTo(const Good& good, std::ostream* out) { *out << good.text; }

class GoodRule : public testing::TestWithParam<Good> {};

TEST_P(GoodRule, HasItsTree) {
  const GateRule rule = parse_rule(GetParam().text);
  EXPECT_EQ(tree(rule, rule.condition), GetParam().tree);
}

INSTANTIATE_TEST_SUITE_P(
    Parser, GoodRule,
    testing::Values(
        Good{"of_the_contract", "overflows <= 3", "(overflows <= 3)"},
        Good{"with_a_pattern", "local_rel_l2(conv*) < 1e-3", "(local_rel_l2(conv*) < 1e-3)"},
        Good{"of_two_levels", "ms_per_step(O1) < 0.8 * ms_per_step(O0)", "(ms_per_step(O1) < (0.8 * ms_per_step(O0)))"},
        Good{"products_before_sums", "steps < 1 + 2 * 3 - 4 / 5", "(steps < ((1 + (2 * 3)) - (4 / 5)))"},
        Good{"from_the_left", "steps < 8 - 4 - 2", "(steps < ((8 - 4) - 2))"},
        Good{"and_before_or", "steps < 1 or steps > 2 and steps != 3",
             "((steps < 1) or ((steps > 2) and (steps != 3)))"},
        Good{"signs_of_c", "steps<1||steps>2&&steps!=3", "((steps < 1) or ((steps > 2) and (steps != 3)))"},
        Good{"parentheses", "(steps < (1 + 2)) and (steps + 1) * 2 > 3",
             "((steps < (1 + 2)) and (((steps + 1) * 2) > 3))"},
        Good{"negative", "-loss_impact < -1", "((-loss_impact) < (-1))"},
        Good{"limit_first", "3 >= overflows", "(3 >= overflows)"}, Good{"no_blanks", "steps*2<3", "((steps * 2) < 3)"},
        Good{"unit_apart", "ms_per_step < 2 s", "(ms_per_step < 2 s)"},
        Good{"unit_then_and", "ms_per_step < 2 and steps > 1 or steps > 2",
             "(((ms_per_step < 2) and (steps > 1)) or (steps > 2))"},
        Good{"other_unit", "cpu_us(conv*) < 0.5 * ms_per_step", "(cpu_us(conv*) < (0.5 * ms_per_step))"},
        Good{"half_a_time", "ms_per_step / 2 < 1 s", "((ms_per_step / 2) < 1 s)"},
        Good{"twice_a_time", "ms_per_step * 2 > cpu_us", "((ms_per_step * 2) > cpu_us)"},
        Good{"number_without_zero", "loss_impact < .5", "(loss_impact < .5)"},
        Good{"arguments_in_quotes", "missing(\"a, b\" ) < 1", "(missing(\"a, b\" ) < 1)"},
        Good{"ratio", "ms_per_step(O1) / ms_per_step(O0) < 0.8", "((ms_per_step(O1) / ms_per_step(O0)) < 0.8)"}),
    [](const auto& info) { return info.param.name; });

TEST(Parser, CountsInTheUnitOfTheMetric) {
  const GateRule rule = parse_rule("20 < ms_per_step + 1 s");
  EXPECT_EQ(rule.condition.unit, kMilliseconds);
  EXPECT_EQ(parse_rule("peak_bytes < 2 GB").condition.operands[1].unit.factor, 1e9);
  EXPECT_EQ(parse_rule("tensor_core_share > 90 %").condition.operands[1].number, 0.9);
}

TEST(Parser, TellsArgumentsApart) {
  const auto selector_of = [](const char* text, Reports reports = Reports::One) {
    return parse_rule(text, reports).condition.operands[0].selector;
  };
  EXPECT_EQ(selector_of("local_rel_l2( backward , conv* , o1 ) < 1"),
            (Selector{.run = "o1", .phase = Phase::Backward, .pattern = "conv*"}));
  EXPECT_EQ(selector_of("local_rel_l2('a, b)') < 1"), (Selector{.pattern = "a, b)"}));
  EXPECT_EQ(selector_of("steps(12) < 1"), (Selector{.run = "12"}));
  EXPECT_EQ(selector_of("steps(A, O1) < 1", Reports::Two), (Selector{.side = SideName::A, .run = "O1"}));
  EXPECT_EQ(selector_of("missing(backward) < 1"), (Selector{.pattern = "backward"}));
  EXPECT_EQ(selector_of("missing(\"a, b\" ) < 1"), (Selector{.pattern = "a, b"}));
  EXPECT_EQ(selector_of("steps(B) < 1", Reports::Two), (Selector{.side = SideName::B}));
  for (const char* pattern : {"m1", "O12", "fc", "O", "Ox", "1a"}) {
    const std::string rule = "calls(" + std::string(pattern) + ") < 1";
    EXPECT_EQ(selector_of(rule.c_str()), (Selector{.pattern = pattern}));
  }
}

struct Bad {
  const char* name;
  const char* text;
  std::size_t offset;
  const char* says;
};

void PrintTo(const Bad& bad, std::ostream* out) { *out << bad.text; }

class BadRule : public testing::TestWithParam<Bad> {};

TEST_P(BadRule, SaysWhatIsWrongAndWhere) {
  try {
    parse_rule(GetParam().text);
    ADD_FAILURE() << "it was read";
  } catch (const RuleError& error) {
    EXPECT_EQ(error.offset, GetParam().offset) << error.what();
    EXPECT_NE(std::string(error.what()).find(GetParam().says), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Parser, BadRule,
    testing::Values(
        Bad{"empty", "", 0, "A metric or a number is missing"},
        Bad{"blank", "  ", 2, "A metric or a number is missing"},
        Bad{"unknown_metric", "overflow <= 3", 0, "Unknown metric 'overflow'"},
        Bad{"no_limit", "overflows", 9, "A rule is a comparison"}, Bad{"half_a_rule", "overflows <", 11, "missing"},
        Bad{"single_equals", "overflows = 3", 10, "Write =="}, Bad{"chain", "1 < steps < 3", 10, "join two with `and`"},
        Bad{"two_numbers", "1 < 2", 0, "The rule compares two numbers"},
        Bad{"unknown_unit", "ms_per_step < 3 sec", 16, "'sec' is not a unit"},
        Bad{"other_dimension", "ms_per_step < 3 GB", 12, "a time on its left and a size in memory"},
        Bad{"other_dimension_first", "3 GB > ms_per_step", 5, "a size in memory on its left and a time on its right"},
        Bad{"plain_metric_first", "steps < ms_per_step", 6, "a plain number on its left and a time"},
        Bad{"metrics_of_two_kinds", "ms_per_step < steps", 12, "a plain number on its right"},
        Bad{"time_times_time", "ms_per_step * ms_per_step < 3", 12, "cannot be multiplied"},
        Bad{"number_over_time", "3 / ms_per_step < 3", 2, "cannot be divided"},
        Bad{"open", "(steps < 3", 10, "closing parenthesis is missing"}, Bad{"closed", "steps < 3)", 9, "never opened"},
        Bad{"open_arguments", "steps(O1 < 3", 12, "closing parenthesis is missing"},
        Bad{"open_quote", "missing('a) < 3", 8, "quote is not closed"},
        Bad{"behind_a_quote", "missing('a'b) < 3", 11, "comma or a closing parenthesis"},
        Bad{"no_argument", "steps() < 3", 6, "argument is missing. steps takes a level, such as O1"},
        Bad{"no_argument_of_sites", "amax() < 3", 5, "amax takes a level, a phase and a pattern of call sites"},
        Bad{"no_argument_of_missing", "missing() < 3", 8, "missing takes a level and a pattern."},
        Bad{"pattern_for_a_run", "steps(conv*) < 3", 6, "is not a level"},
        Bad{"two_levels", "steps(O1, O2) < 3", 10, "A second level"},
        Bad{"side_of_one_report", "steps(A) < 3", 6, "two sides of `ampprof diff`"},
        Bad{"two_limits", "steps < 3 4", 10, "operator is missing before '4'"},
        Bad{"capitals", "AZ < 3", 0, "Unknown metric 'AZ'"},
        Bad{"unit_with_digit", "ms_per_step < 3 s2", 16, "'s2' is not a unit"},
        Bad{"unit_of_two_bytes", "steps < 3 À", 10, "'À' is not a unit"},
        Bad{"strange_sign", "steps € 3", 6, "'€' has no meaning"},
        Bad{"lone_point", "steps < .", 8, "'.' has no meaning"},
        Bad{"number_behind_a_sign", "steps < ;1", 8, "';' has no meaning"},
        Bad{"missing_operator", "steps < 3 steps", 10, "operator is missing before 'steps'"},
        Bad{"number_and_comparison", "steps and steps < 3", 0, "joins comparisons"},
        Bad{"sum_of_comparisons", "(steps < 3) + 1 < 2", 12, "needs numbers"},
        Bad{"negative_comparison", "-(steps < 3)", 0, "needs a number"},
        Bad{"huge_number", "steps < 1e999", 8, "too large"},
        Bad{"strange_character", "steps < 3 µ", 10, "'µ' is not a unit"},
        Bad{"semicolon", "steps < 3; steps > 1", 9, "';' has no meaning"}),
    [](const auto& info) { return info.param.name; });

TEST(Parser, KnowsWhatAMistypedNameCouldBe) {
  try {
    parse_rule("overflow <= 3");
    ADD_FAILURE();
  } catch (const RuleError& error) {
    EXPECT_EQ(error.typed, "overflow");
    EXPECT_EQ(std::ranges::count(error.known, "overflows"), 1);
  }
}

TEST(Parser, RefusesDepthAndLengthInsteadOfRunningOutOfStack) {
  EXPECT_THROW(parse_rule(std::string(1500, '(') + "steps < 1"), RuleError);
  EXPECT_THROW(parse_rule(std::string(1500, '-') + "steps < 1"), RuleError);
  EXPECT_THROW(parse_rule(std::string(1 << 20, ' ')), RuleError);
  std::string sum = "steps < 1";
  while (sum.size() < 1998) sum += "+1";
  EXPECT_NO_THROW(parse_rule(sum));
}

TEST(Parser, ReadsRulesUpToItsLimits) {
  const auto of_size = [](std::size_t size) { return "steps < 1" + std::string(size - 9, ' '); };
  EXPECT_NO_THROW(parse_rule(of_size(2000)));
  EXPECT_THROW(parse_rule(of_size(2001)), RuleError);
  const auto of_depth = [](std::size_t depth) {
    return std::string(depth, '(') + "steps" + std::string(depth, ')') + " < 1";
  };
  EXPECT_NO_THROW(parse_rule(of_depth(99)));
  EXPECT_THROW(parse_rule(of_depth(100)), RuleError);
}

TEST(Units, AreWorthWhatTheirNamesSay) {
  struct {
    const char* name;
    double factor;
  } const cases[] = {{"ns", 1},        {"us", 1e3},         {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9},
                     {"B", 1},         {"kB", 1e3},         {"MB", 1e6}, {"GB", 1e9}, {"KiB", 1024},
                     {"MiB", 1048576}, {"GiB", 1073741824}, {"%", 0.01}};
  EXPECT_EQ(unit_names().size(), std::size(cases));
  for (const auto& [name, factor] : cases) {
    ASSERT_NE(unit_named(name), nullptr) << name;
    EXPECT_EQ(unit_named(name)->factor, factor) << name;
    EXPECT_EQ(std::ranges::count(unit_names(), name), 1) << name;
  }
  EXPECT_EQ(unit_named("h"), nullptr);
}

}  // namespace parser_test
}  // namespace ampprof::gates
