// SPDX-License-Identifier: Apache-2.0
#include "views/events/event_text.h"

#include <gtest/gtest.h>

#include "reports/queries/events.h"

namespace ampprof::views {
namespace event_text_test {

TEST(EventText, NamesTheNumberThatDidNotFit) {
  queries::EventRow event;
  EXPECT_EQ(cause_text(event), "unknown");
  event.cause = NonfiniteCause::DivisionByZero;
  EXPECT_EQ(cause_text(event), "division by 0");
  event.cause = NonfiniteCause::TooLarge;
  EXPECT_EQ(cause_text(event), "too large for its type");
  event.value = 98304;
  EXPECT_EQ(cause_text(event), "exceeds 65504 (98.3k)");
  event.value = 1e39;
  EXPECT_EQ(cause_text(event), "exceeds its type (1.00e+39)");
}

TEST(EventText, SaysOnWhichInputsFp32HoldsIt) {
  queries::EventRow event;
  EXPECT_EQ(fp32_text(event), "-");
  event.fp32_holds = false;
  EXPECT_EQ(fp32_text(event), "no");
  event.shadow_holds = true;
  EXPECT_EQ(fp32_text(event), "no; yes on exact inputs");
  event.fp32_holds = true;
  EXPECT_EQ(fp32_text(event), "yes");
}

TEST(EventText, NamesTheOutcome) {
  queries::EventRow event;
  EXPECT_EQ(outcome_text(event), "no effect seen");
  event.outcome = NonfiniteOutcome::Masked;
  EXPECT_EQ(outcome_text(event), "masked");
  event.outcome_op = "attn/softmax";
  EXPECT_EQ(outcome_text(event), "masked by attn/softmax");
  event.outcome = NonfiniteOutcome::Gradient;
  event.reached = "fc.weight";
  EXPECT_EQ(outcome_text(event), "in the gradient of fc.weight");
  event.outcome = NonfiniteOutcome::Buffer;
  event.reached = "running_var";
  EXPECT_EQ(outcome_text(event), "in a buffer: running_var of attn/softmax");
}

TEST(EventText, SaysWhereItBegan) {
  queries::EventRow event;
  EXPECT_EQ(origin_text(event), "unknown");
  event.first_op = "fc/mm";
  event.first_op_source = "src/model.cpp:3";
  EXPECT_EQ(origin_text(event), "fc/mm at model.cpp:3");
}

}  // namespace event_text_test
}  // namespace ampprof::views
