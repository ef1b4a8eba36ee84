// SPDX-License-Identifier: Apache-2.0
// Tests that training continued from a checkpoint, in new objects, is bitwise equal to uninterrupted training.
#include "amp_core/checkpoint/checkpoint.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <sstream>

#include "amp_core/amp.h"

namespace amp {
namespace checkpoint_test {

struct NetImpl : torch::nn::Module {
  at::Tensor forward(const at::Tensor& x) { return fc2->forward(torch::relu(bn->forward(fc1->forward(x)))); }

  torch::nn::Linear fc1 = register_module("fc1", torch::nn::Linear(4, 8));
  torch::nn::BatchNorm1d bn = register_module("bn", torch::nn::BatchNorm1d(8));
  torch::nn::Linear fc2 = register_module("fc2", torch::nn::Linear(8, 2));
};
TORCH_MODULE(Net);

std::string complaint_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

struct Case {
  const char* level;
  bool loads_before_initialize;
  int losses;
  bool uses_adam;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.level << (c.loads_before_initialize ? "_load_before_" : "_load_after_") << c.losses << "_losses_"
       << (c.uses_adam ? "adam" : "sgd");
}

/// Serialized archives of the model, the optimizer and the state of amp.
struct Checkpoint {
  std::string model;
  std::string optimizer;
  std::string amp;
};

class Training {
 public:
  explicit Training(const Case& c) : case_(c) {
    if (c.uses_adam) {
      optimizer = std::make_unique<torch::optim::Adam>(net->parameters(), torch::optim::AdamOptions(0.01).eps(1e-3));
    } else {
      optimizer = std::make_unique<torch::optim::SGD>(net->parameters(), torch::optim::SGDOptions(0.05).momentum(0.5));
    }
  }
  ~Training() { shutdown(); }

  void initialize() {
    Options options{.opt_level = case_.level, .num_losses = case_.losses, .verbosity = 0};
    const std::string level = case_.level;
    if (level == "O1" || level == "O2") {  // O0 and O3 have a static scale
      options.growth_interval = 3;
      options.init_scale = 1024;
      options.hysteresis = 2;
    }
    amp::initialize(net, *optimizer, options);
  }

  void train(int from, int to) {
    for (int epoch = from; epoch < to; ++epoch) {
      optimizer->zero_grad();
      for (int loss = 0; loss < case_.losses; ++loss) {
        const at::Tensor x = torch::sin(torch::arange(32).reshape({8, 4}) * (1.0 + epoch + 10 * loss));
        const double factor = (epoch == 2 || epoch == 4) && loss == case_.losses - 1 ? HUGE_VAL : 1.0;
        const bool overflows = std::isinf(factor) && properties().loss_scale.is_dynamic();
        scale_loss(forward(net, x).pow(2).mean() * (overflows ? factor : 1.0), *optimizer,
                   [](const at::Tensor& scaled) { scaled.backward(); }, {.loss_id = loss});
      }
      step(*optimizer);
    }
  }

  Checkpoint save() {
    std::ostringstream model;
    std::ostringstream optimizer_bytes;
    std::ostringstream amp_bytes;
    torch::serialize::OutputArchive archive;
    save_model(net, archive);
    archive.save_to(model);
    torch::save(*optimizer, optimizer_bytes);
    torch::save(state_dict(), amp_bytes);
    return {model.str(), optimizer_bytes.str(), amp_bytes.str()};
  }

  void load(const Checkpoint& checkpoint) {
    if (case_.loads_before_initialize) {
      std::istringstream model(checkpoint.model);
      torch::load(net, model);
      load_optimizer(checkpoint);
      initialize();
    } else {
      initialize();
      std::istringstream model(checkpoint.model);
      torch::serialize::InputArchive archive;
      archive.load_from(model);
      load_model(net, archive);
      load_optimizer(checkpoint);
    }
    StateDict state;
    std::istringstream amp_bytes(checkpoint.amp);
    torch::load(state, amp_bytes);
    load_state_dict(state);
    load_state_dict(state);  // loading twice changes nothing
  }

  Net net;
  std::unique_ptr<torch::optim::Optimizer> optimizer;

 private:
  void load_optimizer(const Checkpoint& checkpoint) {
    std::istringstream bytes(checkpoint.optimizer);
    torch::load(*optimizer, bytes);
  }

