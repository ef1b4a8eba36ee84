// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

/// A recorder listens on a Unix socket next to its report, REPORT.ctl. A request is one line, and its answer is one
/// line.
namespace ampprof::recording {

std::filesystem::path control_socket_of(const std::filesystem::path& report);

/// Prefix of the answer of a recorder that refuses a command.
inline constexpr std::string_view kRefused = "Refused: ";

/// Thrown if a request to a recorder fails, or if a recorder cannot listen. what() is a sentence.
struct ControlError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Sends a command to the recorder that writes a report now, and returns its answer. Throws ControlError if no recorder
/// listens, or if it does not answer for five seconds.
std::string ask_recorder(const std::filesystem::path& report, const std::string& line);

/// Removes the socket of a killed recorder. Does nothing if a recorder listens, or without a socket.
void remove_dead_socket(const std::filesystem::path& report);

/// The recorder's end of the socket. Answers only processes of the same user and of root. Not thread-safe.
class ControlSocket {
 public:
  ControlSocket() = default;
  ~ControlSocket() { close(); }
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;

  /// Starts to listen. Throws ControlError, also if another recorder listens there.
  void open(const std::filesystem::path& report);
  /// Answers the requests since the last call. Waits at most 0.1 s for the text of each request.
  void answer(const std::function<std::string(const std::string& line)>& respond) const;
  /// Stops listening and removes the file.
  void close();
  /// Stops listening in a forked child, without removing the parent's file.
  void leave();

 private:
  std::filesystem::path path_;
  int socket_ = -1;
};

}  // namespace ampprof::recording
