// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/run/policy_modules.h"

#include <gtest/gtest.h>

#include "amp_core/policy/policy.h"

namespace ampprof::cli {
namespace policy_modules_test {

const std::vector<std::string> kPaths{"Net.blocks.0.up", "Net.blocks.1.up", "Net.stem"};

std::vector<std::string> said_of(const std::string& policy, const std::vector<std::string>& paths = kPaths) {
  return unmatched_modules(amp::parse_policy(policy, "p.amp"), paths);
}

TEST(PolicyModules, ThatRanAreNotReported) {
  EXPECT_TRUE(said_of("softmax fp32\nrecipe nvfp4\n").empty()) << "names no module";
  EXPECT_TRUE(said_of("linear fp32 in Net.blocks.*.up\nNet.stem fprop bf16\nNet bf16\n").empty());
}

TEST(PolicyModules, ThatNeverRanAreNamedOnceEach) {
  const auto said = said_of("linear fp32 in decoder\ndecoder fprop bf16\nNet.stem bf16\n");
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0], "a rule of the policy had no effect: no op was called in a module named decoder.");
}

TEST(PolicyModules, AreSuggestedInsideTheRootOrByTheirSpelling) {
  EXPECT_NE(said_of("stem fprop bf16\n")[0].find("Did you mean Net.stem?"), std::string::npos);
  EXPECT_NE(said_of("blocks.*.up bf16\n")[0].find("Did you mean Net.blocks.*.up?"), std::string::npos);
  EXPECT_NE(said_of("Net.sten bf16\n")[0].find("Did you mean Net.stem?"), std::string::npos);
  EXPECT_EQ(said_of("stem bf16\n", {}).size(), 1U) << "a program whose modules have no names";
}

}  // namespace policy_modules_test
}  // namespace ampprof::cli
