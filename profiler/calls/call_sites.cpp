// SPDX-License-Identifier: Apache-2.0
#include "profiler/calls/call_sites.h"

#include <algorithm>

namespace ampprof::profiler {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
  return hash ^ hash >> 32;
}

std::uint64_t packed(const CallSites::Key& key) {
  return static_cast<std::uint64_t>(key.module) << 32 | static_cast<std::uint64_t>(key.op) << 3 |
         static_cast<std::uint64_t>(key.phase);
}

}  // namespace

std::size_t CallSites::Hash::operator()(const Identity& identity) const {
  return mixed(mixed(mixed(1, packed(identity.key)), static_cast<std::uint64_t>(identity.key.line)), identity.maker);
}

CallSites::InLoop& CallSites::in_loop(const Key& key, std::size_t loop) {
  Operation*& known = cache_[packed(key)];
  if (known == nullptr) known = &operations_[packed(key)];
  if (known->size() <= loop) known->resize(loop + 1);
  return (*known)[loop];
}

CallSites::SitesOfGroup& CallSites::sites_of(const Identity& identity) {
  SitesOfGroup*& recent = recent_[Hash{}(identity)];
  if (recent == nullptr) recent = &sites_[identity];
  return *recent;
}

std::int64_t CallSites::site_in(SitesOfGroup& sites, const Key& key, std::int32_t index_in_group) {
  const auto place = static_cast<std::size_t>(index_in_group);
  if (sites.size() <= place) sites.resize(place + 1);
  std::int64_t& site = sites[place];
  if (site != 0) return site;
  auto& [count, last] = keys_[{.key = key}];
  if (count == kMostSites) {
    ++calls_without_site_;
    return last;
  }
  site = last = ++site_count_;
  new_.push_back({.id = last, .key = key, .ordinal = count++});
  return site;
}

std::int64_t CallSites::next(const Key& key, const Origin& origin, std::size_t loop, std::int64_t segment) {
  InLoop& in = in_loop(key, loop);
  if (std::exchange(in.call_group, origin.call_group) != origin.call_group) {
    in.index_in_group = 0;
  } else if (in.index_in_group + 1 < kMostSites) {
    ++in.index_in_group;
  } else {
    ++calls_without_site_;
  }
  if (const Identity identity{.key = key, .maker = origin.maker}; in.known == nullptr || in.identity != identity) {
    in.identity = identity;
    in.known = &sites_of(identity);
  }
  const std::int64_t site = site_in(*in.known, key, in.index_in_group);
  if (key.phase != Phase::Forward) return site;
  if (std::exchange(in.segment, segment) != segment) {
    in.sites.clear();
    in.repeats = 0;
  }
  if (in.sites.size() < kMostRepeats) in.sites.push_back(site);
  return site;
}

std::int64_t CallSites::repeated(const Key& key, std::size_t loop, std::int64_t segment) {
  InLoop& in = in_loop({.phase = Phase::Forward, .module = key.module, .op = key.op}, loop);
  const bool has_any = in.segment == segment && in.repeats < in.sites.size();
  return has_any ? in.sites[in.repeats++] : 0;
}

std::int64_t CallSites::forward_site(const Key& key, std::size_t loop, std::int64_t nth) {
  const InLoop& in = in_loop({.phase = Phase::Forward, .module = key.module, .op = key.op}, loop);
  return nth < std::ssize(in.sites) ? in.sites[static_cast<std::size_t>(nth)] : 0;
}

}  // namespace ampprof::profiler
