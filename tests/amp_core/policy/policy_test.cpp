// SPDX-License-Identifier: Apache-2.0
#include "amp_core/policy/policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "amp_core/levels/properties.h"
#include "amp_core/policy/cast_list.h"
#include "amp_core/policy/function_names.h"
#include "amp_core/policy/module_pattern.h"

namespace amp {

void PrintTo(const Policy& policy, std::ostream* out) { *out << to_text(policy); }

namespace policy_test {

TEST(PolicyFile, IsReadLineByLine) {
  const Policy policy = parse_policy(
      "# what diverged\n\nsoftmax fp32\n  linear\tfp32 in decoder.head   # the head\r\n"
      "bmm fp16 in encoder.layers.*.attention\nuse native\nlow_type bf16\nmylib::op promote",
      "p");
  const Policy expected{"native",
                        ReducedType::BFloat16,
                        {{"softmax", CastPolicy::Fp32},
                         {"linear", CastPolicy::Fp32, "decoder.head"},
                         {"bmm", CastPolicy::Low, "encoder.layers.*.attention"},
                         {"mylib::op", CastPolicy::Promote}}};
  EXPECT_EQ(policy, expected);
}

TEST(PolicyFile, AnEmptyOneIsTheDefault) {
  EXPECT_EQ(parse_policy("", "p"), Policy());
  EXPECT_EQ(to_text(Policy()), "");
}

TEST(PolicyFile, OneOnTopOfAnotherReplacesDirectivesAndAddsRules) {
  Policy policy = parse_policy("use native\nmm fp32", "first");
  read_policy(policy, "low_type bf16\nmm fp16", "second");
  EXPECT_EQ(policy, parse_policy("use native\nlow_type bf16\nmm fp32\nmm fp16", "both"));
}

struct Wrong {
  const char* name;
  const char* line;
  const char* says;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.line; }

class WrongLine : public testing::TestWithParam<Wrong> {};

TEST_P(WrongLine, IsRefusedWithItsPlace) {
  try {
    parse_policy(std::string("mm fp16\n\n") + GetParam().line + "\nbmm fp16", "my.amp");
    FAIL() << GetParam().line;
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("my.amp:3: ")) << text;
    EXPECT_NE(text.find(GetParam().says), std::string::npos) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(PolicyFile, WrongLine,
                         testing::Values(Wrong{"no_policy", "softmax", "this line is not a rule"},
                                         Wrong{"unknown_policy", "softmax half", "this line is not a rule"},
                                         Wrong{"too_much", "softmax fp32 fp32", "this line is not a rule"},
                                         Wrong{"no_module", "softmax fp32 in", "this line is not a rule"},
                                         Wrong{"two_modules", "softmax fp32 in a b", "this line is not a rule"},
                                         Wrong{"not_in", "softmax fp32 at a", "this line is not a rule"},
                                         Wrong{"odd_name", "soft-max fp32", "not the name of an op"},
                                         Wrong{"name_ends", "softmax. fp32", "not the name of an op"},
                                         Wrong{"empty_component", "softmax fp32 in a..b", "not a module"},
                                         Wrong{"trailing_dot", "softmax fp32 in a.", "not a module"},
                                         Wrong{"star_in_a_name", "softmax fp32 in layer*", "not a module"},
                                         Wrong{"unknown_list", "use torch", "\"use apex\", \"use native\""},
                                         Wrong{"unknown_type", "low_type fp8", "fp16 or bf16"},
                                         Wrong{"format_of_no_matmul", "softmax mxfp8 in a", "No recipe applies to"},
                                         Wrong{"odd_module", "a..b dgrad mxfp8", "not a module"},
                                         Wrong{"no_format", "linear dgrad half", "this line is not a rule"}),
                         [](const auto& info) { return info.param.name; });

TEST(PolicyFile, ACheckOfTheCallerGetsThePlaceToo) {
  const auto refuse = [](const CastRule& rule) { throw Error("no " + rule.op); };
  try {
    parse_policy("# nothing\nmm fp16", "p", refuse);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "p:2: no mm");
  }
}

// ---- formats of matmuls -------------------------------------------------------------------------------------------

struct FormatLine {
  const char* line;
  FormatRule rule;
};

void PrintTo(const FormatLine& line, std::ostream* out) { *out << line.line; }

class FormatLines : public testing::TestWithParam<FormatLine> {};

TEST_P(FormatLines, AreReadAndWritten) {
  const Policy policy = parse_policy(GetParam().line, "p");
  ASSERT_EQ(policy.formats.size(), 1U);
  EXPECT_EQ(policy.formats[0], GetParam().rule);
  EXPECT_TRUE(policy.rules.empty());
  EXPECT_EQ(to_text(policy), std::string(GetParam().line) + '\n');
}

INSTANTIATE_TEST_SUITE_P(PolicyFile, FormatLines,
                         testing::Values(FormatLine{"linear mxfp8", {"linear", "", "mxfp8", ""}},
                                         FormatLine{"linear nvfp4,nearest in decoder",
                                                    {"linear", "", "nvfp4,nearest", "decoder"}},
                                         FormatLine{"decoder.*.fc2 dgrad bf16", {"", "dgrad", "bf16", "decoder.*.fc2"}},
                                         FormatLine{"head mxfp8", {"", "", "mxfp8", "head"}},
                                         FormatLine{"head fprop fp32", {"", "fprop", "fp32", "head"}},
                                         FormatLine{"linear wgrad fp16", {"linear", "wgrad", "fp16", ""}},
                                         FormatLine{"conv2d dgrad bf16 in a.b", {"conv2d", "dgrad", "bf16", "a.b"}},
                                         FormatLine{"* ./my.recipe", {"", "", "./my.recipe", "*"}}));

TEST(PolicyFile, ARecipeIsADirectiveAndCastsStayCasts) {
  const Policy policy = parse_policy("recipe mxfp8\nlinear fp32 in head\nlinear fp16\n", "p");
  EXPECT_EQ(policy.recipe, "mxfp8");
  EXPECT_EQ(policy.rules.size(), 2U);
  EXPECT_TRUE(policy.formats.empty());
  EXPECT_TRUE(policy.has_recipe());
  EXPECT_FALSE(Policy().has_recipe());
}

TEST(PolicyFile, RecipesAreCheckedButNotWhereNothingIsQuantized) {
  const auto refuse = [](const std::string& recipe) { throw Error("no " + recipe); };
  EXPECT_NO_THROW(parse_policy("a.b bf16\nlinear dgrad fp32", "p", {}, refuse));
  for (const char* line : {"recipe x1", "linear x1", "a dgrad x1"}) {
    try {
      parse_policy(line, "p", {}, refuse);
      FAIL() << line;
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "p:1: no x1");
    }
  }
}

TEST(CastRule, TakesAnyNameOfAnOp) {
  for (const std::string op : {"az", "AZ", "x09", "_a", "a.out", "my::op", "aten::add.Tensor"}) {
    EXPECT_NO_THROW(check_rule({op, CastPolicy::Low})) << op;
  }
  for (const std::string op : {"", ".a", "a.", ":a", "a:", "a`", "a{", "a@", "a[", "a/", "a b"}) {
    EXPECT_THROW(check_rule({op, CastPolicy::Low}), Error) << op;
  }
}

TEST(CastRule, RefusesModulesThatAFileCannotName) {
  for (const std::string& module : {std::string("a#b"), std::string("a b"), std::string("a\0b", 3)}) {
    EXPECT_THROW(check_rule({"mm", CastPolicy::Low, module}), Error) << module;
  }
  EXPECT_NO_THROW(check_rule({"mm", CastPolicy::Low, "a-b.0"}));
}

TEST(CastRule, NeedsAPolicyThatHasAWord) {
  EXPECT_EQ(word_of(CastPolicy::Pass), "");
  try {
    check_rule({"mm", CastPolicy::Pass});
    FAIL() << "nothing is cast";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "The op mm needs a cast: fp16, fp32, fp32_output, promote or banned.");
  }
}

