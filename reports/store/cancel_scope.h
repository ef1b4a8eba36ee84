// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <utility>

namespace ampprof::store {

/// Lets another thread end what this one reads: while it lives, statements on files that are read throw a ReportError
/// once a stop is requested. Threads that the reading starts go on to their ends. Scopes nest; the innermost counts.
class [[nodiscard]] CancelScope {
 public:
  explicit CancelScope(std::stop_token stop) : stop_(std::move(stop)), outer_(std::exchange(innermost_, this)) {}
  ~CancelScope() { innermost_ = outer_; }
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

  /// Returns whether a stop was requested in this thread's innermost scope.
  static bool is_cancelled() { return innermost_ != nullptr && innermost_->stop_.stop_requested(); }

 private:
  static inline thread_local const CancelScope* innermost_ = nullptr;

  std::stop_token stop_;
  const CancelScope* outer_;
};

}  // namespace ampprof::store
