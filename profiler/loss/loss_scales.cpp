// SPDX-License-Identifier: Apache-2.0
#include "profiler/loss/loss_scales.h"

#include <algorithm>
#include <cmath>

namespace ampprof::profiler {
namespace {

/// A program divides in FP32, so its 1 / scale is off by up to 6e-8.
bool is_inverse(double multiplier, double scale) { return std::abs(multiplier * scale - 1.0) <= 1e-5; }

/// A weight of a loss is a number too, so only a power of two that no weight is likely to be looks like a scale.
bool looks_like_scale(const LossFactor& factor) {
  constexpr double kSmallestLikely = 8;
  int exponent{};
  return factor.value && *factor.value >= kSmallestLikely && std::frexp(*factor.value, &exponent) == 0.5;
}

}  // namespace

LossScales::Begun LossScales::begin(const LossFactor& factor) {
  Begun pass{.id = ++passes_};
  pass.scale = pass.likely_scale = known_scale_of(factor);
  if (!pass.scale && factor.tensor != nullptr && looks_like_scale(factor)) pass.likely_scale = factor.value;
  if (!pass.scale) open_.push_back({.id = pass.id, .factor = factor});
  return pass;
}

void LossScales::end(std::int64_t pass) {
  for (Open& open : open_) open.has_ended = open.has_ended || open.id == pass;
}

bool LossScales::is_open(std::int64_t pass) const { return std::ranges::find(open_, pass, &Open::id) != open_.end(); }

std::optional<double> LossScales::scale_of_scaler(const LossFactor& factor) const {
  const auto known = scalers_.find(factor.tensor);
  return factor.tensor == nullptr || known == scalers_.end() ? std::nullopt : std::optional(known->second);
}

std::optional<double> LossScales::known_scale_of(const LossFactor& factor) const {
  if (engine_scale_) return engine_scale_;
  if (const auto scale = scale_of_scaler(factor)) return scale;
  if (said_scale_) return said_scale_;
  const bool is_guessed = factor.tensor == nullptr && factor.value && factor.value == guessed_scale_;
  return is_guessed ? guessed_scale_ : std::nullopt;
}

std::vector<LossScales::Settled> LossScales::scaler_decided(const void* scaler, double before, double after) {
  scalers_[scaler] = after;
  std::vector<Settled> passes;
  for (const Open& pass : open_) {
    const bool is_own = pass.factor.tensor == scaler;
    const bool is_nobodys = scalers_.size() == 1 && pass.factor.tensor == nullptr;
    if (is_own || is_nobodys) passes.push_back({.pass = pass.id, .scale = before});
  }
  close(passes);
  return passes;
}

std::vector<LossScales::Settled> LossScales::gradients_multiplied_by(double multiplier) {
  std::vector<Settled> passes;
  for (const Open& pass : open_) {
    const auto& [tensor, value] = pass.factor;
    if (tensor != nullptr || !value || *value == 1.0 || !is_inverse(multiplier, *value)) continue;
    passes.push_back({.pass = pass.id, .scale = *value});
    if (guessed_scale_ != value) passes.back().doubtful = guessed_scale_ = value;
  }
  close(passes);
  return passes;
}

std::optional<LossScales::Settled> LossScales::settled(const Open& pass, bool has_engine) const {
  if (const auto scale = scale_of_scaler(pass.factor)) return Settled{pass.id, *scale};
  if (unscaled_by_) return Settled{pass.id, *unscaled_by_};
  if (has_engine || !scalers_.empty()) return std::nullopt;
  // Where nobody scales losses, nothing has to be divided.
  return Settled{pass.id, 1.0, looks_like_scale(pass.factor) ? pass.factor.value : std::nullopt};
}

std::vector<LossScales::Settled> LossScales::settle(Which which, bool has_engine) {
  const auto is_over = [&](const Open& pass) { return which == Which::All || pass.has_ended; };
  std::vector<Settled> passes;
  for (const Open& pass : open_) {
    if (!is_over(pass)) continue;
    if (const auto known = settled(pass, has_engine)) passes.push_back(*known);
  }
  std::erase_if(open_, is_over);
  unscaled_by_.reset();
  return passes;
}

void LossScales::close(const std::vector<Settled>& passes) {
  std::erase_if(open_,
                [&](const Open& open) { return std::ranges::find(passes, open.id, &Settled::pass) != passes.end(); });
}

}  // namespace ampprof::profiler
