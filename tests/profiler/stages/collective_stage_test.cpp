// SPDX-License-Identifier: Apache-2.0
// Tests the records of collectives, on a Gloo group of one rank.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "precision/tensors/sketch_of.h"
#include "profiler/calls/call.h"
#include "profiler/observer/session_core.h"
#include "profiler/stages/stages.h"
#include "reports/queries/collectives.h"
#include "tests/profiler/one_rank.h"
#include "tests/reports/sample_report.h"

namespace ampprof::profiler {
namespace collective_stage_test {

using testing_reports::TemporaryFolder;

/// Makes the calls itself, and passes them only to the stage under test.
class CollectiveStage : public testing::Test {
 protected:
  CollectiveStage() {
    store::create_report(path_, false);
    options_.report = path_;
    options_.sketch = true;
    options_.run = store::ReportWriter(path_).begin_run(testing_reports::start_of("O1"));
    core_ = std::make_unique<SessionCore>(options_);
    core_->recorder.open();
    stage_ = make_collective_stage(core_->recorder, core_->clock, core_->options.sketch);
  }

  const OpInfo& info_of(const char* op) { return infos_.of(collective_op(op)); }

  /// Makes a call with its own call site. Waits for the work if the call returns one.
  void call(const char* name, torch::jit::Stack stack) {
    const c10::OperatorHandle op = collective_op(name);
    Call call{{.op = op, .info = infos_.of(op), .stack = stack, .thread = ThreadState::current()}};
    call.record.segment = 1;
    call.sampled = is_deep_;
    call.record.call_site = ++calls_;
    core_->recorder.add([&](Batch& batch) {
      batch.call_sites.push_back(testing_reports::site(calls_, Phase::Backward, "", call.info.name));
    });
    const std::unique_ptr<StageCall> begun = stage_->begin(call);
    call.record.start_ns = core_->clock.now_ns();
    op.callBoxed(&stack);
    if (begun) begun->after(call);
    if (!stack.empty() && stack.back().isCustomClass()) wait_for_work(stack);
  }

  std::vector<queries::CollectiveRow> recorded() {
    core_->recorder.add([](Batch& batch) { batch.segments.push_back(testing_reports::segment(1, 1, 0, 1)); });
    core_->recorder.close({});
    return queries::collectives(queries::Report(path_), options_.run);
  }

  std::vector<CollectiveSketch> sketches() {
    return queries::collective_sketches(queries::Report(path_), options_.run);
  }

  const amp::parallel::ProcessGroup group_ = group_of_one("pipe");
  bool is_deep_ = false;

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "r.ampprof";
  recording::Options options_;
  OpInfos infos_;
  std::int64_t calls_ = 0;
  std::unique_ptr<SessionCore> core_;
  std::unique_ptr<Stage> stage_;
};

TEST_F(CollectiveStage, LooksAtOpsOfAGroup) {
  EXPECT_TRUE(info_of("c10d::allreduce_").is_collective);
  EXPECT_TRUE(info_of("c10d::_allgather_base_").is_collective);
  EXPECT_TRUE(info_of("_c10d_functional::all_reduce").is_collective);
  EXPECT_FALSE(info_of("_c10d_functional::wait_tensor").is_collective) << "it waits for another op";
  EXPECT_FALSE(info_of("aten::relu").is_collective);
}

TEST_F(CollectiveStage, RecordsGroupReductionAndSize) {
  const auto a = at::ones({3, 5}, at::kHalf);
  const auto b = at::ones({7}, at::kHalf);
  call("c10d::allreduce_", all_reduce_of({a}, group_, c10d::ReduceOp::MAX));
  call("c10d::_allgather_base_", {c10::IValue(at::zeros({7})), c10::IValue(at::ones({7})), c10::IValue(group_),
                                  c10::IValue(true), c10::IValue(std::int64_t{-1})});
  call("c10d::allreduce_coalesced_", [&] {
    torch::jit::Stack stack = all_reduce_of({a, b}, group_);
    stack.erase(stack.begin() + 3);  // allreduce_coalesced_ has no argument sparse_indices
    return stack;
  }());
  const auto rows = recorded();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].call.group, "pipe");
  EXPECT_EQ(rows[0].call.group_size, 1);
  EXPECT_EQ(rows[0].call.reduction, "max");
  EXPECT_EQ(rows[0].call.dtype, DType::Half);
  EXPECT_EQ(rows[0].call.bytes, 30);
  EXPECT_EQ(rows[1].call.reduction, "");
  EXPECT_EQ(rows[1].call.dtype, DType::Float);
  EXPECT_EQ(rows[1].call.bytes, 28) << "of its output or its input, not of both";
  EXPECT_EQ(rows[2].call.bytes, 44) << "of all tensors of a list";
}