TEST(CastRule, KnowsNamesAndInPlaceForms) {
  EXPECT_EQ(op_name_from("aten::add.Tensor"), (OpName{"add", "Tensor"}));
  EXPECT_EQ(op_name_from("mm"), (OpName{"mm", ""}));
  EXPECT_TRUE(is_in_place("a_"));
  for (const char* base : {"a", "_", "__and__", "_a"}) EXPECT_FALSE(is_in_place(base)) << base;
  EXPECT_EQ(in_place(CastPolicy::Banned), CastPolicy::Banned);
  EXPECT_EQ(in_place(CastPolicy::Fp32Output), CastPolicy::RefuseLow);
}

TEST(PolicyFile, OneThatCannotBeReadIsNamed) {
  EXPECT_THROW(policy_file_text("/nowhere/at/all"), Error);
  EXPECT_THROW(policy_file_text("/"), Error);
}

// ---- random policies and random text ------------------------------------------------------------------------------

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  std::size_t below(std::size_t end) { return engine_() % end; }
  template <class Values>
  const auto& one_of(const Values& values) {
    return values[below(values.size())];
  }

 private:
  std::mt19937 engine_;
};

CastRule random_rule(Random& random) {
  static const std::vector<std::string> kOps{"mm", "add.Tensor", "mylib::op.out", "_softmax", "a1"};
  static const std::vector<std::string> kModules{"", "a", "*", "a.*.b", "*.0.*", "layer-1.\xC3\xA9.x!"};
  static const std::vector<CastPolicy> kPolicies{CastPolicy::Low, CastPolicy::Fp32, CastPolicy::Fp32Output,
                                                 CastPolicy::Promote, CastPolicy::Banned};
  return {random.one_of(kOps), random.one_of(kPolicies), random.one_of(kModules)};
}

