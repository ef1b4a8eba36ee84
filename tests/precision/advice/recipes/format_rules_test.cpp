// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/recipes/format_rules.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "amp_core/levels/error.h"
#include "amp_core/policy/module_pattern.h"
#include "tests/precision/advice/recipes/layers.h"

namespace ampprof::advice {
namespace format_rules_test {

GroupAdvice group(const std::string& pattern, const std::vector<std::string>& modules,
                  const OfMatmuls<std::string>& formats) {
  GroupAdvice group{.pattern = pattern, .modules = modules, .op = "linear"};
  for (std::size_t m = 0; m < formats.size(); ++m) {
    if (!formats[m].empty()) group.matmuls[m] = MatmulAdvice{.format = formats[m]};
  }
  return group;
}

RecipeAdvice advice_of(std::vector<GroupAdvice> groups) {
  RecipeAdvice advice{.gpu = "B200", .groups = std::move(groups)};
  for (const char* name : {"bf16", "fp8_current", "fp8_delayed", "fp8_blockwise", "mxfp8", "nvfp4"}) {
    advice.formats.push_back(recipes::recipe_named(name));
  }
  return advice;
}

/// Returns the lines of a policy without comments.
std::string lines_of(const RecipeAdvice& advice) {
  std::istringstream text(policy_file(advice));
  std::string lines;
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with('#') && line != "low_type bf16") lines += line + '\n';
  }
  return lines;
}

/// Returns the format of a matmul under a policy: that of the last rule that names its module or a module around it.
std::string format_in_policy(const std::string& policy, const std::string& op, const std::string& module,
                             std::string_view matmul) {
  std::istringstream text(policy);
  std::string format = "bf16";
  for (std::string line; std::getline(text, line);) {
    std::istringstream parts(line);
    std::vector<std::string> words;
    for (std::string word; parts >> word;) words.push_back(word);
    std::string pattern = words[0];
    if (words.size() >= 2 && words[words.size() - 2] == "in") {
      if (words[0] != "aten::" + op) continue;
      pattern = words.back();
      words.resize(words.size() - 2);
    }
    const bool is_meant = words.size() == 2 || words[1] == matmul;
    if (is_meant && amp::matches_module(pattern, module)) format = words.back();
  }
  return format;
}

TEST(FormatRules, AreOneLineWhereAllMatmulsHaveOneFormat) {
  EXPECT_EQ(lines_of(advice_of({group("head", {"head"}, {"bf16", "bf16", "bf16"}),
                                group("blocks.*.fc1", {"blocks.0.fc1", "blocks.1.fc1"}, {"mxfp8", "nvfp4", "nvfp4"}),
                                group("first", {"first"}, {"mxfp8", "", "mxfp8"})})),
            "head bf16\nfirst mxfp8\nblocks.*.fc1 fprop mxfp8\nblocks.*.fc1 dgrad nvfp4\nblocks.*.fc1 wgrad nvfp4\n");
}

TEST(FormatRules, NameModulesWhereAPatternWouldReachOthers) {
  EXPECT_EQ(lines_of(advice_of({group("blocks.*.fc", {"blocks.0.fc", "blocks.2.fc"}, {"mxfp8", "mxfp8", "mxfp8"}),
                                group("blocks.1.fc", {"blocks.1.fc"}, {"bf16", "bf16", "bf16"})})),
            "blocks.0.fc mxfp8\nblocks.2.fc mxfp8\nblocks.1.fc bf16\n");
}

TEST(FormatRules, StandBehindThoseForWhatTheyAreIn) {
  EXPECT_EQ(lines_of(advice_of(
                {group("a.b.c", {"a.b.c"}, {"bf16", "bf16", "bf16"}), group("a", {"a"}, {"mxfp8", "mxfp8", "mxfp8"})})),
            "a mxfp8\na.b.c bf16\n");
}