  Case case_;
};

class Resumed : public testing::TestWithParam<Case> {};

TEST_P(Resumed, EndsWhereTheUninterruptedRunEnds) {
  torch::manual_seed(3);
  torch::OrderedDict<std::string, at::Tensor> expected;
  StateDict expected_state;
  Checkpoint checkpoint;
  {
    Training run(GetParam());
    run.initialize();
    run.train(0, 5);
    checkpoint = run.save();
    run.train(5, 10);
    expected = model_state_dict(run.net);
    expected_state = state_dict();
  }
  Training resumed(GetParam());
  resumed.load(checkpoint);
  resumed.train(5, 10);
  const auto ended = model_state_dict(resumed.net);
  ASSERT_EQ(ended.size(), expected.size());
  for (const auto& item : expected) EXPECT_TRUE(at::equal(ended[item.key()], item.value())) << item.key();
  EXPECT_EQ(state_dict(), expected_state);
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const char* level : {"O0", "O1", "O2", "O3"}) {
    for (const bool before : {false, true}) {
      for (const int losses : {1, 2}) {
        for (const bool adam : {false, true}) cases.push_back({level, before, losses, adam});
      }
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Checkpoint, Resumed, testing::ValuesIn(all_cases()), [](const auto& info) {
  std::ostringstream name;
  PrintTo(info.param, &name);
  return name.str();
});

class CheckpointAtEveryLevel : public testing::TestWithParam<const char*> {
 protected:
  void TearDown() override { shutdown(); }
};

INSTANTIATE_TEST_SUITE_P(Levels, CheckpointAtEveryLevel, testing::Values("O0", "O1", "O2", "O3"),
                         [](const auto& info) { return info.param; });

TEST_P(CheckpointAtEveryLevel, EachOfThreeLossesRemembersItsOverflows) {
  torch::nn::Linear net(4, 2);
  torch::optim::SGD optimizer(net->parameters(), 0.125);
  initialize(net, optimizer, {.opt_level = GetParam(), .loss_scale = "dynamic", .num_losses = 3, .verbosity = 0});
  for (int pass = 0; pass < 2; ++pass) {
    for (int id = 0; id < 3; ++id) {
      const double factor = pass < id ? HUGE_VAL : 0x1p-6;  // the loss with this id overflows in its first `id` passes
      const auto loss = forward(net, torch::ones({2, 4})).sum() * factor;
      scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); }, {.loss_id = id});
    }
    step(optimizer);
  }
  const StateDict state = state_dict();
  EXPECT_EQ(state.losses.at(0).state, (LossScaler::State{65536, 2, 1}));
  EXPECT_EQ(state.losses.at(1).state, (LossScaler::State{32768, 1, 1}));
  EXPECT_EQ(state.losses.at(2).state, (LossScaler::State{16384, 0, 0}));
}

TEST_P(CheckpointAtEveryLevel, ModelStateIsFp32AndLossesFallAfterIt) {
  torch::manual_seed(1);
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.05);
  initialize(net, optimizer, {.opt_level = GetParam(), .verbosity = 0});
  const at::Tensor x = torch::randn({8, 4});
  double last = HUGE_VAL;
  for (int i = 0; i < 10; ++i) {
    for (const auto& item : model_state_dict(net)) EXPECT_NE(item.value().scalar_type(), torch::kHalf) << item.key();
    optimizer.zero_grad();
    const at::Tensor loss = forward(net, x).pow(2).mean();
    EXPECT_LT(loss.item<double>(), last);
    last = loss.item<double>();
    scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
    step(optimizer);
  }
}

class Checkpoints : public testing::Test {
 protected:
  void TearDown() override { shutdown(); }
};

TEST_F(Checkpoints, OfAHalfModelHoldTheMasters) {
  Net net;
  const at::Tensor exact = net->fc1->weight.detach().clone();
  torch::optim::SGD optimizer(net->parameters(), 0.05);
  initialize(net, optimizer, {.opt_level = "O2", .verbosity = 0});
  EXPECT_TRUE(at::equal(model_state_dict(net)["fc1.weight"], exact));
  EXPECT_FALSE(at::equal(net->fc1->weight.to(torch::kFloat), exact)) << "the model itself is rounded";
}

TEST_F(Checkpoints, AreCopies) {
  Net net;
  const auto before = model_state_dict(net);
  const torch::NoGradGuard no_grad;
  net->fc1->weight.add_(1.0);
  EXPECT_FALSE(at::equal(before["fc1.weight"], net->fc1->weight));
  EXPECT_EQ(before["bn.num_batches_tracked"].scalar_type(), torch::kLong);
}

