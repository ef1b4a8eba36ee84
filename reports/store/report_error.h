// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace ampprof::store {

/// A report cannot be made, written or read. what() is a sentence for the user: what is wrong, with which file, what to
/// do where there is something to do, and SQLite's or the system's own words.
class ReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown where the file cannot be made or written.
class WriteError : public ReportError {
 public:
  using ReportError::ReportError;
};

/// Thrown where the index of the write-ahead log may be what cannot be made: in memory that processes share.
class NoSharedMemory : public WriteError {
 public:
  using WriteError::WriteError;
};

}  // namespace ampprof::store
