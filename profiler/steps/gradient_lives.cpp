// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/gradient_lives.h"

#include <algorithm>

namespace ampprof::profiler {
namespace {

constexpr std::size_t kMostEarlyPasses = 256;

bool contains_any(std::span<const LeafId> leaves, std::span<const LeafId> wanted) {
  return std::ranges::any_of(wanted, [&](LeafId leaf) { return std::ranges::find(leaves, leaf) != leaves.end(); });
}

}  // namespace

void GradientLives::begin(const LeafPass& pass) { passes_.insert_or_assign(pass.id, OpenPass{.pass = pass}); }

void GradientLives::reach(std::int64_t pass, LeafId leaf) {
  const auto open = passes_.find(pass);
  if (open == passes_.end()) return;
  open->second.reached.push_back(leaf);
  if (const auto life = lives_.find(leaf); life != lives_.end()) {
    if (!life->second.is_used || !life->second.is_written) return;  // the pass adds to the gradient of an earlier life
    end_life(leaf);
  }
  lives_[leaf] = {.pass = pass};
  ++unused_.leaves;
  lived_.insert(leaf);
  open->second.born.push_back(leaf);
  ++open->second.alive;
}

void GradientLives::drop(LeafId leaf) {
  const auto life = lives_.find(leaf);
  if (life == lives_.end()) return;
  if (!life->second.is_used) {
    lived_.erase(leaf);
    std::erase(passes_.at(life->second.pass).born, leaf);
  }
  end_life(leaf);
}

void GradientLives::end(std::int64_t pass, bool raised) {
  const auto open = passes_.find(pass);
  if (open == passes_.end()) return;
  OpenPass& ended = open->second;
  if (raised) {
    for (const LeafId leaf : ended.born) {
      if (const auto life = lives_.find(leaf); life != lives_.end() && life->second.pass == pass) erase(life);
    }
    ended.alive = 0;
  }
  ended.has_ended = true;
  if (ended.alive == 0) return forget(pass);
  if (!ended.is_used) ++unused_.passes;
}

void GradientLives::use(LeafId leaf) {
  const auto life = lives_.find(leaf);
  if (life == lives_.end() || std::exchange(life->second.is_used, true)) return;
  --unused_.leaves;
  OpenPass& pass = passes_.at(life->second.pass);
  if (!std::exchange(pass.is_used, true) && pass.has_ended) --unused_.passes;
  claim(pass, leaf);
}

void GradientLives::claim(OpenPass& pass, LeafId leaf) {
  pass.waiting.push_back(leaf);
  if (!pass.claims && reaches_held(pass) && !held_.contains(leaf)) return;
  if (held_.empty() && early_.size() < kMostEarlyPasses) {
    if (!pass.claims) early_.push_back({.reached = pass.reached, .claimed = {}});
    early_.back().claimed.push_back(leaf);
  }
  pass.claims = true;
  for (const LeafId used : std::exchange(pass.waiting, {})) claims_.push_back({pass.pass, used});
}

void GradientLives::clear(LeafId leaf) {
  if (lives_.contains(leaf)) end_life(leaf);
}

void GradientLives::erase(std::unordered_map<LeafId, Life>::iterator life) {
  if (!life->second.is_used) --unused_.leaves;
  lives_.erase(life);
}

void GradientLives::end_life(LeafId leaf) {
  const auto life = lives_.find(leaf);
  const std::int64_t pass = life->second.pass;
  erase(life);
  OpenPass& began = passes_.at(pass);
  if (--began.alive > 0 || !began.has_ended) return;
  if (!began.is_used) throw_away(began);
  forget(pass);
}

void GradientLives::throw_away(OpenPass& pass) {
  --unused_.passes;
  for (const LeafId leaf : pass.born) claims_.push_back({pass.pass, leaf});
}

void GradientLives::forget(std::int64_t pass) { passes_.erase(pass); }

void GradientLives::write(LeafId leaf) {
  const auto life = lives_.find(leaf);
  if (life != lives_.end() && life->second.is_used) life->second.is_written = true;
}

void GradientLives::hold(std::span<const LeafId> leaves) {
  for (const LeafId leaf : leaves) {
    if (!held_.insert(leaf).second) continue;
    const auto life = lives_.find(leaf);
    if (life == lives_.end() || !life->second.is_used) continue;
    OpenPass& pass = passes_.at(life->second.pass);
    if (pass.claims) continue;
    pass.claims = true;
    for (const LeafId used : std::exchange(pass.waiting, {})) claims_.push_back({pass.pass, used});
  }
}

bool GradientLives::reaches_held(const OpenPass& pass) const {
  return std::ranges::any_of(pass.reached, [&](LeafId leaf) { return held_.contains(leaf); });
}

std::vector<LeafId> GradientLives::unused() const {
  std::vector<LeafId> leaves;
  for (const auto& [leaf, life] : lives_) {
    if (!life.is_used) leaves.push_back(leaf);
  }
  return leaves;
}

bool GradientLives::attacked_inputs_of(std::span<const LeafId> held) const {
  std::int64_t attacks = 0, others = 0;
  for (const EarlyPass& pass : early_) {
    const bool is_attack = contains_any(pass.reached, held) && !contains_any(pass.claimed, held);
    ++(is_attack ? attacks : others);
  }
  return attacks > 0 && others <= 1;
}

}  // namespace ampprof::profiler
