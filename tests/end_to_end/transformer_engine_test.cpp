// SPDX-License-Identifier: Apache-2.0
// Runs the factory that `ampprof advise` prints in the real Transformer Engine, if its wheel is installed in LibTorch's
// Python (`make te-test`).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "precision/advice/recipes/format_rules.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace transformer_engine_test {

using advice::GroupAdvice;
using advice::MatmulAdvice;
using advice::OfMatmuls;
using advice::RecipeAdvice;

constexpr const char* kFormats[]{"bf16", "fp8_current", "fp8_blockwise", "mxfp8", "nvfp4"};

GroupAdvice layers(const std::string& pattern, const std::vector<std::string>& modules,
                   const OfMatmuls<std::string>& formats) {
  GroupAdvice group{.pattern = pattern, .modules = modules, .op = "linear"};
  for (std::size_t m = 0; m < formats.size(); ++m) group.matmuls[m] = MatmulAdvice{.format = formats[m]};
  return group;
}

/// Returns advice with every combination of formats for the three matmuls, and with patterns that match two modules
/// each.
RecipeAdvice all_mixes() {
  RecipeAdvice advice{.gpu = "B200"};
  for (const char* name : kFormats) advice.formats.push_back(recipes::recipe_named(name));
  advice.formats.push_back(recipes::recipe_named("fp8_delayed"));
  for (const char* fprop : kFormats) {
    for (const char* dgrad : kFormats) {
      for (const char* wgrad : kFormats) {
        const std::string name = std::string(fprop) + '_' + dgrad + '_' + wgrad;
        advice.groups.push_back(
            layers("blocks.*." + name, {"blocks.0." + name, "blocks.1." + name}, {fprop, dgrad, wgrad}));
      }
    }
  }
  advice.groups.push_back(layers("delayed", {"delayed"}, {"fp8_delayed", "fp8_delayed", "fp8_delayed"}));
  return advice;
}

nlohmann::json expected(const RecipeAdvice& advice) {
  nlohmann::json formats;
  for (const GroupAdvice& group : advice.groups) {
    for (const std::string& module : group.modules) {
      for (const auto& matmul : group.matmuls) formats[module].push_back(matmul->format);
    }
  }
  return formats;
}

TEST(TransformerEngine, GetsTheRightQuantizerForEveryRole) {
  const TemporaryFolder folder;
  const std::string python_line = "PYTHONDONTWRITEBYTECODE=1 " + python() + ' ';
  const auto found = run_command(
      python_line + "-c 'import importlib.metadata as m; print(m.version(\"transformer_engine\"))'", folder.path());
  if (python().empty() || found.exit_code != 0) GTEST_SKIP() << "no transformer-engine; see make te-test";
  const RecipeAdvice advice = all_mixes();
  const std::string code = transformer_engine_code(advice);
  EXPECT_NE(code.find("Transformer Engine " + found.out.substr(0, found.out.find('\n')) + ','), code.npos)
      << "the version that is installed, " << found.out << ", is not the one that the file names";
  std::ofstream(folder.path() / "formats.py") << code;
  std::ofstream(folder.path() / "expected.json") << expected(advice);
  const auto result = run_command(python_line + script("transformer_engine_roles.py") + " .", folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  // 5 roles (input, weight, output, gradients of output and input) times 251: two modules for each of 125 mixes, and
  // delayed scaling.
  EXPECT_EQ(result.out, "names layernorm_mlp warned True\nasked 1255\n");
}

}  // namespace transformer_engine_test
}  // namespace ampprof::testing
