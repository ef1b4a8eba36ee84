// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

/// A recorder listens beside its report on a socket of the file system, REPORT.ctl: one line is asked, one is answered.
namespace ampprof::recording {

std::filesystem::path control_socket_of(const std::filesystem::path& report);

/// Begins the answer of a recorder that does not do what it was asked for.
inline constexpr std::string_view kRefused = "Refused: ";

/// Says why a recorder could not be asked.
struct ControlError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Asks the recorder that writes a report now, and returns its answer. Throws ControlError where there is none, and
/// where it says nothing for five seconds.
std::string ask_recorder(const std::filesystem::path& report, const std::string& line);

/// Removes the socket of a recorder that was killed. Does nothing where one listens, or where there is none.
void remove_dead_socket(const std::filesystem::path& report);

/// The recorder's side. It answers processes of the same user, and root's. Not thread-safe.
class ControlSocket {
 public:
  ControlSocket() = default;
  /// Closes it.
  ~ControlSocket() { close(); }
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;

  /// Listens from here on. Throws ControlError, also where another recorder listens there.
  void open(const std::filesystem::path& report);
  /// Answers those who have asked since the last call. Waits a tenth of a second at most for what one of them says.
  void answer(const std::function<std::string(const std::string& line)>& respond) const;
  /// Listens no more, and removes the file.
  void close();
  /// Listens no more, in a forked child: the file is the parent's.
  void leave();

 private:
  std::filesystem::path path_;
  int socket_ = -1;
};

}  // namespace ampprof::recording
