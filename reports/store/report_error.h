// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace ampprof::store {

/// A report cannot be created, written or read. what() is a sentence for the user: the fault, the file, a remedy if
/// there is one, and SQLite's or the system's own words.
class ReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown if the file cannot be created or written.
class WriteError : public ReportError {
 public:
  using ReportError::ReportError;
};

/// Thrown if the cause may be that the index of the write-ahead log cannot be created in shared memory.
class NoSharedMemory : public WriteError {
 public:
  using WriteError::WriteError;
};

}  // namespace ampprof::store
