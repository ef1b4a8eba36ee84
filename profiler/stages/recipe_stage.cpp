// SPDX-License-Identifier: Apache-2.0
// What recipes below 16 bits would do to each matmul: puts errors where their gradients meet them, and writes rows.

#include <ATen/ATen.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

#include "precision/replay/reference/reference.h"
#include "precision/tensors/plain_memory.h"
#include "profiler/calls/call.h"
#include "profiler/gradient_impact/gradient_replays.h"
#include "profiler/recipes/recipe_course.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/recorder/recorder.h"
#include "profiler/stages/stage_context.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

class RecipeStage : public Stage {
 public:
  explicit RecipeStage(const StageContext& context) : context_(context), course_(*context.recipes) {}

  bool wants(const OpInfo& info) const override { return info.returns_tensor && !info.leaves_memory_unset; }

  void before(Call& call) override {
    RecipeCourse::call_begins(call);
    call.further.resize(context_.course);
    call.saved.arguments = call.arguments().vec();  // no call is run again
  }

  void after(Call& call) override {
    if (call.phase == Phase::Optimizer) return;
    bool awaits_rows = false;
    if (call.has_memory_budget) {
      RecipeFindings found = call.phase == Phase::Backward ? in_backward(call) : course_.forward_ended(call);
      if (call.phase == Phase::Forward && found.rows.empty()) note_fused(call);
      call.pairs = std::move(found.compared);
      awaits_rows = call.phase != Phase::Recompute && write(std::move(found.rows));
    }
    // Rows are read with the figures of calls, so that one whose rows are on a device needs some.
    if ((course_.has_shadow() || awaits_rows) && call.phase != Phase::Recompute) {
      measure_outputs(call, awaits_rows || context_.measures_all_outputs());
    }
  }

  void completed(std::span<PendingCall> calls) override {
    if (context_.course == 0) {
      for (PendingCall& call : calls) put_measured(call.record, call.local.value());
    }
    std::vector<RecipeRow> rows;
    {
      const std::lock_guard lock(mutex_);
      rows = std::exchange(on_devices_, {});
    }
    put(rows);
  }

 private:
  /// The errors of dgrad and wgrad meet what a tape brings; without impacts they are measured by themselves.
  RecipeFindings in_backward(const Call& call) {
    if (!call.sampled) return {};
    const bool is_met = context_.gradient_replays != nullptr ? context_.gradient_replays->current() != nullptr
                                                             : is_chosen(call.record.substep);
    return is_met ? course_.backward_ended(call) : RecipeFindings();
  }

  /// A run in the recipe takes attention apart, whatever kernel it would have had, and draws its own dropout.
  void note_fused(const Call& call) const {
    if (call.info.name != "scaled_dot_product_attention" || !call.sampled || context_.course > 0) return;
    if (call.record.dtype_out == DType::Double) return;  // which --recipe leaves too
    context_.missing.note(
        "matmuls of attention",
        "they ran in a kernel that no recipe looks into, as with dropout on a GPU; --recipe rounds them",
        "choose its math backend for this run, as with torch.nn.attention.sdpa_kernel(SDPBackend.MATH)");
  }

  /// The first of so many deep substeps.
  bool is_chosen(std::int64_t substep) {
    const std::lock_guard lock(mutex_);
    if (std::exchange(last_in_backward_, substep) != substep) ++in_backward_;
    return in_backward_ % RecipeCourse::kStepsForBackward == 1;
  }

  /// What is on a device is read where the step's figures are waited for. Returns whether there is any.
  bool write(std::vector<RecipeRow> rows) {
    std::vector<RecipeRow> here;
    bool any_on_device = false;
    for (RecipeRow& row : rows) {
      if (!row.on_device) {
        here.push_back(std::move(row));
        continue;
      }
      any_on_device = true;
      const std::lock_guard lock(mutex_);
      on_devices_.push_back(std::move(row));
    }
    put(here);
    return any_on_device;
  }

  /// One op call may hold several matmuls of a kind, as attention does.
  void put(const std::vector<RecipeRow>& rows) {
    if (rows.empty()) return;
    std::vector<RecipeMatmul> whole;
    const auto is_same = [](const RecipeMatmul& a, const RecipeMatmul& b) {
      return a.substep == b.substep && a.call_site == b.call_site && a.matmul == b.matmul && a.recipe == b.recipe &&
             a.computed_by == b.computed_by;
    };
    for (const RecipeRow& row : rows) {
      RecipeMatmul read = row.read();
      const auto known = std::ranges::find_if(whole, [&](const RecipeMatmul& one) { return is_same(one, read); });
      known == whole.end() ? whole.push_back(std::move(read)) : known->merge(read);
    }
    context_.recorder.add(context_.course,
                          [&](Batch& batch) { std::ranges::move(whole, std::back_inserter(batch.recipe_matmuls)); });
  }

  /// Errors are the recipe's, on the operands that it made; ranges are the program's, and of some steps only: what no
  /// recipe rounds would take as long as the recipe. A view has none: nobody may have written what it shows.
  void measure_outputs(Call& call, bool with_ranges) const {
    const bool is_first = context_.course == 0;
    CallStatistics& local = is_first ? call.local : call.further[context_.course - 1];
    if (call.pairs.empty() && with_ranges) measure_ranges(call, local);
    for (const OutputPair& compared : call.pairs) {
      if (compared.measured) {
        local.add(*compared.measured);
      } else {
        local.add(compared.low, compared.high, context_.results_of(compared.low));
      }
    }
    if (is_first && local.is_complete()) put_measured(call.record, local.value());
  }

  void measure_ranges(Call& call, CallStatistics& local) const {
    // What comes from a device comes once, to who asked for it.
    if (call.has_ranges_alone && call.local.is_complete()) {
      local = call.local;
      return;
    }
    if (reference::returns_views_only(call.op, call.saved.arguments, call.results())) return;
    for (const at::Tensor& output : reference::tensors_in(call.results())) {
      if (tensors::is_measurable(output)) local.add(output, {}, context_.results_of(output));
    }
    call.has_ranges_alone = context_.course == 0;
  }

  const StageContext context_;
  RecipeCourse& course_;
  std::mutex mutex_;
  std::vector<RecipeRow> on_devices_;
  std::int64_t last_in_backward_ = -1;  ///< substep
  std::int64_t in_backward_ = 0;        ///< deep substeps so far that had a backward pass
};

}  // namespace

std::unique_ptr<Stage> make_recipe_stage(const StageContext& context) { return std::make_unique<RecipeStage>(context); }

}  // namespace ampprof::profiler
