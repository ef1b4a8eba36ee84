// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/parameter_checks.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <map>
#include <string>
#include <utility>

#include "precision/tensors/sketch_of.h"
#include "profiler/observer/pending.h"
#include "profiler/observer/session_core.h"
#include "reports/queries/checksums.h"
#include "reports/queries/report.h"
#include "reports/records/batch.h"
#include "reports/records/run.h"
#include "reports/records/step.h"
#include "tests/reports/sample_report.h"

namespace ampprof::profiler {
namespace parameter_checks_test {

using testing_reports::TemporaryFolder;
using Checksums = std::map<std::string, std::int64_t>;
using Memory = std::vector<GradientLeaves::Identity>;

constexpr std::int64_t kSegment = 4;

Segment segment_of(std::int64_t step, bool recorded = true) {
  Segment segment = testing_reports::segment(kSegment, step, 0, 1);
  segment.recorded = recorded;
  return segment;
}

GradientLeaves::Identity memory_of(const at::Tensor& tensor) {
  return GradientLeaves::identity_of(*tensor.unsafeGetTensorImpl());
}

std::int64_t bits_of(const at::Tensor& tensor) { return static_cast<std::int64_t>(tensors::checksum_of(tensor)); }

/// Has a model with one linear layer, and a session that checks every second step.
class ParameterChecks : public testing::Test {
 protected:
  ParameterChecks() {
    store::create_report(path_, false);
    options_.report = path_;
    options_.run = store::ReportWriter(path_).begin_run(testing_reports::start_of("O1"));
    options_.check_ranks = 2;
  }

  /// Calls `use` with a session that knows the parameters' names. Returns the checks in the report.
  template <class Use>
  Checksums recorded(Use use) {
    {
      SessionCore core(options_);
      core.recorder.open();
      core.recorder.add([](Batch& batch) { batch.segments.push_back(segment_of(1)); });
      {
        const Locked state = core.lock();
        state->scopes.modules.add_root(*net_);
        use(core, state);
        complete_all(core, state);
      }
      missing_ = core.missing.take();
      core.recorder.close({});
    }
    Checksums checksums;
    for (const auto& row : queries::parameter_checksums(queries::Report(path_), options_.run)) {
      checksums[row.place.parameter] = row.checksum;
    }
    return checksums;
  }

  Checksums recorded_of(const Segment& segment, const Memory& written) {
    return recorded([&](SessionCore& core, const Locked& state) { check_parameters(core, state, segment, written); });
  }