FormatRule random_format(Random& random) {
  static const std::vector<std::string> kFunctions{"", "linear", "conv2d", "bmm"};
  static const std::vector<std::string> kMatmuls{"", "fprop", "dgrad", "wgrad"};
  static const std::vector<std::string> kFormats{"mxfp8", "bf16", "./a.recipe"};
  static const std::vector<std::string> kPlaces{"a", "a.*.b"};
  FormatRule rule{
      .function = random.one_of(kFunctions), .matmul = random.one_of(kMatmuls), .format = random.one_of(kFormats)};
  if (rule.function.empty() || random.below(2) == 0) rule.module = random.one_of(kPlaces);
  return rule;
}

Policy random_policy(Random& random) {
  Policy policy;
  if (random.below(2) == 0) policy.list = "native";
  if (random.below(2) == 0) policy.low_type = ReducedType::BFloat16;
  for (auto rules = random.below(6); rules > 0; --rules) policy.rules.push_back(random_rule(random));
  if (random.below(2) == 0) policy.recipe = "nvfp4,nearest";
  for (auto rules = random.below(3); rules > 0; --rules) policy.formats.push_back(random_format(random));
  return policy;
}

/// Returns parts of the grammar and noise, in such proportions that lines are often almost valid.
std::string random_text(Random& random) {
  static const std::vector<std::string> kPieces{"mm",
                                                "fp16",
                                                "fp32",
                                                "dgrad",
                                                "mxfp8",
                                                "recipe",
                                                "in",
                                                "use",
                                                "native",
                                                "low_type",
                                                "bf16",
                                                "a.b",
                                                "*",
                                                " ",
                                                " ",
                                                " ",
                                                "\n",
                                                "\n",
                                                "#",
                                                "\t",
                                                "\r",
                                                "::",
                                                ".",
                                                "banned",
                                                "\xFF",
                                                "apex",
                                                "..",
                                                "mm ",
                                                "mm fp16 ",
                                                "in a",
                                                std::string(1, '\0')};
  std::string text;
  for (auto pieces = random.below(20); pieces > 0; --pieces) text += random.one_of(kPieces);
  return text;
}

TEST(PolicyFile, EveryPolicyIsReadBackFromItsText) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const Policy policy = random_policy(random);
    EXPECT_EQ(parse_policy(to_text(policy), "p"), policy);
  }
}

