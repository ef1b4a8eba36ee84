// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

/// Event files as TensorBoard reads them. Protocol buffers are encoded by hand, so no library is needed for them.
namespace ampprof::cli {

/// Returns the CRC-32C (Castagnoli) of bytes: RFC 3720, section 12.1.
std::uint32_t crc32c(std::string_view bytes);

/// Returns one record of a TFRecord file: length, masked CRC of the length, data, masked CRC of the data.
/// https://www.tensorflow.org/tutorials/load_data/tfrecord#tfrecords_format_details
std::string tf_record(std::string_view data);

/// Tells when something happened.
struct EventMoment {
  std::int64_t step = 0;
  double wall_seconds = 0.0;  ///< since 1970
};

/// Counts of values in buckets that touch each other.
struct EventHistogram {
  double lowest = 0.0;         ///< lower limit of the first bucket
  std::vector<double> limits;  ///< upper limit of each bucket, ascending
  std::vector<double> counts;  ///< one for each limit
};

/// Writes an event file of version 2: records that hold Event messages. Values that are NaN or inf are written as they
/// are. Tags and texts are UTF-8: readers refuse a record with a tag that is not. The fields are those of event.proto,
/// summary.proto and tensor.proto in
/// https://github.com/tensorflow/tensorboard/tree/master/tensorboard/compat/proto
class EventFile {
 public:
  /// `out` outlives the object, and is binary: a new file, which add_version() begins, or the end of one.
  explicit EventFile(std::ostream& out) : out_(out) {}

  void add_version(double wall_seconds);

  void add_scalar(std::string_view tag, const EventMoment& moment, double value);
  void add_histogram(std::string_view tag, const EventMoment& moment, const EventHistogram& histogram);
  /// Adds a text in Markdown, for TensorBoard's plugin "text".
  void add_text(std::string_view tag, const EventMoment& moment, std::string_view text);

 private:
  std::ostream& out_;
};

}  // namespace ampprof::cli
