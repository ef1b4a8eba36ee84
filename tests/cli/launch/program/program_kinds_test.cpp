// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "cli/launch/program/linkage.h"
#include "cli/launch/program/program.h"
#include "cli/launch/program/torch_version.h"
#include "cli/launch/program/torchscript_file.h"
#include "cli/launch/run/environment.h"
#include "reports/recording/options.h"
#include "reports/text/usage_error.h"
#include "tests/cli/zip_archive.h"
#include "tests/reports/sample_report.h"

namespace ampprof::cli {
namespace program_kinds_test {

using testing_reports::TemporaryFolder;
namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

fs::path script(const fs::path& file, const std::string& text) {
  write(file, text);
  fs::permissions(file, fs::perms::owner_all);
  return file;
}

TEST(LoaderOutput, IsReadLineByLine) {
  const Linkage linkage = linkage_from(
      "\tlinux-vdso.so.1 (0x00007ffc)\n"
      "\tlibtorch_cpu.so => /opt/my torch (2)/lib/libtorch_cpu.so (0x00007f00)\n"
      "\tlibgone.so.1 => not found\n"
      "\t/lib64/ld-linux-x86-64.so.2 (0x00007f11)\n");
  EXPECT_EQ(linkage.find("libtorch_cpu.so"), fs::path("/opt/my torch (2)/lib/libtorch_cpu.so"));
  EXPECT_EQ(linkage.find("libamp_core.so"), std::nullopt);
  EXPECT_EQ(linkage.not_found, std::vector<std::string>{"libgone.so.1"});
}

TEST(Linkage, OfARealProgramNamesItsLibraries) {
  const fs::path own = fs::read_symlink("/proc/self/exe");
  EXPECT_NE(loader_of(own), "");
  EXPECT_TRUE(linkage_of(own).find("libstdc++.so.6").has_value());
}

TEST(Linkage, OfAScriptIsEmptyAndDoesNotRunIt) {
  const TemporaryFolder folder;
  const fs::path file = script(folder / "train.sh", "#!/bin/sh\ntouch " + (folder / "ran").string() + "\n");
  EXPECT_TRUE(linkage_of(file).libraries.empty());
  EXPECT_FALSE(fs::exists(folder / "ran"));
}

TEST(Linkage, OfADamagedFileIsEmpty) {
  const TemporaryFolder folder;
  std::string head = testing_reports::bytes_of("/proc/self/exe").substr(0, 4096);
  for (const std::size_t size : {5, 40, 64, 100, 200}) {
    write(folder / "cut", head.substr(0, size));
    EXPECT_EQ(loader_of(folder / "cut"), "") << size << " bytes";
  }
}

struct Kind {
  const char* name;
  const char* file;
  const char* text;
  ProgramKind expected;
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

class KindOfProgram : public testing::TestWithParam<Kind> {};

TEST_P(KindOfProgram, FollowsFromNameAndFirstLine) {
  const TemporaryFolder folder;
  EXPECT_EQ(kind_of(script(folder / GetParam().file, GetParam().text)), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Program, KindOfProgram,
    testing::Values(Kind{"interpreter", "python3.11", "", ProgramKind::Python},
                    Kind{"shebang", "train", "#!/usr/bin/python3\n", ProgramKind::Python},
                    Kind{"env_shebang", "train.py", "#!/usr/bin/env python\n", ProgramKind::Python},
                    Kind{"env_with_split", "train.py", "#!/usr/bin/env -S python3 -u\n", ProgramKind::Python},
                    Kind{"shell", "train.sh", "#!/bin/bash\npython train.py\n", ProgramKind::Script},
                    Kind{"anything_else", "train",
                         "\x7f"
                         "ELF",
                         ProgramKind::Executable},
                    Kind{"python_in_the_name_only", "pythonic", "", ProgramKind::Executable}),
    [](const auto& info) { return info.param.name; });

struct VersionFile {
  const char* name;
  const char* file;
  const char* text;
  const char* expected;
};

void PrintTo(const VersionFile& version, std::ostream* out) { *out << version.name; }

class TorchVersion : public testing::TestWithParam<VersionFile> {};

TEST_P(TorchVersion, IsReadBesideTheLibraries) {
  const TemporaryFolder folder;
  write(folder.path() / "torch" / GetParam().file, GetParam().text);
  EXPECT_EQ(torch_version_of(folder.path() / "torch" / "lib"), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Torch, TorchVersion,
                         testing::Values(VersionFile{"python_package", "version.py",
                                                     "from typing import Optional\n__version__ = '2.10.0+cu130'\n",
                                                     "2.10.0"},
                                         VersionFile{"archive", "build-version", "2.9.1+cpu\n", "2.9.1"},
                                         VersionFile{"cmake", "share/cmake/Torch/TorchConfigVersion.cmake",
                                                     "set(PACKAGE_VERSION \"2.11.0\")\n", "2.11.0"},
                                         VersionFile{"unknown", "version.py", "__version__ = None\n", ""}),
                         [](const auto& info) { return info.param.name; });

struct ModelFile {
  const char* name;
  std::string bytes;
  const char* objection;  // part of the objection; "" if there must be no objection
};

void PrintTo(const ModelFile& file, std::ostream* out) { *out << file.name; }

class ModelObjection : public testing::TestWithParam<ModelFile> {};

TEST_P(ModelObjection, SaysWhatTheFileIs) {
  const TemporaryFolder folder;
  write(folder / "model.pt", GetParam().bytes);
  const std::string objection = why_not_model(folder / "model.pt");
  EXPECT_EQ(objection.empty(), *GetParam().objection == '\0') << objection;
  EXPECT_NE(objection.find(GetParam().objection), std::string::npos) << objection;
}

INSTANTIATE_TEST_SUITE_P(
    Model, ModelObjection,
    testing::Values(ModelFile{"scripted", zip_of({"m/data.pkl", "m/code/__torch__.py", "m/constants.pkl"}), ""},
                    ModelFile{"weights_only", zip_of({"m/data.pkl", "m/version"}), "torch.save"},
                    ModelFile{"exported", zip_of({"m/archive_format", "m/models/model.json"}), "torch.export"},
                    ModelFile{"another_archive", zip_of({"readme.txt"}), "not a TorchScript model"},
                    ModelFile{"text", "hello", "not a zip archive"}, ModelFile{"empty", "", "not a zip archive"},
                    ModelFile{"cut_short", zip_of({"m/constants.pkl"}).substr(0, 40), "not a zip archive"}),
    [](const auto& info) { return info.param.name; });

TEST(Model, ThatIsNotThereIsNamed) {
  EXPECT_EQ(why_not_model("/nowhere/model.pt"), "No such file: '/nowhere/model.pt'.");
}

class RecordingEnvironment : public testing::Test {
 protected:
  Environment environment() const {
    return environment_of({"/r.ampprof", 7, 1, "/tmp/claim", level_, eager_, 4096, rank_template_, "/r-2.ampprof"},
                          options_, program_, Installation::of("/opt/bin/ampprof"), base_);
  }
  std::string value(const std::string& name) const {
    for (const std::string& entry : environment()) {
      if (entry.starts_with(name + '=')) return entry.substr(name.size() + 1);
    }
    return "(not set)";
  }

  Environment base_{"HOME=/root", "LD_PRELOAD=/lib/other.so", "AMPPROF_RECORD_RUN=1", "PYTHONPATH=/mine"};
  std::string level_ = "O1";
  bool eager_ = false;
  std::filesystem::path rank_template_;
  RunOptions options_;
  Program program_;
};

TEST_F(RecordingEnvironment, TellsTheRecorderWhereAndWhat) {
  EXPECT_EQ(value("HOME"), "/root");
  EXPECT_EQ(value("LD_PRELOAD"), "/opt/lib/libampprof_preload.so:/lib/other.so");
  EXPECT_EQ(value("AMPPROF_RECORD_REPORT"), "/r.ampprof");
  EXPECT_EQ(value("AMPPROF_RECORD_RUN"), "7") << "the variables of an outer run are dropped";
  EXPECT_EQ(value("AMPPROF_RECORD_CLAIM"), "/tmp/claim");
  EXPECT_EQ(value("AMPPROF_RECORD_LIBRARIES"), "/opt/lib");
}

TEST_F(RecordingEnvironment, TellsRanksWhichOfThemRecord) {
  EXPECT_EQ(value("AMPPROF_RECORD_RANK_TEMPLATE"), "(not set)") << "a program that records itself";
  rank_template_ = "/tmp/claim-1.ampprof";
  EXPECT_EQ(value("AMPPROF_RECORD_RANK_TEMPLATE"), "/tmp/claim-1.ampprof");
  EXPECT_EQ(value("AMPPROF_RECORD_RANK_REPORT"), "/r-2.ampprof");
  EXPECT_EQ(value("AMPPROF_RECORD_RANKS"), "(not set)") << "all";
  options_.record_ranks = "0,8:16:4";
  EXPECT_EQ(value("AMPPROF_RECORD_RANKS"), "0,8:16:4");
}

TEST_F(RecordingEnvironment, TellsRanksFromThePlaceOfAmpprofItself) {
  rank_template_ = "/tmp/claim-1.ampprof";
  EXPECT_EQ(value("AMPPROF_RECORD_OWN_PLACE"), "");
  base_.insert(base_.end(), {"RANK=3", "WORLD_SIZE=8", "LOCAL_RANK=1"});
  EXPECT_EQ(value("AMPPROF_RECORD_OWN_PLACE"), "torchrun 3 8 1");
}

TEST_F(RecordingEnvironment, TellsHowOftenParametersAreChecked) {
  EXPECT_EQ(value("AMPPROF_RECORD_CHECK_RANKS"), "(not set)");
  options_.record.check_ranks = 10;
  EXPECT_EQ(value("AMPPROF_RECORD_CHECK_RANKS"), "10");
}

TEST_F(RecordingEnvironment, OfAnUnrecordedRankHasItsLevelAndNoRecorder) {
  Recording unrecorded;
  unrecorded.level = "O2";
  unrecorded.eager = true;
  options_.type = "bf16";
  EXPECT_EQ(unrecorded_environment_of(unrecorded, options_, program_, {"HOME=/root"}),
            (Environment{"HOME=/root", "AMP_OPT_LEVEL=O2", "TORCH_COMPILE_DISABLE=1", "AMP_TYPE=bf16"}));
}

TEST_F(RecordingEnvironment, SetsOnlyWhatWasAskedFor) {
  for (const char* name :
       {"AMPPROF_RECORD_REFERENCE", "AMPPROF_RECORD_FIRST_STEP", "AMPPROF_RECORD_LAST_STEP", "AMPPROF_RECORD_EVERY",
        "AMPPROF_RECORD_DELAY", "AMPPROF_RECORD_DURATION", "AMPPROF_RECORD_SEED"}) {
    EXPECT_EQ(value(name), "(not set)") << name;
  }
  options_.record.first_step = 3;
  options_.record.last_step = 10;
  options_.record.every = 5;
  options_.record.delay = 1.5;
  options_.record.reference = recording::ReferenceMode::Double;
  options_.start.seed = 42;
  EXPECT_EQ(value("AMPPROF_RECORD_REFERENCE"), "fp64");
  EXPECT_EQ(value("AMPPROF_RECORD_FIRST_STEP"), "3");
  EXPECT_EQ(value("AMPPROF_RECORD_LAST_STEP"), "10");
  EXPECT_EQ(value("AMPPROF_RECORD_EVERY"), "5");
  EXPECT_EQ(value("AMPPROF_RECORD_DELAY"), "1.5");
  EXPECT_EQ(value("AMPPROF_RECORD_MAX_REPORT"), "4096") << "the part of this run";
  EXPECT_EQ(value("AMPPROF_RECORD_SEED"), "42");
}

TEST_F(RecordingEnvironment, InjectsO1OnlyWhereNoAmpCoreIs) {
  EXPECT_EQ(value("AMPPROF_RECORD_INJECT"), "1");
  EXPECT_EQ(value("AMP_OPT_LEVEL"), "O1");
  program_.has_amp_core = true;
  EXPECT_EQ(value("AMPPROF_RECORD_INJECT"), "(not set)");
  program_.has_amp_core = false;
  level_ = "O0";
  EXPECT_EQ(value("AMPPROF_RECORD_INJECT"), "(not set)");
  level_ = "";
  EXPECT_EQ(value("AMP_OPT_LEVEL"), "(not set)") << "the program decides";
}

TEST_F(RecordingEnvironment, LeavesPythonsPathAlone) {
  program_.kind = ProgramKind::Python;
  EXPECT_EQ(value("PYTHONPATH"), "/mine");
  EXPECT_EQ(value("AMPPROF_RECORD_PYTHON"), "/opt/share/ampprof/python/ampprof_hooks.py");
}

TEST_F(RecordingEnvironment, LeavesOutTorchCompileWhereAsked) {
  EXPECT_EQ(value("TORCH_COMPILE_DISABLE"), "(not set)");
  eager_ = true;
  EXPECT_EQ(value("TORCH_COMPILE_DISABLE"), "1");
}

TEST(Levels, ThatNeedAmpCoreAreRefusedWithoutIt) {
  RunOptions options;
  options.command = {"./train"};
  options.levels = {"O0", "O1"};
  Program program;
  EXPECT_NO_THROW(check_levels(options, program));
  options.levels.push_back("O2");
  try {
    check_levels(options, program);
    FAIL() << "accepted";
  } catch (const text::UsageError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("O0,O1"), std::string::npos) << text;
    EXPECT_NE(text.find("--what-if"), std::string::npos) << text;
  }
  program.has_amp_core = true;
  EXPECT_NO_THROW(check_levels(options, program));
}

TEST(Eager, IsAskedOfProgramsThatMayHavePython) {
  RunOptions options;
  options.command = {"sample:mlp"};
  Program program;
  program.kind = ProgramKind::Sample;
  EXPECT_NO_THROW(check_eager(options, program));
  options.eager = "only";
  EXPECT_THROW(check_eager(options, program), text::UsageError);
  program.kind = ProgramKind::Script;  // a script may start Python
  EXPECT_NO_THROW(check_eager(options, program));
}

}  // namespace program_kinds_test
}  // namespace ampprof::cli
