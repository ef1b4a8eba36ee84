// SPDX-License-Identifier: Apache-2.0
// Tests what the injection records for a program that uses NVTX. INJECTION and CLIENT are paths of built files.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/profiler/nvtx/output_of.h"

namespace ampprof::profiler {
namespace injection_test {

std::string client(const std::string& what) { return test_support::output_of(CLIENT " " + what, INJECTION); }

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Injection, TakesNestedRangesAndMarks) {
  EXPECT_EQ(client("nested"),
            "push 0\npush 1\npush 2\npop 2\npop 1\npop 0\npop -1\n"
            "range 0 3 [mark] 4-4\n"
            "range 0 3 [breit] 5-5\n"
            "range 0 3 [mark with attributes] 6-6\n"
            "range 0 2 [third] 3-7\n"
            "range 0 1 [größer 漢字 😀] 2-8\n"
            "range 0 0 [outer] 1-9\n");
}

TEST(Injection, TakesDomainsAndRegisteredStrings) {
  EXPECT_EQ(client("domains"),
            "same handle 1\npush 0\npush 0\npop 0\npop 0\npop -1\n"
            "range 0 2 [one: registered] 3-3\n"
            "range 0 0 [one: registered] 1-4\n"
            "range 0 1 [zwölf: registriert …] 2-5\n");
}

TEST(Injection, TakesRangesThatCrossThreads) {
  EXPECT_EQ(client("threads"),
            "range 0 0 [crosses threads] 1-6\n"
            "range 0 0 [domain: crosses too] 2-7\n"
            "range 1 0 [on a thread] 5-8\n"
            "range 0 0 [third] 4-9\n"
            "range 0 0 [wide] 3-10\n");
}

TEST(Injection, SurvivesACarelessProgram) {
  const std::string output = client("careless");
  EXPECT_EQ(count(output, "pop -1\n"), 1);
  EXPECT_EQ(count(output, " [(no text)] "), 8) << output;
  EXPECT_EQ(count(output, " [in no domain] "), 1) << output;
  EXPECT_EQ(count(output, " [a\uFFFD\uFFFDb] "), 1) << output;
  EXPECT_EQ(count(output, "range 0 0 [open] "), 1) << output;
  EXPECT_EQ(count(output, "ended with status"), 0) << output;
}

TEST(Injection, DropsRangesUntilASinkListensButKeepsHandles) {
  EXPECT_EQ(test_support::output_of(CLIENT " late", INJECTION, "TEST_LISTENS=late"),
            "push -2\npush -2\nstart 0\nstart 0\nstart 0\npush 0\npop 0\npop -1\npop -1\n"
            "range 0 0 [early: text] 1-2\n");
}

TEST(Injection, ServesEachCopyOfNvtx) {
  EXPECT_EQ(client("libraries"),
            "range 0 1 [library] 2-3\n"
            "range 0 0 [program] 1-4\n");
}

TEST(Injection, RefusesTheDomainOfAmpprofItself) { EXPECT_EQ(client("own_domain"), "no handle 1\nno handle 1\n"); }

TEST(Injection, TakesTheDefaultDomainWhereThereAreTooMany) {
  const std::string output = client("many");
  EXPECT_EQ(count(output, "in it]"), 2000);
  EXPECT_GE(count(output, " [in it]"), 2000 - 1024);
  EXPECT_GT(count(output, " [domain "), 500);
  EXPECT_EQ(count(output, "ended with status"), 0);
}

TEST(Injection, ServesManyThreadsThatBeginAtOnce) {
  const std::string output = client("crowd");
  EXPECT_EQ(count(output, "range "), 8000);
  EXPECT_EQ(count(output, "[domain 7: 57]"), 8);
  EXPECT_EQ(count(output, "ended with status"), 0);
}

TEST(Injection, IsNotNeeded) { EXPECT_EQ(test_support::output_of(CLIENT " libraries", ""), ""); }

}  // namespace injection_test
}  // namespace ampprof::profiler
