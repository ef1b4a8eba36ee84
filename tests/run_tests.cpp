// SPDX-License-Identifier: Apache-2.0
#include "tests/run_tests.h"

#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <string_view>

namespace ampprof::testing_main {
namespace {

std::string_view file_option(int count, char** arguments) {
  constexpr std::string_view kOption = "--file=";
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument.starts_with(kOption)) return argument.substr(kOption.size());
  }
  return {};
}

std::string names_of_tests_in(std::string_view file) {
  std::string names;
  const testing::UnitTest& program = *testing::UnitTest::GetInstance();
  for (int i = 0; i < program.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *program.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const testing::TestInfo& test = *suite.GetTestInfo(j);
      if (!std::string_view(test.file()).ends_with(file)) continue;
      names.append(names.empty() ? "" : ":").append(suite.name()).append(".").append(test.name());
    }
  }
  return names;
}

}  // namespace

int run_tests(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  const std::string_view file = file_option(count, arguments);
  if (!file.empty()) {
    const std::string names = names_of_tests_in(file);
    if (names.empty()) {
      std::cerr << "no test of this program is in a file " << file << '\n';
      return 2;
    }
    testing::GTEST_FLAG(filter) = names;
  }
  return RUN_ALL_TESTS();
}

}  // namespace ampprof::testing_main
