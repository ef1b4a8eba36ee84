// SPDX-License-Identifier: Apache-2.0
// Tests recipes in a program that links only libamp_core.so, which loads the library of recipes itself.
#include "amp_core/casts/format_hook.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <string>

#include "amp_core/amp.h"
#include "amp_core/base/listener.h"
#include "amp_core/casts/casts.h"

namespace amp {
namespace format_hook_test {

std::string message_of(const std::string& policy) {
  try {
    enable_casts_on_this_thread(parse_policy(policy, "test"));
  } catch (const Error& error) {
    return error.what();
  }
  disable_casts_on_this_thread();
  return "";
}

TEST(Recipes, RunInAProgramThatLinksTheEngineAlone) {
  struct Count : Listener {
    void ran_in_recipe(const at::Tensor&) override { ++calls; }
    int calls = 0;
  } count;
  const at::Tensor x = torch::randn({32, 64}), w = torch::randn({32, 64});
  const at::Tensor plain = torch::linear(x, w);
  add_listener(&count);
  enable_casts_on_this_thread(parse_policy("use none\nrecipe mxfp8", "test"));
  const at::Tensor rounded = torch::linear(x, w);
  const int calls = count.calls;
  x.relu();
  disable_casts_on_this_thread();
  remove_listener(&count);
  EXPECT_FALSE(at::equal(rounded, plain));
  EXPECT_LT((rounded - plain).abs().max().item<double>(), 0.1 * plain.abs().max().item<double>());
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(count.calls, 1) << "a ReLU is in no recipe";
}

TEST(Recipes, AreRefusedAsErrorsOfTheEngine) {
  const std::string unknown = message_of("recipe mxfp9");
  EXPECT_TRUE(unknown.starts_with("Unknown recipe \"mxfp9\"; use tf32,")) << unknown;
  EXPECT_EQ(message_of("recipe /nowhere/my.recipe"),
            "The recipe file /nowhere/my.recipe cannot be read. Check that it exists, and its permissions.");
  EXPECT_THROW(format_hook().check("mxfp9"), Error);
  EXPECT_NO_THROW(format_hook().check("nvfp4,nearest"));
}

}  // namespace format_hook_test
}  // namespace amp
