// SPDX-License-Identifier: Apache-2.0
#include "reports/recording/control_socket.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <utility>

namespace ampprof::recording {
namespace {

namespace fs = std::filesystem;

constexpr int kAnswerMs = 5000;
constexpr int kLineMs = 100;
constexpr std::size_t kLongestLine = 4096;

std::string reason(int error) { return std::generic_category().message(error); }

/// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

/// The address of a socket file. An address holds at most 107 bytes, and many paths are longer. So the address names
/// the file relative to its folder, which this object keeps open.
class Address {
 public:
  explicit Address(const fs::path& path) : folder_(open_folder(path)) {
    const std::string text = "/proc/self/fd/" + std::to_string(folder_.get()) + "/" + path.filename().string();
    if (folder_.get() < 0) throw ControlError(reason(errno));
    if (text.size() >= sizeof address_.sun_path) throw ControlError(reason(ENAMETOOLONG));
    address_.sun_family = AF_UNIX;
    std::memcpy(address_.sun_path, text.c_str(), text.size() + 1);
  }

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address_); }
  static constexpr socklen_t size() { return sizeof(sockaddr_un); }

 private:
  static int open_folder(const fs::path& path) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    return ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  }

  Descriptor folder_;
  sockaddr_un address_{};
};

Descriptor new_socket(int flags) { return Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0)); }

/// Reads a line. Returns the text received within `wait_ms`, without the line end.
std::string read_line(int socket, int wait_ms) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::milliseconds(wait_ms);
  std::string line;
  std::array<char, 512> part{};
  while (line.size() < kLongestLine && line.find('\n') == std::string::npos) {
    pollfd waits{.fd = socket, .events = POLLIN, .revents = 0};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left < 0 || ::poll(&waits, 1, static_cast<int>(left)) <= 0) break;
    const ssize_t bytes = ::recv(socket, part.data(), part.size(), 0);
    if (bytes <= 0) break;
    line.append(part.data(), static_cast<std::size_t>(bytes));
  }
  return line.substr(0, line.find('\n'));
}

bool write_line(int socket, const std::string& line) {
  const std::string text = line + '\n';
  return ::send(socket, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
}

bool is_of_same_user(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  return peer.uid == ::geteuid() || peer.uid == 0;
}

}  // namespace

fs::path control_socket_of(const fs::path& report) { return report.string() + ".ctl"; }

std::string ask_recorder(const fs::path& report, const std::string& line) {
  const Descriptor socket = new_socket(0);
  const Address address(control_socket_of(report));
  if (::connect(socket.get(), address.get(), Address::size()) != 0) throw ControlError(reason(errno));
  if (!write_line(socket.get(), line)) throw ControlError(reason(errno));
  std::string answer = read_line(socket.get(), kAnswerMs);
  if (answer.empty()) throw ControlError("it does not answer");
  return answer;
}

void remove_dead_socket(const fs::path& report) {
  const fs::path path = control_socket_of(report);
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0 || !S_ISSOCK(found.st_mode)) return;
  const Descriptor socket = new_socket(0);
  const Address address(path);
  if (::connect(socket.get(), address.get(), Address::size()) != 0 && errno == ECONNREFUSED) ::unlink(path.c_str());
}

void ControlSocket::open(const fs::path& report) {
  const fs::path path = control_socket_of(report);
  Descriptor socket = new_socket(SOCK_NONBLOCK);
  remove_dead_socket(report);
  const Address address(path);
  if (::bind(socket.get(), address.get(), Address::size()) != 0) throw ControlError(reason(errno));
  path_ = path;
  socket_ = socket.release();
  ::chmod(path.c_str(), S_IRUSR | S_IWUSR);  // only shows the restriction: is_of_same_user() enforces it
  if (::listen(socket_, /*waiting=*/8) == 0) return;
  const int error = errno;
  close();
  throw ControlError(reason(error));
}

void ControlSocket::answer(const std::function<std::string(const std::string& line)>& respond) const {
  if (socket_ < 0) return;
  while (true) {
    const Descriptor client(::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC));
    if (client.get() < 0) return;
    if (!is_of_same_user(client.get())) continue;
    (void)write_line(client.get(), respond(read_line(client.get(), kLineMs)));
  }
}

void ControlSocket::close() {
  if (socket_ >= 0) ::unlink(path_.c_str());
  leave();
}

void ControlSocket::leave() {
  if (const int socket = std::exchange(socket_, -1); socket >= 0) ::close(socket);
}

}  // namespace ampprof::recording
