// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "reports/store/writer.h"
#include "tests/reports/sample_report.h"

namespace ampprof::gui {

/// A layer of a recorded program. `error_cost` is the loss impact of fprop in each step. The step impact of dgrad is a
/// tenth of `error_cost`, that of wgrad a fifth. If `error_cost` is 0, the layer stays in high precision.
struct RecordedLayer {
  std::string module;
  double error_cost = 0.0;
  std::int64_t rows = 3072;
  std::int64_t columns = 768;
  std::string op = "linear";
};

inline constexpr std::int64_t kStepsOfRecipe = 6;
inline constexpr double kDecreaseOfStep = 0.05;

/// Returns a stem that no recipe converts, two similar layers whose `fc1` impacts tie, and a head.
inline std::vector<RecordedLayer> transformer() {
  return {{"stem", 0.0, 768, 30},
          {"layers.0.fc1", 1e-4},
          {"layers.0.fc2", 1e-3, 768, 3072},
          {"layers.1.fc1", 1.05e-4},
          {"layers.1.fc2", 8e-3, 768, 3072},
          {"head", 2e-2, 32'000, 768}};
}

class RecipeBatch {
 public:
  RecipeBatch(std::string recipe, const std::vector<RecordedLayer>& layers, double scale, bool has_impacts)
      : recipe_(std::move(recipe)), scale_(scale), has_impacts_(has_impacts) {
    batch_.signatures = {{1, "f32[4096,768]"}};
    for (const RecordedLayer& layer : layers) {
      batch_.call_sites.push_back(testing_reports::site(forwardOf(batch_), Phase::Forward, layer.module, layer.op, 0,
                                                        "model.py:" + std::to_string(10 + batch_.call_sites.size())));
      batch_.call_sites.push_back(
          testing_reports::site(forwardOf(batch_), Phase::Backward, layer.module, layer.op + "_backward"));
    }
    for (std::int64_t step = 1; step <= kStepsOfRecipe; ++step) addStep(step, layers);
  }

  const Batch& batch() const { return batch_; }

 private:
  static std::int64_t forwardOf(const Batch& batch) { return std::ssize(batch.call_sites) + 1; }

  /// Returns an impact in a step. Its sign alternates. Its size varies by 5 %, differently for each layer.
  double change(double error_cost, std::int64_t step, std::int64_t site) const {
    return scale_ * error_cost * ((step + site) % 2 == 0 ? 1 : -1) *
           (1 + 0.05 * std::sin(static_cast<double>(step * site)));
  }

  void addStep(std::int64_t step, const std::vector<RecordedLayer>& layers) {
    batch_.segments.push_back(testing_reports::segment(step, step, step * 10, step * 10 + 5));
    batch_.losses.push_back({.segment = step, .loss_id = 0, .value = 2.0});
    if (has_impacts_) batch_.decreases.push_back({.segment = step, .before = 2.0, .after = 2.0 - kDecreaseOfStep});
    for (std::size_t i = 0; i < layers.size(); ++i) addLayer(step, layers[i], 2 * static_cast<std::int64_t>(i) + 1);
  }

  void addLayer(std::int64_t step, const RecordedLayer& layer, std::int64_t site) {
    for (const std::int64_t at : {site, site + 1}) batch_.calls.push_back(testing_reports::call(step, at));
    for (const Matmul matmul : {Matmul::Fprop, Matmul::Dgrad, Matmul::Wgrad}) {
      batch_.recipe_matmuls.push_back(matmulOf(step, layer, site, matmul));
    }
    if (!has_impacts_ || layer.error_cost == 0.0) return;
    LossImpact impact{};
    impact.segment = step;
    impact.call_site = site;
    impact.impact = change(layer.error_cost, step, site);
    impact.squares = {.activation = 0.5 * *impact.impact * *impact.impact,
                      .weight = 0.5 * *impact.impact * *impact.impact};
    batch_.impacts.push_back(impact);
    for (const auto& [matmul, share] : {std::pair(Matmul::Dgrad, 0.1), std::pair(Matmul::Wgrad, 0.2)}) {
      const double of_decrease = change(share * layer.error_cost, step, site);
      batch_.gradient_impacts.push_back({.segment = step,
                                         .call_site = site + 1,
                                         .matmul = matmul,
                                         .impact = of_decrease,
                                         .square = of_decrease * of_decrease});
    }
  }

  RecipeMatmul matmulOf(std::int64_t step, const RecordedLayer& layer, std::int64_t site, Matmul matmul) const {
    RecipeMatmul of{.segment = step,
                    .recipe = recipe_,
                    .call_site = site,
                    .matmul = matmul,
                    .computed_by = matmul == Matmul::Fprop ? site : site + 1,
                    .rows = layer.rows,
                    .columns = layer.columns,
                    .leading = 4096,
                    .calls = 1};
    if (layer.error_cost == 0.0) {
      of.is_quantized = false;
      of.reason = "Its 30 columns are not a multiple of 32.";
      return of;
    }
    of.first = {.count = 1000, .flushed = 20, .amax = 3.0, .sum_sq = 100.0, .sum_sq_error = scale_ * 0.1};
    of.second = {.count = 1000, .saturated = 2, .amax = 1.0, .sum_sq = 10.0, .sum_sq_error = scale_ * 0.01};
    of.sum_sq_error = scale_ * layer.error_cost;
    of.sum_sq_exact = 2.0;
    return of;
  }

  std::string recipe_;
  double scale_;
  bool has_impacts_;
  Batch batch_;
};

inline void addRecipeRun(store::ReportWriter& writer, const std::string& recipe, const RecipeBatch& batch) {
  RunStart start = testing_reports::start_of("O0");
  start.what_if = recipe;
  const std::int64_t run = writer.begin_run(start);
  writer.attach(run, {.device = "cpu", .torch_version = "2.11.0", .settings_json = "{}", .level = "O0"});
  writer.append(run, batch.batch());
  writer.detach(run, {.peak_bytes = 1, .wall_ns = 2, .overhead_ns = 1});
  writer.end_run(run, 0);
}

/// Writes a report of two runs: mxfp8, and nvfp4 with four times the impacts.
inline void writeTwoRecipes(const std::filesystem::path& path, const std::vector<RecordedLayer>& layers = transformer(),
                            bool has_impacts = true) {
  store::create_report(path, true);
  store::ReportWriter writer(path);
  addRecipeRun(writer, "mxfp8", RecipeBatch("mxfp8", layers, 1.0, has_impacts));
  addRecipeRun(writer, "nvfp4", RecipeBatch("nvfp4", layers, 4.0, has_impacts));
  writer.fold();
}

}  // namespace ampprof::gui