  recording::Options options_;
  torch::nn::Linear net_{3, 2};
  std::vector<Missing> missing_;

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "r.ampprof";
};

TEST_F(ParameterChecks, AreOfTheParametersThatWereWritten) {
  EXPECT_EQ(recorded_of(segment_of(1), {memory_of(net_->weight)}), (Checksums{{"weight", bits_of(net_->weight)}}));
  EXPECT_EQ(recorded_of(segment_of(3), {memory_of(net_->weight), memory_of(net_->bias), memory_of(at::ones({3}))}),
            (Checksums{{"weight", bits_of(net_->weight)}, {"bias", bits_of(net_->bias)}}));
  EXPECT_TRUE(missing_.empty());
}

TEST_F(ParameterChecks, BeforeTheFirstUpdateAreOfAllThatHaveGradients) {
  net_->weight.mutable_grad() = at::ones_like(net_->weight);
  const auto checked = [&] {
    return recorded([&](SessionCore& core, const Locked& state) {
      core.recorder.add([](Batch& batch) { batch.segments.push_back(testing_reports::segment(1, 0, 0, 1)); });
      check_first_parameters(core, state);
      net_->weight.detach().add_(1);
      check_first_parameters(core, state);
    });
  };
  const auto asked = std::exchange(options_.check_ranks, 0);
  EXPECT_EQ(checked(), Checksums{}) << "not asked for";
  options_.check_ranks = asked;
  const std::int64_t before = bits_of(net_->weight);
  EXPECT_EQ(checked(), (Checksums{{"weight", before}})) << "once, and not the bias";
}

TEST_F(ParameterChecks, AreLeftOutInOtherSteps) {
  EXPECT_EQ(recorded_of(segment_of(2), {memory_of(net_->weight)}), Checksums{}) << "every second one";
  EXPECT_EQ(recorded_of(segment_of(1, /*recorded=*/false), {memory_of(net_->weight)}), Checksums{});
  options_.check_ranks = 0;
  EXPECT_EQ(recorded_of(segment_of(1), {memory_of(net_->weight)}), Checksums{}) << "not asked for";
}

TEST_F(ParameterChecks, SeeASingleBit) {
  const std::int64_t before = bits_of(net_->weight);
  {
    const torch::NoGradGuard guard;
    net_->weight.view({-1}).view(at::kInt).select(0, 4).bitwise_xor_(1);
  }
  EXPECT_NE(recorded_of(segment_of(1), {memory_of(net_->weight)}).at("weight"), before);
}

TEST_F(ParameterChecks, ThatComeLaterAreOfTheTimeOfTheUpdate) {
  options_.pending_on_cpu = true;
  for (const auto reference : {recording::ReferenceMode::Off, recording::ReferenceMode::Float}) {
    options_.reference = reference;
    const std::int64_t then = bits_of(net_->weight);
    const Checksums found = recorded([&](SessionCore& core, const Locked& state) {
      check_parameters(core, state, segment_of(1), {memory_of(net_->weight)});
      net_->weight.detach().add_(1);
      EXPECT_EQ(state->checked.pending.size(), 1u);
      complete_pending(core, state);
      const bool waits = reference != recording::ReferenceMode::Off;
      EXPECT_EQ(state->checked.pending.empty(), waits) << "without a reference a step waits for nothing";
    });
    EXPECT_EQ(found, (Checksums{{"weight", then}}));
  }
}

TEST_F(ParameterChecks, AreOfTheHalfParameterWhereThereIsAMaster) {
  const at::Tensor master = net_->weight.detach().clone().set_requires_grad(true);
  net_->weight.set_data(net_->weight.detach().to(at::kHalf));
  for (const Memory& written : {Memory{memory_of(master)}, Memory{memory_of(master), memory_of(net_->weight)}}) {
    const Checksums found = recorded([&](SessionCore& core, const Locked& state) {
      state->masters.add(net_->weight, master);
      state->scopes.modules.add_copy(net_->weight.unsafeGetTensorImpl(), master.unsafeGetTensorImpl());
      check_parameters(core, state, segment_of(1), written);
    });
    EXPECT_EQ(found, (Checksums{{"weight", bits_of(net_->weight)}}));
  }
}

TEST_F(ParameterChecks, ThatShareMemoryAreAllChecked) {
  const at::Tensor flat = at::randn({8});
  net_->weight.set_data(flat.narrow(0, 0, 6).view({2, 3}));
  net_->bias.set_data(flat.narrow(0, 6, 2));
  EXPECT_EQ(recorded_of(segment_of(1), {memory_of(flat)}),
            (Checksums{{"weight", bits_of(net_->weight)}, {"bias", bits_of(net_->bias)}}));
}

TEST_F(ParameterChecks, OfShardedParametersAreNamedAsMissingOnce) {
  const at::Tensor flat = at::randn({5});
  const at::Tensor kept = at::randn({6});
  const Checksums found = recorded([&](SessionCore& core, const Locked& state) {
    state->scopes.modules.add_parameter(flat.unsafeGetTensorImpl(), "_fsdp_wrapped_module._flat_param");
    state->scopes.modules.add_parameter(kept.unsafeGetTensorImpl(), "_fsdp_wrapped_module.fc.weight");
    for (const std::int64_t step : {1, 3}) {
      check_parameters(core, state, segment_of(step), {memory_of(flat), memory_of(kept)});
    }
  });
  EXPECT_EQ(found, Checksums{});
  ASSERT_EQ(missing_.size(), 1u);
  EXPECT_EQ(missing_[0].what, "parameters that are sharded");
  EXPECT_EQ(missing_[0].count, 2) << "parameters, not checks";
}

TEST_F(ParameterChecks, OfParametersThatCannotBeReadAreNamedAsMissing) {
  const at::Tensor freed = at::randn({6});
  freed.storage().unsafeGetStorageImpl()->set_nbytes(0);  // FSDP does this between uses
  recorded([&](SessionCore& core, const Locked& state) {
    state->scopes.modules.add_parameter(freed.unsafeGetTensorImpl(), "freed");
    check_parameters(core, state, segment_of(1), {memory_of(freed)});
  });
  ASSERT_EQ(missing_.size(), 1u);
  EXPECT_EQ(missing_[0].what, "checksums of parameters");
}

}  // namespace parameter_checks_test
}  // namespace ampprof::profiler
