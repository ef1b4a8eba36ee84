// SPDX-License-Identifier: Apache-2.0
// Pairs for FP8 and FP4 recipes: the matmuls that recipes would compute, and their rows in the report.
#include <ATen/ATen.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

#include "precision/replay/reference/reference.h"
#include "profiler/calls/call.h"
#include "profiler/gradient_impact/gradient_replays.h"
#include "profiler/recipes/recipe_arithmetic.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/recorder/recorder.h"
#include "profiler/stages/pair_source.h"

namespace ampprof::profiler {
namespace {

class RecipePairs : public PairSource {
 public:
  RecipePairs(RecipeArithmetic& recipes, GradientReplays* replays, Recorder& recorder, MissingNotes& missing,
              std::size_t run)
      : recipes_(recipes), replays_(replays), recorder_(recorder), missing_(missing), run_(run) {}

  bool wants(const OpInfo& info) const override { return info.returns_tensor && !info.leaves_memory_unset; }

  void before(Call& call) override {
    RecipeArithmetic::begin(call);
    call.saved.arguments = call.arguments().vec();  // no copies are needed, since the call is not replayed
  }

  /// Returns the errors of the recipe's matmuls. In some steps, requests ranges of the program's outputs; in all steps,
  /// these would cost as much as the recipe.
  std::optional<Pairs> after(Call& call) override {
    if (call.phase == Phase::Optimizer) return std::nullopt;
    Pairs found;
    bool awaits_rows = false;
    if (call.access.has_memory_budget) {
      RecipeFindings findings = call.phase == Phase::Backward ? in_backward(call) : recipes_.forward_ended(call);
      if (call.phase == Phase::Forward && findings.rows.empty()) note_fused(call);
      found.pairs = std::move(findings.pairs);
      awaits_rows = call.phase != Phase::Recompute && write(std::move(findings.rows));
    }
    // Rows on a device are read when calls get their statistics, so a call with such rows needs statistics.
    found.measures_if_none = call.phase != Phase::Recompute && found.pairs.empty() &&
                             (awaits_rows || (recipes_.has_step() && is_taped())) && !is_view(call);
    return found;
  }

  void batch_completed() override {
    std::vector<RecipeRow> rows;
    {
      const std::lock_guard lock(mutex_);
      rows = std::exchange(on_devices_, {});
    }
    put(rows);
  }

 private:
  bool is_taped() const { return replays_ == nullptr || replays_->current() != nullptr; }

  /// Returns whether the call returns only views. Views get no ranges, since their storage may never have been written.
  static bool is_view(const Call& call) {
    return reference::returns_views_only(call.op, call.saved.arguments, call.results());
  }

  /// Computes dgrad and wgrad in the recipe. With --impact, only in taped steps, where a replay can weigh their errors;
  /// otherwise in every kStepsForBackward-th segment.
  RecipeFindings in_backward(const Call& call) {
    if (!call.followed) return {};
    const bool is_met = replays_ != nullptr ? is_taped() : is_chosen(call.record.segment);
    return is_met ? recipes_.backward_ended(call) : RecipeFindings();
  }

  /// Notes attention that ran in a fused kernel, whose matmuls are hidden. A run with --recipe does not have this gap:
  /// it splits attention into ops, and draws its own dropout.
  void note_fused(const Call& call) const {
    if (call.info.name != "scaled_dot_product_attention" || !call.followed || run_ > 0) return;
    if (call.record.dtype_out == DType::Double) return;  // --recipe skips FP64, too
    missing_.note(
        "matmuls of attention",
        "they ran inside one kernel, which hides them (as with dropout on a GPU); --recipe does round them",
        "use the math backend of attention for this run, as with torch.nn.attention.sdpa_kernel(SDPBackend.MATH)");
  }

  /// Returns whether the segment is the first in a group of kStepsForBackward followed segments.
  bool is_chosen(std::int64_t segment) {
    const std::lock_guard lock(mutex_);
    if (std::exchange(last_in_backward_, segment) != segment) ++in_backward_;
    return in_backward_ % RecipeArithmetic::kStepsForBackward == 1;
  }

  /// Records rows. Rows on a device are kept until batch_completed(). Returns whether there are rows on a device.
  bool write(std::vector<RecipeRow> rows) {
    const auto elsewhere = std::ranges::stable_partition(rows, [](const RecipeRow& row) { return !row.on_device; });
    const bool any_on_device = !elsewhere.empty();
    if (any_on_device) {
      const std::lock_guard lock(mutex_);
      std::ranges::move(elsewhere, std::back_inserter(on_devices_));
    }
    rows.erase(elsewhere.begin(), elsewhere.end());
    put(rows);
    return any_on_device;
  }

  /// Records rows after merging those of one call site: attention has several matmuls of the same role.
  void put(const std::vector<RecipeRow>& rows) {
    if (rows.empty()) return;
    std::vector<RecipeMatmul> whole;
    const auto is_same = [](const RecipeMatmul& a, const RecipeMatmul& b) {
      return a.segment == b.segment && a.call_site == b.call_site && a.matmul == b.matmul && a.recipe == b.recipe &&
             a.computed_by == b.computed_by;
    };
    for (const RecipeRow& row : rows) {
      RecipeMatmul read = row.read();
      const auto known = std::ranges::find_if(whole, [&](const RecipeMatmul& one) { return is_same(one, read); });
      known == whole.end() ? whole.push_back(std::move(read)) : known->merge(read);
    }
    recorder_.add(run_, [&](Batch& batch) { std::ranges::move(whole, std::back_inserter(batch.recipe_matmuls)); });
  }

  RecipeArithmetic& recipes_;
  GradientReplays* const replays_;
  Recorder& recorder_;
  MissingNotes& missing_;
  const std::size_t run_;
  std::mutex mutex_;
  std::vector<RecipeRow> on_devices_;
  std::int64_t last_in_backward_ = -1;  ///< the latest followed segment with a backward pass
  std::int64_t in_backward_ = 0;        ///< number of followed segments with a backward pass
};

}  // namespace

std::unique_ptr<PairSource> recipe_pairs(RecipeArithmetic& recipes, GradientReplays* replays, Recorder& recorder,
                                         MissingNotes& missing, std::size_t run) {
  return std::make_unique<RecipePairs>(recipes, replays, recorder, missing, run);
}

}  // namespace ampprof::profiler
