// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

/// Event files for TensorBoard. Encodes protocol buffers without a library.
namespace ampprof::cli {

/// Returns the CRC-32C (Castagnoli) of bytes: RFC 3720, section 12.1.
std::uint32_t crc32c(std::string_view bytes);

/// Returns one record of a TFRecord file: length, masked CRC of the length, data, masked CRC of the data.
/// https://www.tensorflow.org/tutorials/load_data/tfrecord#tfrecords_format_details
std::string tf_record(std::string_view data);

/// Step and time of an event.
struct EventMoment {
  std::int64_t step = 0;
  double wall_seconds = 0.0;  ///< since 1970
};

/// Counts of values in adjacent buckets.
struct EventHistogram {
  double lowest = 0.0;         ///< lower limit of the first bucket
  std::vector<double> limits;  ///< upper limit of each bucket, ascending
  std::vector<double> counts;  ///< one per limit
};

/// Writes an event file of version 2: records that hold Event messages. Writes NaN and inf unchanged. Tags and texts
/// must be UTF-8: readers reject a record whose tag is not. The fields are defined in event.proto, summary.proto and
/// tensor.proto in https://github.com/tensorflow/tensorboard/tree/master/tensorboard/compat/proto
class EventFile {
 public:
  /// `out` is a binary stream and must outlive this object. If the file is new, call add_version() first; otherwise the
  /// records are appended.
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