TEST_F(CollectiveStage, RecordsWhenTheWorkWasDone) {
  call("c10d::allreduce_", all_reduce_of({at::ones({4})}, group_));
  const auto rows = recorded();
  ASSERT_EQ(rows.size(), 1u) << "the row of its end replaces that of its start";
  ASSERT_TRUE(rows[0].call.end_ns);
  EXPECT_GE(*rows[0].call.end_ns, rows[0].call.start_ns);
}

TEST_F(CollectiveStage, LeavesSketchesOfWhatWasReducedAndOfTheResult) {
  is_deep_ = true;
  const auto tensor = at::arange(200, at::kFloat).to(at::kHalf);
  const Sketch expected = tensors::sketch_of(tensor, 0);
  call("c10d::allreduce_", all_reduce_of({tensor}, group_));
  call("c10d::barrier", {c10::IValue(at::zeros({1})), c10::IValue(group_), c10::IValue(std::vector<std::int64_t>()),
                         c10::IValue(true), c10::IValue(std::int64_t{-1})});
  ASSERT_EQ(recorded().size(), 2u);
  const auto found = sketches();
  ASSERT_EQ(found.size(), 2u) << "the result is read before the next op";
  for (const CollectiveSketch& each : found) {
    EXPECT_EQ(each.sketch.call_site, 1);
    EXPECT_EQ(each.sketch.elements, 200);
    EXPECT_EQ(each.sketch.sums, expected.sums) << "the sum over one rank is what it put in";
  }
  EXPECT_NE(found[0].is_result, found[1].is_result);
}

TEST_F(CollectiveStage, LeavesNoSketchOfAResultThatWasWrittenTo) {
  is_deep_ = true;
  const auto tensor = at::ones({64});
  call("c10d::allreduce_", all_reduce_of({tensor}, group_));
  tensor.mul_(3);  // a write that the stage does not see
  call("c10d::allreduce_", all_reduce_of({at::ones({4}, at::kInt)}, group_));
  call("c10d::allreduce_", all_reduce_of({at::ones({4})}, group_, c10d::ReduceOp::MAX));
  ASSERT_EQ(recorded().size(), 3u);
  ASSERT_EQ(sketches().size(), 1u) << "of what was put in; neither integers nor the largest of all ranks add up";
  EXPECT_FALSE(sketches()[0].is_result);
}

TEST_F(CollectiveStage, LeavesNoSketchesInOtherSteps) {
  call("c10d::allreduce_", all_reduce_of({at::ones({64})}, group_));
  EXPECT_EQ(recorded().size(), 1u);
  EXPECT_TRUE(sketches().empty());
}

TEST_F(CollectiveStage, KeepsNoTensorAlive) {
  is_deep_ = true;
  auto tensor = at::ones({4});
  const c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> weak(tensor.getIntrusivePtr());
  call("c10d::allreduce_", all_reduce_of({tensor}, group_));
  tensor.reset();
  EXPECT_EQ(recorded().size(), 1u);
  // Gloo's thread releases the tensor shortly after the work is done.
  for (int tries = 0; tries < 10'000 && !weak.expired(); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(weak.expired());
}

}  // namespace collective_stage_test
}  // namespace ampprof::profiler