TEST(PolicyFile, AnyTextIsAPolicyThatCanBeWrittenOrAnError) {
  Random random(2);
  int read = 0;
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string text = random_text(random);
    try {
      const Policy policy = parse_policy(text, "p");
      EXPECT_EQ(parse_policy(to_text(policy), "p"), policy) << text;
      ++read;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("p:")) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(read, 1000);
  EXPECT_GT(refused, 1000);
}

// ---- modules and names --------------------------------------------------------------------------------------------

struct Match {
  const char* name;
  const char* pattern;
  const char* path;
  bool expected;
};

void PrintTo(const Match& match, std::ostream* out) { *out << match.pattern << " on " << match.path; }

class ModulePattern : public testing::TestWithParam<Match> {};

TEST_P(ModulePattern, MatchesTheModuleAndWhatIsInside) {
  EXPECT_EQ(matches_module(GetParam().pattern, GetParam().path), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    PolicyFile, ModulePattern,
    testing::Values(Match{"itself", "decoder.head", "decoder.head", true},
                    Match{"inside", "decoder", "decoder.head.0", true},
                    Match{"outside", "decoder.head", "decoder", false},
                    Match{"sister", "decoder.head", "decoder.tail", false},
                    Match{"longer_name", "decoder", "decoder2", false}, Match{"deeper", "head", "decoder.head", false},
                    Match{"star", "encoder.layers.*.attention", "encoder.layers.11.attention.q", true},
                    Match{"star_is_one", "encoder.*.attention", "encoder.layers.0.attention", false},
                    Match{"star_is_not_none", "encoder.*", "encoder", false}, Match{"no_module", "encoder", "", false},
                    Match{"any_module", "*", "encoder", true}),
    [](const auto& info) { return info.param.name; });

TEST(FunctionNames, KnowTheOperatorsBehindThem) {
  EXPECT_EQ(operators_of("cross_entropy"), std::vector<std::string>{"cross_entropy_loss"});
  EXPECT_EQ(operators_of("softmax"), std::vector<std::string>{"softmax"});
  EXPECT_EQ(operators_of("norm").size(), 5U);
}

TEST(FunctionNames, NearOnesComeNearestFirst) {
  const std::vector<std::string> names{"softmin", "softmax", "log_softmax", "mm"};
  EXPECT_EQ(nearest_names("sofmax", names, 9), std::vector<std::string>{"softmax"});
  EXPECT_EQ(did_you_mean("sofmax", names), " Did you mean softmax?");
  EXPECT_EQ(did_you_mean("sotfmax", names), " Did you mean softmax?") << "a swap is one edit";
  EXPECT_EQ(did_you_mean("convolution", names), "");
}

TEST(FunctionNames, NearIsAnEditForEachThreeLetters) {
  const std::vector<std::string> names{"mv", "mmx", "m", "mm", "xy", "mmxy"};
  EXPECT_EQ(nearest_names("mm", names, 9), (std::vector<std::string>{"mm", "mv", "mmx", "m"}));
  EXPECT_EQ(nearest_names("mm", names, 2), (std::vector<std::string>{"mm", "mv"}));
  EXPECT_EQ(nearest_names("abcdef", {"abxyef", "axyzef"}, 9), std::vector<std::string>{"abxyef"});
  EXPECT_EQ(nearest_names("abcd", {"bcd"}, 9), std::vector<std::string>{"bcd"});
  EXPECT_EQ(nearest_names("foo", {"cos", "cov", "dot"}, 9), std::vector<std::string>{}) << "two of three letters";
  EXPECT_EQ(did_you_mean("mm", names), " Did you mean mm, mv or mmx?");
}

TEST(FunctionNames, AreInAlphabeticalOrder) {
  const std::vector<std::string> names = function_names();
  EXPECT_GT(names.size(), 10U);
  EXPECT_EQ(names.front(), "affine_grid");
  EXPECT_TRUE(std::ranges::is_sorted(names));
}

}  // namespace policy_test
}  // namespace amp
