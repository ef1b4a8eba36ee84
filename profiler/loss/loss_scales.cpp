// SPDX-License-Identifier: Apache-2.0
#include "profiler/loss/loss_scales.h"

#include <algorithm>
#include <cmath>

namespace ampprof::profiler {
namespace {

/// A program divides in FP32, so its 1 / scale is off by up to 6e-8.
bool is_inverse(double multiplier, double scale) { return std::abs(multiplier * scale - 1.0) <= 1e-5; }

/// Returns whether a factor looks like a scale: a power of two so large that it is unlikely to be a loss weight.
bool looks_like_scale(const LossFactor& factor) {
  constexpr double kSmallestLikely = 8;
  int exponent{};
  return factor.value && *factor.value >= kSmallestLikely && std::frexp(*factor.value, &exponent) == 0.5;
}

}  // namespace

LossScales::Begun LossScales::begin(const LossChain& chain) {
  Begun pass{.id = ++passes_};
  pass.scale = pass.likely_scale = known_scale_of(chain);
  for (const auto& [factor, site] : chain) {
    if (is_scaler(factor)) multiplied_by_.insert(factor.tensor);
    if (!pass.likely_scale && factor.tensor != nullptr && looks_like_scale(factor)) pass.likely_scale = factor.value;
  }
  if (!pass.scale) open_.push_back({.id = pass.id, .chain = chain});
  return pass;
}

void LossScales::end(std::int64_t pass) {
  for (Open& open : open_) open.has_ended = open.has_ended || open.id == pass;
}

bool LossScales::is_open(std::int64_t pass) const { return std::ranges::find(open_, pass, &Open::id) != open_.end(); }

bool LossScales::is_scaler(const LossFactor& factor) const {
  return factor.tensor != nullptr && scalers_.contains(factor.tensor);
}

bool LossScales::is_scale(const LossProduct& product) const {
  if (is_scaler(product.factor) || scaled_sites_.contains(product.site)) return true;
  const auto& [tensor, value] = product.factor;
  return value && (value == announced_scale_ || (tensor == nullptr && value == guessed_scale_));
}

std::optional<std::size_t> LossScales::scaled_at(const LossChain& chain) const {
  const auto found = std::ranges::find_if(chain, [&](const LossProduct& product) { return is_scale(product); });
  if (found == chain.end()) return std::nullopt;
  return static_cast<std::size_t>(found - chain.begin());
}

std::optional<double> LossScales::scale_of_scaler(const LossChain& chain) const {
  for (const auto& [factor, site] : chain) {
    if (!is_scaler(factor)) continue;
    return factor.value ? *factor.value : scalers_.at(factor.tensor);  // the factor's own value is newer than scalers_
  }
  return std::nullopt;
}

std::optional<double> LossScales::known_scale_of(const LossChain& chain) const {
  if (engine_scale_) return engine_scale_;
  if (const auto scale = scale_of_scaler(chain)) return scale;
  if (announced_scale_) return announced_scale_;
  const auto scaled = scaled_at(chain);
  return scaled ? chain[*scaled].factor.value : std::nullopt;
}

void LossScales::unscaled_by(double scale) {
  unscaled_by_ = scale;
  for (const Open& pass : open_) {
    for (const auto& [factor, site] : pass.chain) {
      if (factor.tensor != nullptr && factor.value == scale) add_scaled(site);
    }
  }
}

bool LossScales::was_multiplied_by(const void* scaler) const {
  const auto is_by = [&](const LossProduct& product) { return product.factor.tensor == scaler; };
  return multiplied_by_.contains(scaler) ||
         std::ranges::any_of(open_, [&](const Open& pass) { return std::ranges::any_of(pass.chain, is_by); });
}

void LossScales::add_scaled(LossSite site) {
  if (site.line != 0) scaled_sites_.insert(site);
}

std::vector<LossScales::Settled> LossScales::scaler_decided(const void* scaler, double before, double after) {
  scalers_[scaler] = after;
  const bool is_copied = !was_multiplied_by(scaler);
  multiplied_by_.erase(scaler);
  std::vector<Settled> passes;
  for (const Open& pass : open_) {
    bool is_own = false;
    bool is_nobodys = scalers_.size() == 1;
    for (const auto& [factor, site] : pass.chain) {
      is_nobodys = is_nobodys && factor.tensor == nullptr;
      const bool is_its_tensor = factor.tensor == scaler;
      const bool may_be_copy = is_copied && factor.tensor != nullptr && !factor.value;
      is_own = is_own || is_its_tensor;
      if (is_its_tensor || may_be_copy) add_scaled(site);
    }
    const bool is_unseen = is_nobodys && is_copied;  // the multiplication by the scale was not observed
    if (is_own || is_unseen) {
      passes.push_back({.pass = pass.id, .scale = before});
    } else if (is_nobodys) {
      passes.push_back({.pass = pass.id, .is_unscaled = divided_.contains(pass.id)});
    }
  }
  divided_.clear();
  close(passes);
  return passes;
}

std::vector<LossScales::Settled> LossScales::gradients_multiplied_by(double multiplier) {
  std::vector<Settled> passes;
  for (Open& pass : open_) {
    const auto found = std::ranges::find_if(pass.chain, [&](const LossProduct& product) {
      const std::optional<double> value = product.factor.value;
      return value && *value != 1.0 && is_inverse(multiplier, *value);
    });
    if (found == pass.chain.end()) continue;
    pass.is_divided = true;
    if (found->factor.tensor != nullptr) continue;
    add_scaled(found->site);
    const std::optional<double> value = found->factor.value;
    passes.push_back({.pass = pass.id, .scale = *value});
    if (guessed_scale_ != value) passes.back().doubtful = guessed_scale_ = value;
  }
  close(passes);
  return passes;
}

std::optional<LossScales::Settled> LossScales::settled(const Open& pass, bool has_engine) const {
  if (const auto scale = scale_of_scaler(pass.chain)) return Settled{pass.id, *scale};
  if (unscaled_by_) return Settled{pass.id, *unscaled_by_};
  if (has_engine || !scalers_.empty()) return std::nullopt;
  // The program does not scale losses, so the scale is 1.
  Settled as_it_is{pass.id, 1.0};
  for (const auto& [factor, site] : pass.chain) {
    if (as_it_is.doubtful || !looks_like_scale(factor)) continue;
    if (pass.is_divided) return Settled{pass.id, *factor.value};
    as_it_is.doubtful = factor.value;
    as_it_is.is_by_tensor = factor.tensor != nullptr;
  }
  return as_it_is;
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
