// SPDX-License-Identifier: Apache-2.0
#include "reports/recording/control_socket.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <string>
#include <thread>

#include "tests/temporary_folder.h"

namespace ampprof::recording {
namespace control_socket_test {

namespace fs = std::filesystem;

/// Answers each line with "you said" and the line, in a thread, until the object is destroyed.
class Echo {
 public:
  explicit Echo(const ControlSocket& socket)
      : thread_([&socket, this] {
          while (!ends_) socket.answer([](const std::string& line) { return "you said " + line; });
        }) {}
  ~Echo() {
    ends_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

class ControlSockets : public testing::Test {
 protected:
  std::string failure_of_asking() const {
    try {
      return "answered: " + ask_recorder(report_, "dump");
    } catch (const ControlError& error) {
      return error.what();
    }
  }

  /// Leaves a socket file behind, as a killed process does.
  void leave_dead_socket() const {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      auto* socket = new ControlSocket;
      socket->open(report_);
      _exit(0);  // skips the destructor
    }
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  }

  const test_support::TemporaryFolder folder_;
  const fs::path report_ = folder_.path() / "r.ampprof";
};

TEST_F(ControlSockets, AnswerALine) {
  ControlSocket socket;
  socket.open(report_);
  const Echo echo(socket);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(ask_recorder(report_, "every 10"), "you said every 10");
}

TEST_F(ControlSockets, AreForTheUserAlone) {
  ControlSocket socket;
  socket.open(report_);
  struct stat found {};
  ASSERT_EQ(::stat(control_socket_of(report_).c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
}

TEST_F(ControlSockets, MayLieDeep) {
  fs::path deep = folder_.path();
  for (int i = 0; i < 8; ++i) deep /= "a_folder_with_a_rather_long_name";
  fs::create_directories(deep);
  ControlSocket socket;
  socket.open(deep / "r.ampprof");
  const Echo echo(socket);
  EXPECT_EQ(ask_recorder(deep / "r.ampprof", "dump"), "you said dump");
}

TEST_F(ControlSockets, LeaveNothingBehind) {
  {
    ControlSocket socket;
    socket.open(report_);
    EXPECT_TRUE(fs::exists(control_socket_of(report_)));
  }
  EXPECT_FALSE(fs::exists(control_socket_of(report_)));
  EXPECT_EQ(failure_of_asking(), "No such file or directory");
}

TEST_F(ControlSockets, ReplaceThatOfAProcessThatWasKilled) {
  leave_dead_socket();
  EXPECT_EQ(failure_of_asking(), "Connection refused");
  ControlSocket socket;
  socket.open(report_);
  const Echo echo(socket);
  EXPECT_EQ(ask_recorder(report_, "dump"), "you said dump");
}

TEST_F(ControlSockets, AreRemovedIfNoProcessListens) {
  remove_dead_socket(report_);
  leave_dead_socket();
  remove_dead_socket(report_);
  EXPECT_FALSE(fs::exists(control_socket_of(report_)));
  ControlSocket socket;
  socket.open(report_);
  remove_dead_socket(report_);
  EXPECT_TRUE(fs::exists(control_socket_of(report_))) << "somebody listens";
}

TEST_F(ControlSockets, AreLeftToWhoListensAlready) {
  ControlSocket first, second;
  first.open(report_);
  EXPECT_THROW(second.open(report_), ControlError);
  second.close();
  EXPECT_TRUE(fs::exists(control_socket_of(report_))) << "it is the first one's";
}

TEST_F(ControlSockets, SpareAFileOfThatName) {
  std::ofstream(control_socket_of(report_)) << "mine";
  ControlSocket socket;
  EXPECT_THROW(socket.open(report_), ControlError);
  EXPECT_EQ(fs::file_size(control_socket_of(report_)), 4u);
}

TEST_F(ControlSockets, OfAForkedChildAreTheParents) {
  ControlSocket socket;
  socket.open(report_);
  socket.leave();
  EXPECT_TRUE(fs::exists(control_socket_of(report_)));
}

}  // namespace control_socket_test
}  // namespace ampprof::recording
