// SPDX-License-Identifier: Apache-2.0
#include "amp_core/checkpoint/state_dict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace amp {
namespace state_dict_test {

StateDict state_of(const Options& options) {
  const Properties properties = resolve(options);
  return make_state_dict(properties, std::vector<LossScaler>(properties.num_losses, LossScaler(properties.scaler)));
}

std::string complaint_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

struct Misfit {
  const char* name;
  StateDict saved;
  StateDict here;
  std::vector<const char*> complaints;  ///< empty if the state can be loaded
};

void PrintTo(const Misfit& misfit, std::ostream* out) { *out << misfit.name; }

StateDict with_policy(StateDict state, const std::string& policy) {
  state.cast_policy = policy;
  return state;
}

StateDict with_version(StateDict state, int version) {
  state.version = version;
  return state;
}

class CheckpointFit : public testing::TestWithParam<Misfit> {};

TEST_P(CheckpointFit, ListsAllThatDiffers) {
  const std::string complaint = complaint_of([] { check_fits(GetParam().saved, GetParam().here); });
  EXPECT_EQ(complaint.empty(), GetParam().complaints.empty()) << complaint;
  for (const char* expected : GetParam().complaints) {
    EXPECT_NE(complaint.find(expected), std::string::npos) << complaint;
  }
}

INSTANTIATE_TEST_SUITE_P(
    StateDict, CheckpointFit,
    testing::Values(
        Misfit{"same", state_of({.opt_level = "O2"}), state_of({.opt_level = "O2"}), {}},
        Misfit{"other_scaler_settings", state_of({.growth_interval = 5}), state_of({.hysteresis = 2}), {}},
        Misfit{"level",
               state_of({.opt_level = "O2"}),
               state_of({.opt_level = "O1"}),
               {"opt_level is O2 in the checkpoint and O1 here",
                "master_weights is True in the checkpoint and None here"}},
        Misfit{"losses", state_of({.num_losses = 2}), state_of({}), {"loss ids are 0, 1 in the checkpoint and 0 here"}},
        Misfit{"static_for_dynamic",
               state_of({}),
               state_of({.loss_scale = 8.0}),
               {"loss_scale is dynamic in the checkpoint and 8.0 here"}},
        Misfit{"other_static",
               state_of({.loss_scale = 4.0}),
               state_of({.loss_scale = 8.0}),
               {"loss_scale is 4.0 in the checkpoint and 8.0 here"}},
        Misfit{"type",
               state_of({.patch_torch_functions_type = ReducedType::BFloat16}),
               state_of({}),
               {"patch_torch_functions_type is torch.bfloat16 in the checkpoint and torch.float16 here"}},
        Misfit{"list",
               state_of({.cast_list = "native"}),
               state_of({}),
               {"cast_list is native in the checkpoint and apex here"}},
        Misfit{"policy",
               with_policy(state_of({}), "softmax fp16"),
               state_of({}),
               {"the cast policy is \"softmax fp16\" in the checkpoint and \"\" here"}},
        Misfit{"newer", with_version(state_of({}), 2), state_of({}), {"has version 2", "reads versions 1 to 1"}},
        Misfit{"no_version", with_version(state_of({}), 0), state_of({}), {"has version 0"}}),
    [](const auto& info) { return info.param.name; });

TEST(StateDictLoss, SurvivesAsNumbers) {
  LossScaler scaler({.initial = 64, .growth_interval = 7, .hysteresis = 3, .minimum = 0.5});
  for (const bool overflowed : {true, false, true, true}) static_cast<void>(scaler.update(overflowed));
  const StateDict::Loss loss{scaler.options(), scaler.state()};
  EXPECT_EQ(loss_from(numbers_of(loss)), loss);
}

struct Hostile {
  const char* name;
  const char* entry;
  double value;
};

void PrintTo(const Hostile& hostile, std::ostream* out) { *out << hostile.name; }

class HostileNumbers : public testing::TestWithParam<Hostile> {};

TEST_P(HostileNumbers, AreRefused) {
  Numbers numbers = numbers_of({LossScalerOptions{}, LossScaler().state()});
  static_cast<void>(loss_from(numbers));
  numbers[GetParam().entry] = GetParam().value;
  EXPECT_THROW(loss_from(numbers), Error);
}

INSTANTIATE_TEST_SUITE_P(
    StateDict, HostileNumbers,
    testing::Values(Hostile{"nan_scale", "loss_scale", std::nan("")}, Hostile{"zero_scale", "loss_scale", 0},
                    Hostile{"negative_scale", "loss_scale", -8}, Hostile{"infinite_scale", "loss_scale", HUGE_VAL},
                    Hostile{"scale_over_the_maximum", "loss_scale", 0x1p30}, Hostile{"negative_count", "unskipped", -1},
                    Hostile{"half_a_count", "unskipped", 0.5}, Hostile{"nan_count", "unskipped", std::nan("")},
                    Hostile{"huge_count", "unskipped", 1e300}, Hostile{"count_beyond_the_interval", "unskipped", 2000},
                    Hostile{"hysteresis_left", "hysteresis_left", 2}, Hostile{"huge_hysteresis", "hysteresis", 1e10},
                    Hostile{"no_interval", "growth_interval", 0}, Hostile{"backoff", "backoff_factor", 1},
                    Hostile{"growth", "growth_factor", std::nan("")}, Hostile{"maximum", "max_loss_scale", HUGE_VAL},
                    Hostile{"minimum", "min_loss_scale", -1}, Hostile{"unknown_entry", "momentum", 1}),
    [](const auto& info) { return info.param.name; });

TEST(StateDictLoss, NamesWhatIsMissing) {
  for (const auto& [name, value] : numbers_of({LossScalerOptions{}, LossScaler().state()})) {
    Numbers numbers = numbers_of({LossScalerOptions{}, LossScaler().state()});
    numbers.erase(name);
    EXPECT_NE(complaint_of([&] { static_cast<void>(loss_from(numbers)); }).find('"' + name + '"'), std::string::npos);
  }
}

TEST(ApexState, GoesByTheNumberInTheName) {
  const StateDict here = state_of({.num_losses = 11, .hysteresis = 2});
  std::map<std::string, Numbers> apex;
  for (int i = 0; i < 11; ++i) {
    apex["loss_scaler" + std::to_string(i)] = {{"loss_scale", std::ldexp(1.0, i)}, {"unskipped", 100.0 + i}};
  }
  const StateDict imported = with_apex_state(here, apex);
  for (int i = 0; i < 11; ++i) {
    EXPECT_EQ(imported.losses.at(i).state, (LossScaler::State{std::ldexp(1.0, i), 100 + i, 2})) << i;
    EXPECT_EQ(imported.losses.at(i).options, here.losses.at(i).options) << i;
  }
}

TEST(ApexState, OfAStaticScaleKeepsItsCount) {
  const StateDict here = state_of({.loss_scale = 128.0});
  const auto imported = with_apex_state(here, {{"loss_scaler0", {{"loss_scale", 128}, {"unskipped", 4001}}}});
  EXPECT_EQ(imported.losses.at(0).state.clean_passes, 1);
  EXPECT_NE(complaint_of([&] {
              static_cast<void>(with_apex_state(here, {{"loss_scaler0", {{"loss_scale", 64}, {"unskipped", 0}}}}));
            }).find("static here: 128.0"),
            std::string::npos);
}

struct WrongApex {
  const char* name;
  std::map<std::string, Numbers> state;
  const char* complaint;
};

void PrintTo(const WrongApex& wrong, std::ostream* out) { *out << wrong.name; }

class WrongApexState : public testing::TestWithParam<WrongApex> {};

TEST_P(WrongApexState, IsRefused) {
  const StateDict here = state_of({.num_losses = 2});
  const std::string complaint = complaint_of([&] { static_cast<void>(with_apex_state(here, GetParam().state)); });
  EXPECT_NE(complaint.find(GetParam().complaint), std::string::npos) << complaint;
}

const Numbers kFine{{"loss_scale", 8}, {"unskipped", 0}};

INSTANTIATE_TEST_SUITE_P(
    StateDict, WrongApexState,
    testing::Values(
        WrongApex{"too_few", {{"loss_scaler0", kFine}}, "scales of 1 losses, but num_losses is 2"},
        WrongApex{"empty", {}, "scales of 0 losses"},
        WrongApex{
            "too_many", {{"loss_scaler0", kFine}, {"loss_scaler1", kFine}, {"loss_scaler2", kFine}}, "no loss_id 2"},
        WrongApex{"unknown_name", {{"loss_scaler0", kFine}, {"optimizer", kFine}}, "unknown entry \"optimizer\""},
        WrongApex{"no_number", {{"loss_scaler", kFine}, {"loss_scaler1", kFine}}, "unknown entry \"loss_scaler\""},
        WrongApex{"huge_number", {{"loss_scaler99999999999", kFine}}, "unknown entry"},
        WrongApex{"missing", {{"loss_scaler0", {{"loss_scale", 8}}}, {"loss_scaler1", kFine}}, "no \"unskipped\""},
        WrongApex{"fraction",
                  {{"loss_scaler0", {{"loss_scale", 8}, {"unskipped", 0.5}}}, {"loss_scaler1", kFine}},
                  "is not a valid count"}),
    [](const auto& info) { return info.param.name; });

const Numbers kGradScaler{
    {"scale", 512}, {"growth_factor", 4}, {"backoff_factor", 0.25}, {"growth_interval", 100}, {"_growth_tracker", 42}};

TEST(GradScalerState, BringsItsSettings) {
  const StateDict::Loss loss = with_grad_scaler_state(state_of({.num_losses = 2}), kGradScaler, 1).losses.at(1);
  EXPECT_EQ(loss.state, (LossScaler::State{512, 42, 1}));
  EXPECT_EQ(loss.options.growth, 4);
  EXPECT_EQ(loss.options.backoff, 0.25);
  EXPECT_EQ(loss.options.growth_interval, 100);
}

TEST(GradScalerState, IsRefusedWhereItDoesNotFit) {
  const auto complaint = [](const Options& options, const Numbers& numbers, int loss_id) {
    return complaint_of([&] { static_cast<void>(with_grad_scaler_state(state_of(options), numbers, loss_id)); });
  };
  EXPECT_NE(complaint({}, {}, 0).find("is empty"), std::string::npos);
  EXPECT_NE(complaint({}, kGradScaler, 1).find("no loss_id 1"), std::string::npos);
  EXPECT_NE(complaint({.loss_scale = 8.0}, kGradScaler, 0).find("is static here"), std::string::npos);
  Numbers partial = kGradScaler;
  partial.erase("_growth_tracker");
  EXPECT_NE(complaint({}, partial, 0).find("\"_growth_tracker\""), std::string::npos);
  Numbers more = kGradScaler;
  more["found_inf"] = 0;
  EXPECT_NE(complaint({}, more, 0).find("unknown entry \"found_inf\""), std::string::npos);
}

}  // namespace state_dict_test
}  // namespace amp
