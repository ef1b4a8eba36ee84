// SPDX-License-Identifier: Apache-2.0
#include "cli/export/event_texts.h"

#include <gtest/gtest.h>

#include "analysis/diagnosis/finding.h"
#include "reports/queries/runs.h"

namespace ampprof::cli {
namespace event_texts_test {

TEST(FindingText, HasKindPlaceAndRemedies) {
  const analysis::Finding finding{
      .kind = "lost_sum",
      .culprit = {.call_site = "a/sum", .source = "train.py:3"},
      .mechanism = "It rounds.",
      .consequence = "The loss is off.",
      .remedies = {{.text = "Sum in FP32.", .code = "x.float().sum()\ny = x", .helped = true, .outcome = "It helped."},
                   {.text = "Do less.", .helped = false, .outcome = "It did not."},
                   {.text = "Think."}}};
  EXPECT_EQ(finding_text(finding),
            "**lost sum** (likely) at train.py:3 in a/sum\n\n"
            "It rounds. The loss is off.\n\n"
            "Do, confirmed: Sum in FP32. It helped.\n\n    x.float().sum()\n    y = x\n\n"
            "Did not help: Do less. It did not.\n\n"
            "Do: Think.\n");
}

TEST(FindingText, LetsNoTextBeMarkup) {
  const analysis::Finding finding{.kind = "lost_sum",
                                  .culprit = {.call_site = "*a_b*/`c`", .source = "<b>&amp;[x](y)\n\x1b[31m"},
                                  .mechanism = "# title",
                                  .consequence = ""};
  EXPECT_EQ(finding_text(finding),
            "**lost sum** (likely) at &lt;b>&amp;amp;\\[x\\](y)??\\[31m in \\*a\\_b\\*/\\`c\\`\n\n\\# title \n");
}

TEST(SettingsText, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(settings_text({}), "");
  queries::RunRow run;
  run.level = "O1";
  run.program = "python a_b.py";
  run.device = "cpu";
  EXPECT_EQ(settings_text(run), "- level: O1\n- program: python a\\_b.py\n- device: cpu\n");
}

}  // namespace event_texts_test
}  // namespace ampprof::cli
