// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/code.h"

#include <gtest/gtest.h>

namespace ampprof::advice {
namespace code_test {

Advice of(std::vector<Registration> policy) { return {.policy = std::move(policy)}; }

const Advice kTwo = of({{.op = "cross_entropy_loss", .module = "", .because = "it overflows."},
                        {.op = "linear", .module = "decoder.head", .because = "it changes the loss."}});

TEST(PolicyFile, IsReadBackAsTheSamePolicy) {
  const std::string text = policy_file(kTwo);
  EXPECT_EQ(text, "# it overflows.\ncross_entropy_loss fp32\n# it changes the loss.\nlinear fp32 in decoder.head\n");
  EXPECT_EQ(amp::parse_policy(text, "test"), policy_of(kTwo));
}

TEST(PolicyFile, KeepsTextOfTheReportInItsComments) {
  const std::string text = policy_file(of({{.op = "exp", .module = "", .because = "line\nbmm fp16\r\x01."}}));
  EXPECT_EQ(amp::parse_policy(text, "test").rules.size(), 1u) << text;
}

TEST(PolicyFile, WrapsLongReasons) {
  const std::string text =
      policy_file(of({{.op = "exp", .module = "", .because = std::string(70, 'a') + ' ' + std::string(70, 'b')}}));
  EXPECT_EQ(text, "# " + std::string(70, 'a') + "\n# " + std::string(70, 'b') + "\nexp fp32\n");
}

TEST(PolicyFile, WithoutRulesIsAComment) {
  EXPECT_EQ(policy_file({}), "# No function needs to be registered.\n");
  EXPECT_TRUE(amp::parse_policy(policy_file({}), "test").rules.empty());
}

TEST(CppCode, RegistersFunctions) {
  EXPECT_EQ(cpp_code(kTwo),
            "// it overflows.\namp::register_float_function(\"cross_entropy_loss\");\n"
            "// it changes the loss.\namp::register_float_function(\"linear\", \"decoder.head\");\n");
}

TEST(ApexCode, NamesFunctionsWherePythonHasThem) {
  EXPECT_EQ(apex_code(kTwo),
            "# it overflows.\namp.register_float_function(torch.nn.functional, \"cross_entropy\")\n"
            "# it changes the loss.\namp.register_float_function(torch.nn.functional, \"linear\")"
            "  # everywhere: Apex cannot keep it to decoder.head\n");
  EXPECT_EQ(apex_code(of({{.op = "aten::linear", .module = "", .because = "x."}})),
            "# x.\namp.register_float_function(torch.nn.functional, \"linear\")\n");
  EXPECT_EQ(apex_code(of({{.op = "einsum", .module = "", .because = "x."}})),
            "# x.\namp.register_float_function(torch, \"einsum\")\n");
  EXPECT_EQ(apex_code(of({{.op = "mylib::op", .module = "", .because = "x."}})),
            "# x.\namp.register_float_function(torch.ops.mylib, \"op\")\n");
}

TEST(TorchCode, WrapsFunctionsAndModules) {
  const std::string text = torch_code(kTwo);
  EXPECT_NE(text.find("torch.autocast(device_type=\"cuda\", enabled=False)"), std::string::npos);
  EXPECT_NE(text.find("torch.nn.functional.cross_entropy = in_float32(torch.nn.functional.cross_entropy)\n"),
            std::string::npos);
  EXPECT_NE(text.find("fnmatch.fnmatchcase(name, \"decoder.head\")"), std::string::npos);
}

}  // namespace code_test
}  // namespace ampprof::advice
