// SPDX-License-Identifier: Apache-2.0
// Tests which engine a thread uses.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <latch>
#include <thread>

#include "amp_core/amp.h"

namespace amp {
namespace threads_test {

void backward_of(const at::Tensor& scaled) { scaled.backward(); }

Options quiet(const char* level) { return {.opt_level = level, .verbosity = 0, .max_loss_scale = 1024}; }

/// Runs `work` on a new thread and waits for it. Returns the message of its exception, or "".
std::string on_another_thread(const std::function<void()>& work) {
  std::string complaint;
  std::thread([&] {
    try {
      work();
    } catch (const Error& error) {
      complaint = error.what();
    }
  }).join();
  return complaint;
}

struct Training {
  explicit Training(const char* level) : net(made()), optimizer(net->parameters(), 0.125) {
    initialize(net, optimizer, quiet(level));
  }

  static torch::nn::Linear made() {
    torch::nn::Linear linear(4, 3);
    const torch::NoGradGuard no_grad;
    linear->weight.copy_(torch::arange(12).reshape({3, 4}) / 8.0);
    linear->bias.zero_();
    return linear;
  }

  void iterate(int times) {
    for (int i = 0; i < times; ++i) {
      optimizer.zero_grad();
      scale_loss(forward(net, torch::ones({2, 4})).pow(2).sum() / 64, optimizer, backward_of);
      step(optimizer);
    }
  }

  at::Tensor weight() const { return net->weight.detach().clone(); }

  torch::nn::Linear net;
  torch::optim::SGD optimizer;
};

class Threads : public testing::Test {
 protected:
  void TearDown() override { shutdown(); }
};

at::Tensor trained_alone(const char* level) {
  Training training(level);
  training.iterate(10);
  const at::Tensor weight = training.weight();
  shutdown();
  return weight;
}

TEST_F(Threads, TrainAtTheirOwnLevelsSideBySide) {
  const std::vector<const char*> levels{"O0", "O1", "O2", "O3"};
  std::vector<at::Tensor> alone;
  for (const char* level : levels) alone.push_back(trained_alone(level));
  std::vector<at::Tensor> together(levels.size());
  std::latch ready(static_cast<std::ptrdiff_t>(levels.size()));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    threads.emplace_back([&, i] {
      Training training(levels[i]);
      ready.arrive_and_wait();
      training.iterate(10);
      together[i] = training.weight();
      EXPECT_EQ(name_of(properties().opt_level), levels[i]);
      shutdown();
    });
  }
  for (auto& thread : threads) thread.join();
  for (std::size_t i = 0; i < levels.size(); ++i) EXPECT_TRUE(at::equal(together[i], alone[i])) << levels[i];
  EXPECT_FALSE(at::equal(alone[0], alone[2])) << "the levels can be told apart";
}

TEST_F(Threads, WithoutAnEngineUseTheOnlyOneOfTheProcess) {
  Training training("O2");
  const at::Tensor before = training.weight();
  EXPECT_EQ(on_another_thread([&] { training.iterate(2); }), "");
  EXPECT_FALSE(at::equal(training.weight(), before));
}

TEST_F(Threads, WithoutAnEngineGetAnErrorWhereSeveralAreAlive) {
  Training training("O2");
  std::latch is_set_up(1);
  std::latch may_end(1);
  std::thread second([&] {
    Training other("O0");
    is_set_up.count_down();
    may_end.wait();
    shutdown();
  });
  is_set_up.wait();
  EXPECT_NE(on_another_thread([&] { training.iterate(1); }).find("engines of their own"), std::string::npos);
  EXPECT_NE(on_another_thread([&] { shutdown(); }).find("engines of their own"), std::string::npos);
  training.iterate(1);
  may_end.count_down();
  second.join();
  EXPECT_EQ(on_another_thread([&] { training.iterate(1); }), "") << "one is left";
}

TEST_F(Threads, MaySetUpForTheThreadThatTrains) {
  std::optional<Training> training;
  std::thread([&] { training.emplace("O2"); }).join();
  training->iterate(2);
  EXPECT_EQ(name_of(properties().opt_level), "O2");
}

TEST_F(Threads, ThatEndedLeaveNoEngineBehind) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(on_another_thread([] { Training("O2").iterate(1); }), "");
  Training training("O0");
  EXPECT_EQ(on_another_thread([] { static_cast<void>(properties()); }), "") << "only this thread's is alive";
}

TEST_F(Threads, KeepAnEngineThatTheyShareBeyondItsThread) {
  std::optional<Training> training;
  std::thread([&] { training.emplace("O2"); }).join();
  std::latch has_used(1);
  std::latch may_end(1);
  std::thread sharing([&] {
    training->iterate(1);
    has_used.count_down();
    may_end.wait();
  });
  has_used.wait();
  Training other("O0");
  EXPECT_NE(on_another_thread([&] { training->iterate(1); }).find("engines of their own"), std::string::npos);
  may_end.count_down();
  sharing.join();
  shutdown();
  training->iterate(1);
  EXPECT_EQ(name_of(properties().opt_level), "O2");
}

TEST_F(Threads, NoticeThatTheEngineEnded) {
  Training training("O2");
  std::latch has_used(1);
  std::latch is_shut_down(1);
  std::string complaint;
  std::thread sharing([&] {
    training.iterate(1);
    has_used.count_down();
    is_shut_down.wait();
    try {
      step(training.optimizer);
    } catch (const Error& error) {
      complaint = error.what();
    }
  });
  has_used.wait();
  shutdown();
  is_shut_down.count_down();
  sharing.join();
  EXPECT_NE(complaint.find("before amp::initialize"), std::string::npos) << complaint;
}

TEST_F(Threads, MayEndTheOnlyEngineOfTheProcess) {
  Training training("O2");
  EXPECT_EQ(on_another_thread([] { shutdown(); }), "");
  EXPECT_THROW(static_cast<void>(properties()), Error);
}

}  // namespace threads_test
}  // namespace amp