TEST_F(Checkpoints, ThatDoNotFitTheModelChangeNothing) {
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.05);
  initialize(net, optimizer, {.opt_level = "O2", .verbosity = 0});
  const auto before = model_state_dict(net);
  torch::OrderedDict<std::string, at::Tensor> wrong;
  for (const auto& item : before) {
    if (item.key() == "fc2.bias") continue;
    const bool is_small = item.key() == "fc2.weight";
    wrong.insert(item.key(), is_small ? torch::ones({3, 3}) : torch::ones_like(item.value()));
  }
  wrong.insert("fc3.weight", torch::ones({1}));
  const std::string complaint = complaint_of([&] { load_model_state_dict(net, wrong); });
  for (const char* part : {"fc2.bias is missing", "fc2.weight is 3x3, not 2x8", "fc3.weight is not in the model"}) {
    EXPECT_NE(complaint.find(part), std::string::npos) << complaint;
  }
  for (const auto& item : model_state_dict(net)) EXPECT_TRUE(at::equal(item.value(), before[item.key()]));
}

TEST_F(Checkpoints, ThatDoNotFitTheEngineChangeNothing) {
  Net net;
  initialize(net, {}, {.opt_level = "O2", .num_losses = 2, .verbosity = 0});
  const StateDict before = state_dict();
  StateDict partial = before;
  partial.losses.erase(1);
  EXPECT_NE(complaint_of([&] { load_state_dict(partial); }).find("loss ids are 0 in the checkpoint and 0, 1 here"),
            std::string::npos);
  StateDict hostile = before;
  hostile.losses.at(0).state.scale = 16;
  hostile.losses.at(1).state.scale = std::nan("");
  EXPECT_NE(complaint_of([&] { load_state_dict(hostile); }).find("loss_scale is nan"), std::string::npos);
  EXPECT_NE(complaint_of([&] {
              import_grad_scaler_state({{"scale", -1}});
            }).find("no \"growth_factor\""),
            std::string::npos);
  EXPECT_EQ(state_dict(), before);
}

TEST_F(Checkpoints, NeedAnEngine) {
  EXPECT_NE(complaint_of([] { static_cast<void>(state_dict()); }).find("before amp::initialize"), std::string::npos);
  EXPECT_NE(complaint_of([] { load_state_dict({}); }).find("before amp::initialize"), std::string::npos);
}

TEST_F(Checkpoints, OfADisabledEngineFitOneThatIsDisabled) {
  Net net;
  initialize(net, {}, {.enabled = false});
  const StateDict disabled = state_dict();
  load_state_dict(disabled);
  shutdown();
  initialize(net, {}, {.verbosity = 0});
  EXPECT_NE(complaint_of([&] { load_state_dict(disabled); }).find("enabled is False in the checkpoint and True here"),
            std::string::npos);
}

TEST_F(Checkpoints, ThatAreOtherArchivesAreRefused) {
  const auto read = [](torch::serialize::OutputArchive& written) {
    std::stringstream bytes;
    written.save_to(bytes);
    StateDict state;
    torch::load(state, bytes);
    return state;
  };
  torch::serialize::OutputArchive empty;
  empty.write("weight", torch::ones({1}));
  EXPECT_NE(complaint_of([&] { read(empty); }).find("no \"amp_version\""), std::string::npos);
  torch::serialize::OutputArchive strange;
  strange.write("amp_version", c10::IValue(std::string("one")));
  EXPECT_NE(complaint_of([&] { read(strange); }).find("not an amp checkpoint"), std::string::npos);
  torch::serialize::OutputArchive newer;
  newer.write("amp_version", c10::IValue(std::int64_t{7}));
  Net net;
  initialize(net, {}, {.verbosity = 0});
  EXPECT_NE(complaint_of([&] { load_state_dict(read(newer)); }).find("has version 7"), std::string::npos);
}

TEST_F(Checkpoints, OfApexGoOn) {
  Net net;
  initialize(net, {}, {.num_losses = 2, .verbosity = 0});
  import_apex_state({{"loss_scaler1", {{"loss_scale", 16}, {"unskipped", 5}}},
                     {"loss_scaler0", {{"loss_scale", 4}, {"unskipped", 3}}}});
  EXPECT_EQ(loss_scale(0), 4.0);
  EXPECT_EQ(loss_scale(1), 16.0);
  import_grad_scaler_state(
      {{"scale", 512}, {"growth_factor", 2}, {"backoff_factor", 0.5}, {"growth_interval", 9}, {"_growth_tracker", 8}},
      1);
  EXPECT_EQ(state_dict().losses.at(1).state.clean_passes, 8);
  EXPECT_EQ(loss_scale(1), 512.0);
}

}  // namespace checkpoint_test
}  // namespace amp
