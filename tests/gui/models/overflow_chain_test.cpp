// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/overflow_chain.h"

#include <gtest/gtest.h>

#include "reports/queries/events.h"

namespace ampprof::gui {
namespace overflow_chain_test {

queries::EventRow overflow() {
  queries::EventRow event;
  event.first_op = "net/mul";
  event.cause = NonfiniteCause::TooLarge;
  event.value = 98304;
  event.chain = {"net/mul", "net/sum", "backward net/mul"};
  event.parameters.resize(2);
  event.parameters[0].name = "net.weight";
  event.outcome = NonfiniteOutcome::Skipped;
  event.by_scaler = event.skipped = true;
  event.scale_before = 65536;
  event.scale_after = 32768;
  return event;
}

TEST(OverflowChain, GoesFromTheFirstOpToTheSkippedUpdate) {
  const auto chain = chainOf(overflow());
  ASSERT_EQ(chain.size(), 5u) << "the first op stands once";
  EXPECT_EQ(chain[0].title, "exceeds 65504 (98.3k)");
  EXPECT_EQ(chain[0].call_site, "net/mul");
  EXPECT_EQ(chain[2].call_site, "backward net/mul");
  EXPECT_EQ(chain[3].text, "net.weight and 1 more");
  EXPECT_EQ(chain[3].call_site, "");
  EXPECT_EQ(chain[4].title, "update skipped");
  EXPECT_EQ(chain[4].text, "scale 65536 → 32768");
}

TEST(OverflowChain, LeadsToTheOpThatMaskedIt) {
  queries::EventRow event = overflow();
  event.parameters.clear();
  event.by_scaler = false;
  event.outcome = NonfiniteOutcome::Masked;
  event.outcome_op = "net/softmax";
  const ChainLink last = chainOf(event).back();
  EXPECT_EQ(last.call_site, "net/softmax");
  EXPECT_EQ(last.text, "") << "no scaler saw it";
}

TEST(OverflowChain, SaysThatTheFirstOpIsUnknown) {
  const auto chain = chainOf({});
  ASSERT_EQ(chain.size(), 2u);
  EXPECT_EQ(chain[0].text, "unknown op");
  EXPECT_EQ(chain[1].title, "no effect seen");
}

}  // namespace overflow_chain_test
}  // namespace ampprof::gui
