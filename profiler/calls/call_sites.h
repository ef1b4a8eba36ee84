// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/calls/lookup_cache.h"
#include "reports/queries/call_site_names.h"

namespace ampprof::profiler {

/// Assigns each op call to a call site: phase, module, op, line, and the expression on that line. Later iterations of a
/// loop, later calls of a module and later micro-batches reuse the sites of the first. Not thread-safe.
class CallSites {
 public:
  /// Largest number of sites for one op of one module on one line. A program that keeps changing its code would
  /// otherwise make sites without end.
  static constexpr std::int32_t kMostSites = 4096;

  struct Key {
    Phase phase = Phase::Forward;
    std::int32_t module = 0;  ///< id of the module's path
    std::int32_t op = 0;      ///< OpInfo::id
    std::int32_t line = 0;    ///< id of the line (SourcePlaces::Id), not its number; 0 if unknown

    bool operator==(const Key&) const = default;
  };
  /// Distinguishes calls with equal keys.
  struct Origin {
    /// Identifies the caller: a Python expression, or for a backward call the forward call. 0 if unknown.
    std::uint64_t maker = 0;
    /// Number of the group to which the call belongs, unique in the process. A group is all calls made by one
    /// evaluation of the expression, by one backward node, or by one call of the module. Calls of the same op in a
    /// group are distinguished by their order.
    std::int64_t call_group = 0;
  };
  struct Site {
    std::int64_t id = 0;  ///< unique, counts from 1
    Key key;
    std::int32_t ordinal = 0;  ///< index among the sites of the key, in the order of their first calls

    bool operator==(const Site&) const = default;
  };

  /// Returns the id of the site of the next call at `key` in the training loop with index `loop`. Calls beyond
  /// kMostSites share the last site.
  std::int64_t next(const Key& key, const Origin& origin, std::size_t loop, std::int64_t segment);
  /// Returns the id of the first site at `key`.
  std::int64_t at(const Key& key) { return site_in(sites_of({.key = key}), key, 0); }
  /// Returns the site of the forward call that the next call of `key` in this segment recomputes; 0 if there was none.
  /// The k-th recomputed call of an op in a module corresponds to the k-th forward call.
  std::int64_t repeated(const Key& key, std::size_t loop, std::int64_t segment);
  /// Returns the site of the nth call (from 0) of an op in a module, in the forward pass of the latest recorded
  /// segment; 0 if there was none. Ignores line and phase of the key.
  std::int64_t forward_site(const Key& key, std::size_t loop, std::int64_t nth);

  bool has_new() const { return !new_.empty(); }
  /// Returns the sites made since the last take_new(), in the order of their ids.
  std::vector<Site> take_new() { return std::exchange(new_, {}); }
  /// Returns how many calls had to share the last site because of kMostSites, and resets the count.
  std::int64_t take_calls_without_site() { return std::exchange(calls_without_site_, 0); }

 private:
  static constexpr std::size_t kMostRepeats = 1 << 16;

  /// Identifies the sites of one caller (Origin::maker) at one key.
  struct Identity {
    Key key;
    std::uint64_t maker = 0;

    bool operator==(const Identity&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Identity& identity) const;
  };
  using SitesOfGroup =
      std::vector<std::int64_t>;  ///< site ids of an Identity, by the call's index in its group; 0 if unset

  struct InLoop {
    Identity identity;       ///< identity of the last call
    SitesOfGroup* known = nullptr;  ///< site ids of the last call's `identity`
    std::int64_t call_group = -1;
    std::int32_t index_in_group = 0;  ///< index of the last call in its group
    std::int64_t segment = -1;
    std::vector<std::int64_t> sites;  ///< sites of the forward calls in `segment`, in order
    std::size_t repeats = 0;          ///< number of `sites` recomputed so far
  };
  using Operation = std::vector<InLoop>;  ///< state of one op in one module and phase, indexed by training loop
  struct OfKey {
    std::int32_t count = 0;
    std::int64_t last = 0;  ///< id of the newest site of the key
  };

  InLoop& in_loop(const Key& key, std::size_t loop);
  SitesOfGroup& sites_of(const Identity& identity);
  std::int64_t site_in(SitesOfGroup& sites, const Key& key, std::int32_t index_in_group);

  std::unordered_map<std::uint64_t, Operation> operations_;
  LookupCache<Operation*> cache_;
  std::unordered_map<Identity, SitesOfGroup, Hash> sites_;
  LookupCache<SitesOfGroup*> recent_;               ///< the latest lookups in sites_, by hash
  std::unordered_map<Identity, OfKey, Hash> keys_;  ///< sites per key; Identity::maker is always 0
  std::vector<Site> new_;
  std::int64_t site_count_ = 0;
  std::int64_t calls_without_site_ = 0;
};

}  // namespace ampprof::profiler
