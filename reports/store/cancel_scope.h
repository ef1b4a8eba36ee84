// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <utility>

namespace ampprof::store {

/// Lets another thread cancel the reading of this thread. During the scope's lifetime, once a stop is requested,
/// statements on files opened for reading throw ReportError. Threads that a query starts are not cancelled. Scopes
/// nest; the innermost one applies.
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
