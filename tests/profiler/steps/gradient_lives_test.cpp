// SPDX-License-Identifier: Apache-2.0
// Runs small training loops as sequences of events, and compares the counted steps with the expected number.

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "tests/profiler/steps/training_program.h"

namespace ampprof::profiler {
namespace gradient_lives_test {

using namespace training_program;

using Loop = void (*)(Program&);

struct Case {
  const char* name;
  std::size_t steps;
  Loop loop;
};

void PrintTo(const Case& value, std::ostream* out) { *out << value.name; }

template <typename Body>
void repeat(int times, Body&& body) {
  for (int i = 0; i < times; ++i) body(i);
}

// A GAN that trains the generator first. The generator's pass also computes gradients of the discriminator, which the
// program never reads.
void gan_g_first(Program& p) {
  repeat(4, [&](int) {
    p.drop(kG);
    p.forward();
    p.backward(both(kG, kD), {.line = 1});
    p.step(kG);
    p.drop(kD);
    p.forward();
    p.backward(kD, {.line = 2});
    p.step(kD);
  });
}

void gan_zero_both(Program& p) {
  repeat(4, [&](int) {
    p.drop(both(kG, kD));
    p.forward();
    p.backward(kD, {.line = 1});
    p.step(kD);
    p.drop(both(kG, kD));
    p.forward();
    p.backward(both(kG, kD), {.line = 2});
    p.step(kG);
  });
}

void no_zero_grad(Program& p) {
  repeat(4, [&](int) {
    p.iterate(kNet);
    p.step(kNet);
  });
}

void sam(Program& p) {
  repeat(4, [&](int) {
    p.forward();
    p.backward(kNet, {.line = 1});
    p.update_by_hand(kNet);  // moves to the nearby point with the largest loss
    p.drop(kNet);
    p.forward();
    p.backward(kNet, {.line = 2});
    p.write(kNet);
    p.step(kNet);
    p.drop(kNet);
  });
}

void closure_runs_many_passes(Program& p) {
  repeat(4, [&](int i) {
    repeat(3, [&](int) {
      p.drop(kNet);
      p.forward(/*in_closure=*/true);
      p.backward(kNet, {.optimizer_call = i + 1});
      p.read(kNet);
    });
    p.step(kNet);
  });
}

void two_updates(Program& p) {
  repeat(4, [&](int) {
    for (const int line : {1, 2}) {
      p.drop(kNet);
      p.forward();
      p.backward(kNet, {.line = line});
      p.step(kNet);
    }
  });
}

void skip_unseen(Program& p) {
  repeat(5, [&](int i) {
    p.drop(kNet);
    p.iterate(kNet);
    if (i != 2) p.step(kNet);
  });
}

void skip_by_hand(Program& p) {
  repeat(7, [&](int i) {
    p.forward();
    p.drop(kNet);
    p.backward(kNet);
    p.read(kNet);
    if (i > 2) p.update_by_hand(kNet);
  });
}

// Gradients are divided and copied to the optimizer's leaves, unless they overflow.
void masters_by_hand(Program& p) {
  repeat(6, [&](int i) {
    p.forward();
    p.drop(kNet);
    p.backward(kNet);
    p.read(kNet);
    if (i % 2 == 0) p.step(both(kG, kG));  // the optimizer writes each leaf twice
  });
}

void skipped_by_a_scaler(Program& p) {
  repeat(4, [&](int i) {
    p.iterate(kNet);
    p.read(kNet);
    p.tracker().leaves_held(kNet);
    p.step(kNet, /*skipped=*/i < 2);
    p.drop(kNet);
  });
}

// The second optimizer has gradients only in every third step. The updates of the first optimizer are skipped in the
// first steps.
void irregular_optimizers(Program& p) {
  repeat(12, [&](int i) {
    const bool has_both = i % 3 == 0;
    p.forward();
    p.backward(has_both ? both(kG, kNet) : kNet);
    if (has_both) {
      p.read(kG);
      p.tracker().leaves_held(kG);
      p.step(kG);
    }
    p.read(kNet);
    p.tracker().leaves_held(kNet);
    if (i > 3) p.step(kNet);
    p.drop(both(kG, kNet));
  });
}

void zero_in_place(Program& p) {
  repeat(4, [&](int) {
    p.zero(kNet);
    p.iterate(kNet);
    p.step(kNet);
  });
}

void wgan(Program& p) {
  repeat(6, [&](int i) {
    p.drop(kD);
    p.forward();
    p.backward(kD, {.line = 1});
    p.step(kD);
    p.write(kD);
    if (i % 3 != 2) return;
    p.drop(kG);
    p.forward();
    p.backward(both(kG, kD), {.line = 2});
    p.step(kG);
  });
}

void accumulation_of_changing_experts(Program& p) {
  repeat(2, [&](int) {
    p.drop(both(kNet, kG));
    repeat(6, [&](int k) { p.iterate(both({kNet[static_cast<std::size_t>(k) % 3]}, kG)); });
    p.step(both({1, 2, 3}, kG));
  });
}

void accumulation_with_swapped_weights(Program& p) {
  repeat(2, [&](int) {
    p.drop(kNet);
    repeat(3, [&](int) {
      p.write(kNet);
      p.write(kNet);
      p.iterate(kNet);
    });
    p.step(kNet);
  });
}

void accumulation_with_logged_norms(Program& p) {
  repeat(2, [&](int) {
    p.drop(kNet);
    repeat(3, [&](int) {
      p.iterate(kNet);
      p.read(kNet);
    });
    p.step(kNet);
  });
}

// Three passes compute the gradient of the input, which is a new leaf in each step.
void attack_on_an_input(Program& p) {
  repeat(4, [&](int i) {
    const Leaves input{100 + i};
    repeat(3, [&](int) {
      p.iterate(both(kNet, input));
      p.read(input);
      p.zero(input);
    });
    p.drop(kNet);
    p.forward();
    p.backward(kNet, {.line = 2});
    p.read(kNet);
    p.step(kNet);
  });
}

// The last pass of the first net is interrupted before its update, and the net is freed.
void interrupted_and_begun_again(Program& p) {
  repeat(3, [&](int i) {
    p.drop(kNet);
    p.iterate(kNet);
    if (i < 2) p.step(kNet);
  });
  p.die(kNet);
  repeat(3, [&](int) {
    p.iterate(kD);
    p.step(kD);
    p.drop(kD);
  });
}

void two_nets_in_turn(Program& p) {
  for (const Leaves& net : {kNet, kD}) {
    repeat(4, [&](int) {
      p.drop(net);
      p.iterate(net);
      p.step(net);
    });
  }
}

void gradients_thrown_away_before(Program& p) {
  p.forward();
  p.backward(kNet, {.line = 1});
  p.drop(kNet);
  repeat(4, [&](int) {
    p.forward();
    p.backward(kNet, {.line = 2});
    p.step(kNet);
    p.drop(kNet);
  });
}

void raises_then_adds(Program& p) {
  repeat(2, [&](int) {
    p.drop(kNet);
    p.forward();
    p.backward(kNet, {.line = 1, .raises = true});
    p.forward();
    p.backward(kNet, {.line = 2});
    p.step(kNet);
  });
}

void cleared_in_parts(Program& p) {
  repeat(4, [&](int) {
    p.drop({1, 2});
    p.iterate(kNet);
    p.step(kNet);
    p.drop({3, 4});
  });
}

// Hooks accumulate gradients elsewhere, like sharding, so that no pass reaches the optimizer's leaves.
void gradients_moved_away(Program& p) {
  repeat(2, [&](int) {
    repeat(3, [&](int) {
      p.forward();
      p.backward(kNet, {.moves_away = true});
    });
    p.step(kG);
  });
}

void optimizer_in_backward(Program& p) {
  repeat(4, [&](int) {
    p.forward();
    p.backward(kNet, {.updates = true});
  });
}

void update_by_hand(Program& p) {
  repeat(4, [&](int) {
    p.iterate(kNet);
    p.update_by_hand(kNet);
    p.zero(kNet);
  });
}

void gradients_read_again_later(Program& p) {
  repeat(4, [&](int i) {
    p.forward();
    if (i > 0) p.read(kNet);  // logs the gradients before they are dropped
    p.drop(kNet);
    p.backward(kNet);
    p.step(kNet);
  });
}

class TrainingLoopEvents : public testing::TestWithParam<Case> {};

TEST_P(TrainingLoopEvents, HaveTheirNumberOfSteps) {
  Program program;
  GetParam().loop(program);
  EXPECT_EQ(program.steps(), GetParam().steps) << program.steps_of_segments();
}

INSTANTIATE_TEST_SUITE_P(
    StepTracker, TrainingLoopEvents,
    testing::Values(Case{"gan_g_first", 4, gan_g_first}, Case{"gan_zero_both", 4, gan_zero_both},
                    Case{"no_zero_grad", 4, no_zero_grad}, Case{"sam", 4, sam},
                    Case{"closure_runs_many_passes", 4, closure_runs_many_passes}, Case{"two_updates", 8, two_updates},
                    Case{"skip_unseen", 5, skip_unseen}, Case{"skip_by_hand", 7, skip_by_hand},
                    Case{"masters_by_hand", 6, masters_by_hand}, Case{"skipped_by_a_scaler", 4, skipped_by_a_scaler},
                    Case{"irregular_optimizers", 12, irregular_optimizers}, Case{"zero_in_place", 4, zero_in_place},
                    Case{"wgan", 6, wgan},
                    Case{"accumulation_of_changing_experts", 2, accumulation_of_changing_experts},
                    Case{"accumulation_with_swapped_weights", 2, accumulation_with_swapped_weights},
                    Case{"accumulation_with_logged_norms", 2, accumulation_with_logged_norms},
                    Case{"attack_on_an_input", 4, attack_on_an_input}, Case{"two_nets_in_turn", 8, two_nets_in_turn},
                    Case{"interrupted_and_begun_again", 5, interrupted_and_begun_again},
                    Case{"gradients_thrown_away_before", 4, gradients_thrown_away_before},
                    Case{"raises_then_adds", 2, raises_then_adds}, Case{"cleared_in_parts", 4, cleared_in_parts},
                    Case{"gradients_moved_away", 2, gradients_moved_away},
                    Case{"optimizer_in_backward", 4, optimizer_in_backward}, Case{"update_by_hand", 4, update_by_hand},
                    Case{"gradients_read_again_later", 4, gradients_read_again_later}),
    [](const auto& info) { return info.param.name; });

TEST(TrainingLoopEvents, NameTheSegmentsOfAGan) {
  Program program;
  gan_zero_both(program);
  EXPECT_EQ(program.steps_of_segments(), "11223344");
}

TEST(TrainingLoopEvents, ADiscardedStepThatIsSeenTooLateIsReported) {
  Program program;
  repeat(3, [&](int) {
    program.forward();
    program.drop(kNet);
    program.backward(kNet);
  });
  EXPECT_EQ(program.joined(), 1) << "the first two: the third is unknown";
  program.step(kNet);
  EXPECT_EQ(program.joined(), 1);
  EXPECT_EQ(program.steps(), 2u) << "the third has a segment of its own";
}

TEST(TrainingLoopEvents, AnUnusedPassIsLeftOpen) {
  Program program;
  program.iterate(kNet);
  EXPECT_EQ(program.lives().count_unused().passes, 1);
  EXPECT_FALSE(program.tracker().ends_with_forward_op());
  program.read({kNet[0]});
  EXPECT_EQ(program.lives().count_unused().passes, 0);
  EXPECT_EQ(program.lives().count_unused().leaves, std::ssize(kNet) - 1);
  EXPECT_TRUE(program.tracker().ends_with_forward_op());
  EXPECT_FALSE(program.tracker().ends_with_forward_op(/*in_optimizer=*/true));
}

}  // namespace gradient_lives_test
}  // namespace ampprof::profiler