TEST(FormatRules, NameTheOpWhereAModuleCallsAnotherOne) {
  GroupAdvice product = group("attention", {"attention"}, {"bf16", "bf16", "bf16"});
  product.kind = LayerKind::Product;
  product.op = "bmm";
  const auto mixed = group("attention", {"attention"}, {"mxfp8", "nvfp4", "mxfp8"});
  EXPECT_EQ(lines_of(advice_of({mixed, product})),
            "aten::linear fprop mxfp8 in attention\naten::linear dgrad nvfp4 in attention\n"
            "aten::linear wgrad mxfp8 in attention\n");
}

TEST(FormatRules, NameTheOpWhereAModuleHasTheNameOfAFunction) {
  EXPECT_EQ(lines_of(advice_of({group("linear", {"linear"}, {"mxfp8", "mxfp8", "mxfp8"})})),
            "aten::linear mxfp8 in linear\n");
}

TEST(FormatRules, GiveEachModuleItsFormats) {
  std::mt19937 random(7);
  const char* const formats[]{"bf16", "mxfp8", "nvfp4"};
  const char* const names[]{"a", "b", "0", "1"};
  for (int round = 0; round < 200; ++round) {
    std::vector<RecipeLayer> layers;
    std::set<std::string> known;
    for (int i = 0; i < 12; ++i) {
      std::string module = names[random() % 4];
      while (random() % 3 != 0) module += std::string(".") + names[random() % 4];
      if (!known.insert(module).second) continue;
      layers.push_back(layer(module, {{"mxfp8", 0.0}, {"nvfp4", 0.0}}));
      layers.back().rows = 16 << (random() % 2);
      if (random() % 5 == 0) layers.back().op = "addmm";
    }
    RecipeAdvice advice = advise_recipes(evidence(layers, {"mxfp8", "nvfp4"}));
    for (GroupAdvice& group : advice.groups) {
      for (auto& matmul : group.matmuls) matmul->format = formats[random() % 3];
    }
    const std::string policy = lines_of(advice);
    for (const GroupAdvice& group : advice.groups) {
      for (const std::string& module : group.modules) {
        for (std::size_t m = 0; m < kMatmuls.size(); ++m) {
          EXPECT_EQ(format_in_policy(policy, group.op, module, name_of(kMatmuls[m])), group.matmuls[m]->format)
              << module << "\n"
              << policy;
        }
      }
    }
  }
}

TEST(TransformerEngineCode, HasTheFormatsOfEachModule) {
  const std::string code = transformer_engine_code(
      advice_of({group("blocks.*.fc1", {"blocks.0.fc1", "blocks.1.fc1"}, {"mxfp8", "nvfp4", "nvfp4"}),
                 group("first", {"first"}, {"mxfp8", "", "mxfp8"})}));
  for (const char* part :
       {"Transformer Engine 2.20.2", R"(("blocks.*.fc1", ("mxfp8", "nvfp4", "nvfp4")))",
        R"(("first", ("mxfp8", "mxfp8", "mxfp8")))", "te.MXFP8Quantizer(DType.kFloat8E4M3)", "with_rht=True",
        "with_2d_quantization=True", "stochastic_rounding=True", "te.IdentityQuantizer()", "te.HybridQuantizer("}) {
    EXPECT_NE(code.find(part), code.npos) << part << "\n" << code;
  }
  EXPECT_EQ(code.find("Float8BlockQuantizer"), code.npos) << "a format that no module has";
  EXPECT_EQ(code.find('@'), code.npos) << "a place of the template without its value";
}

TEST(TransformerEngineCode, RefusesAFormatThatItHasNoQuantizerFor) {
  RecipeAdvice advice = advice_of({group("a", {"a"}, {"mine", "mine", "mine"})});
  recipes::Recipe mine = recipes::recipe_named("mxfp8");
  mine.name = "mine";
  for (recipes::Operand& operand : mine.operands) operand.block = {1, 64};
  advice.formats.push_back(mine);
  try {
    transformer_engine_code(advice);
    FAIL();
  } catch (const amp::Error& error) {
    EXPECT_STREQ(error.what(),
                 "Transformer Engine 2.20.2 has no quantizer for input of fprop that rounds as mine does.");
  }
}

}  // namespace format_rules_test
}  // namespace ampprof::advice
