// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/code.h"

#include <gtest/gtest.h>

#include "tests/golden.h"

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

TEST(PolicyFile, WrapsBehindAHundredLetters) {
  const std::string fits = std::string(50, 'a') + ' ' + std::string(47, 'b');
  EXPECT_EQ(policy_file(of({{.op = "exp", .module = "", .because = fits}})), "# " + fits + "\nexp fp32\n");
  const std::string is_long = std::string(50, 'a') + ' ' + std::string(48, 'b');
  EXPECT_EQ(policy_file(of({{.op = "exp", .module = "", .because = is_long}})),
            "# " + std::string(50, 'a') + "\n# " + std::string(48, 'b') + "\nexp fp32\n");
}

TEST(PolicyFile, LeavesAWordThatIsTooLongWhole) {
  const std::string word(120, 'a');
  EXPECT_EQ(policy_file(of({{.op = "exp", .module = "", .because = word + " b"}})), "# " + word + "\n# b\nexp fp32\n");
}

TEST(PolicyFile, WithoutRulesIsAComment) {
  EXPECT_EQ(policy_file({}), "# No function needs FP32.\n");
  EXPECT_TRUE(amp::parse_policy(policy_file({}), "test").rules.empty());
}

TEST(CppCode, RegistersFunctions) {
  EXPECT_EQ(cpp_code(kTwo),
            "// it overflows.\namp::register_float_function(\"cross_entropy_loss\");\n"
            "// it changes the loss.\namp::register_float_function(\"linear\", \"decoder.head\");\n");
}

TEST(CppCode, QuotesWhatAReportSays) {
  EXPECT_EQ(cpp_code(of({{.op = "a\"b\\c\x1f d", .module = "", .because = "x\\\x1f y."}})),
            "// x?? y.\namp::register_float_function(\"a\\\"b\\\\c? d\");\n");
}

TEST(ApexCode, NamesModulesThatArePaths) {
  const auto line = [](const char* module) {
    const std::string text = apex_code(of({{.op = "exp", .module = module, .because = "x."}}));
    return text.substr(text.find('\n') + 1);
  };
  EXPECT_EQ(line("a_1.*.b"),
            "amp.register_float_function(torch, \"exp\")  # everywhere: Apex cannot limit it to a_1.*.b\n");
  EXPECT_EQ(line("a b"), "amp.register_float_function(torch, \"exp\")\n");
}

TEST(ApexCode, NamesFunctionsWherePythonHasThem) {
  EXPECT_EQ(apex_code(kTwo),
            "# it overflows.\namp.register_float_function(torch.nn.functional, \"cross_entropy\")\n"
            "# it changes the loss.\namp.register_float_function(torch.nn.functional, \"linear\")"
            "  # everywhere: Apex cannot limit it to decoder.head\n");
  EXPECT_EQ(apex_code(of({{.op = "aten::linear", .module = "", .because = "x."}})),
            "# x.\namp.register_float_function(torch.nn.functional, \"linear\")\n");
  EXPECT_EQ(apex_code(of({{.op = "einsum", .module = "", .because = "x."}})),
            "# x.\namp.register_float_function(torch, \"einsum\")\n");
  EXPECT_EQ(apex_code(of({{.op = "mylib::op", .module = "", .because = "x."}})),
            "# x.\namp.register_float_function(torch.ops.mylib, \"op\")\n");
}

TEST(TorchCode, WrapsFunctionsAndModules) {
  const std::string text = torch_code(kTwo);
  EXPECT_NE(text.find("with torch.autocast(first.device.type, enabled=False):"), std::string::npos);
  EXPECT_NE(text.find("# it overflows.\nkeep_in_float32(torch.nn.functional, \"cross_entropy\")\n"), std::string::npos);
  EXPECT_TRUE(
      text.ends_with("# it changes the loss.\nfor name, module in model.named_modules():\n"
                     "    if fnmatch.fnmatchcase(name, \"decoder.head\") and name.count(\".\") == 1:\n"
                     "        module.forward = in_float32(module.forward)  # all of it, not linear alone\n"))
      << text;
  EXPECT_EQ(torch_code({}), "# No function needs FP32.\n");
}

TEST(LibtorchCode, GuardsFunctionsAtTheirLines) {
  const std::string text = libtorch_code(
      of({{.op = "matmul", .module = "", .because = "it overflows.", .sources = {"/src/net.cpp:31", "/src/x\n.cpp:4"}},
          {.op = "mylib::op", .module = "", .because = "it differs."},
          {.op = "mat mul", .module = "", .because = "is it one?"},
          {.op = "matmul", .module = "head", .because = "so does this.", .sources = {"/src/net.cpp:40"}}}));
  EXPECT_NE(text.find("auto in_float32(const Function& function, const Arguments&... arguments) {"), std::string::npos);
  EXPECT_NE(text.find("// it overflows.\n// at /src/net.cpp:31\n// at /src/x?.cpp:4\n"
                      "inline constexpr auto matmul_in_float32 = [](const auto&... arguments) {\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("// it differs.\n// in_float32(YOUR FUNCTION, ITS ARGUMENTS)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("// is it one?\n// in_float32(YOUR FUNCTION, ITS ARGUMENTS)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("// so does this.\n// at /src/net.cpp:40\n// matmul_in_float32, as above\n"), std::string::npos)
      << text;
  EXPECT_EQ(libtorch_code({}), "// No function needs FP32.\n");
}

/// guards_test.cpp compiles and runs the golden file.
TEST(LibtorchCode, IsWhatAnotherTestRuns) {
  test_support::expect_golden("libtorch_guards.h",
                              libtorch_code(of({{.op = "matmul", .module = "", .because = "it overflows."},
                                                {.op = "linear", .module = "a", .because = "it overflows."},
                                                {.op = "linear", .module = "b", .because = "it overflows."},
                                                {.op = "cat", .module = "", .because = "it overflows."}})));
}

}  // namespace code_test
}  // namespace ampprof::advice
