// SPDX-License-Identifier: Apache-2.0
// Uses the fake CUPTI of fake_cupti.cpp, and the real library if there is one.
#include "profiler/gpu/source.h"

#include <cupti.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <ostream>
#include <thread>

#include "profiler/gpu/correlate.h"
#include "profiler/gpu/driver.h"
#include "profiler/gpu/from_cupti.h"
#include "profiler/gpu/refusal.h"
#include "profiler/gpu/replay.h"
#include "tests/built_file.h"
#include "tests/temporary_folder.h"

namespace ampprof::profiler {
namespace source_test {

/// Opens a source on the fake CUPTI and correlates its buffers.
class GpuSource : public testing::Test {
 protected:
  void SetUp() override { ::setenv("AMPPROF_CUPTI", test_support::built_file(FAKE_CUPTI_LIBRARY).c_str(), 1); }
  void TearDown() override {
    source_.reset();
    for (const char* name : {"AMPPROF_CUPTI", "AMPPROF_CUPTI_CALLS", "AMPPROF_CUPTI_DUMP", "FAKE_CUPTI"})
      ::unsetenv(name);
  }

  std::vector<Missing> open(const char* faults = "", std::size_t buffer_bytes = 1 << 16, std::size_t most_buffers = 8) {
    ::setenv("FAKE_CUPTI", faults, 1);
    SourceOptions options = SourceOptions::from_environment();
    options.now_ns = [] { return 0; };
    options.buffer_bytes = buffer_bytes;
    options.most_buffers = most_buffers;
    options.sink = [this](const ActivityBuffer& buffer) {
      ++buffers_;
      correlator_->add(buffer);
    };
    Source::Opened opened = Source::open(std::move(options));
    source_ = std::move(opened.source);
    if (source_) correlator_.emplace(CorrelatorNeeds{intern_, thread_of_});
    return opened.missing;
  }

  /// Returns a function of the loaded fake CUPTI.
  template <typename Function>
  static Function* of_stand_in(const char* name) {
    void* library = ::dlopen(std::getenv("AMPPROF_CUPTI"), RTLD_NOW | RTLD_NOLOAD);
    return reinterpret_cast<Function*>(::dlsym(library, name));
  }

  void call(const LaunchedBy& by) {
    source_->push(by);
    source_->pop();
  }

  std::vector<GpuActivity> close() {
    closing_ = source_->close();
    return correlator_->finish();
  }

  std::unique_ptr<Source> source_;
  std::optional<Correlator> correlator_;
  std::vector<std::string> names_;
  std::vector<Missing> closing_;
  int buffers_ = 0;  ///< number of buffers that the source delivered
  std::function<std::int32_t(std::string_view)> intern_ = [this](std::string_view name) {
    names_.emplace_back(name);
    return static_cast<std::int32_t>(names_.size());
  };
  std::function<std::int32_t(std::uint32_t)> thread_of_ = [](std::uint32_t thread) {
    return thread == static_cast<std::uint32_t>(::gettid()) ? 42 : 43;
  };
};

TEST_F(GpuSource, AttributesKernelsToTheCallsThatPushed) {
  ASSERT_TRUE(open().empty());
  call({.segment = 3, .call_site = 9});
  call({.segment = 4, .call_site = 8});
  const std::vector<GpuActivity> activities = close();
  ASSERT_EQ(activities.size(), 3U);
  const std::int64_t first_launch = activities[0].launched_ns;
  EXPECT_EQ(first_launch, 10'000) << "since the recorder's clock began";
  EXPECT_EQ(activities[0], (GpuActivity{.segment = 3,
                                        .call_site = 9,
                                        .start_ns = first_launch + 1000,
                                        .duration_ns = 2000,
                                        .launched_ns = first_launch,
                                        .name = 1,
                                        .stream = 7,
                                        .thread = 42}));
  EXPECT_EQ(activities[2].segment, 4);
  EXPECT_EQ(activities[2].call_site, 8);
  EXPECT_EQ(names_, (std::vector<std::string>{"_Z4gemmv", "_Z4castv"}));
  EXPECT_TRUE(closing_.empty());
  EXPECT_TRUE(missing_of(correlator_->counts()).empty());
}

TEST_F(GpuSource, RecordsOfAllCallsOnlyThoseThatLaunch) {
  ASSERT_TRUE(open().empty());
  const auto enabled_calls = of_stand_in<int()>("fake_cupti_enabled_calls");
  EXPECT_EQ(enabled_calls(), 3) << "cudaLaunchKernel, cudaMemcpy and cuLaunchKernel";
  close();
  EXPECT_EQ(enabled_calls(), 3) << "a process that ends has no use for switching off";
  source_->release();
  EXPECT_EQ(enabled_calls(), 0);
}

std::string without(CUpti_CallbackDomain domain, CUpti_CallbackId call) {
  return "no_call_" + std::to_string(domain) + "_" + std::to_string(call);
}

TEST_F(GpuSource, SkipsACallThatCuptiRefuses) {
  const std::string fault = without(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020);
  ASSERT_TRUE(open(fault.c_str()).empty());
  EXPECT_EQ(of_stand_in<int()>("fake_cupti_enabled_calls")(), 2) << "cudaLaunchKernel and cuLaunchKernel";
  call({.segment = 3, .call_site = 9});
  EXPECT_EQ(close().at(0).call_site, 9);
}

TEST_F(GpuSource, RecordsAllCallsWhereCuptiRefusesTheOneThatLaunchesKernels) {
  for (const std::string& fault :
       {without(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000),
        without(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel)}) {
    ASSERT_TRUE(open(fault.c_str()).empty()) << fault;
    EXPECT_EQ(of_stand_in<int()>("fake_cupti_enabled_calls")(), -1) << fault;
    call({.segment = 3, .call_site = 9});
    EXPECT_EQ(close().at(0).call_site, 9);
    source_.reset();
  }
}

TEST_F(GpuSource, RecordsAllCallsIfAsked) {
  ::setenv("AMPPROF_CUPTI_CALLS", "all", 1);
  ASSERT_TRUE(open().empty());
  EXPECT_EQ(of_stand_in<int()>("fake_cupti_enabled_calls")(), -1);
}

TEST_F(GpuSource, LeavesCuptiAsItFoundIt) {
  ASSERT_TRUE(open().empty());
  const auto type_of_ids = of_stand_in<decltype(cuptiGetThreadIdType)>("cuptiGetThreadIdType");
  CUpti_ActivityThreadIdType type{};
  (void)type_of_ids(&type);
  EXPECT_EQ(type, CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
  source_->release();
  (void)type_of_ids(&type);
  EXPECT_EQ(type, CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT);
}

TEST_F(GpuSource, KnowsWhetherCuptiDeliversAnything) {
  ASSERT_TRUE(open("silent").empty());
  call({.segment = 3, .call_site = 9});
  EXPECT_TRUE(close().empty());
  EXPECT_FALSE(source_->has_delivered());
  source_.reset();
  ASSERT_TRUE(open().empty());
  call({.segment = 3, .call_site = 9});
  close();
  EXPECT_TRUE(source_->has_delivered());
}

TEST_F(GpuSource, LeavesCuptiToAProfilerOfTheProgram) {
  ASSERT_TRUE(open().empty());
  call({1, 2});
  source_->flush();
  of_stand_in<void()>("fake_cupti_take_over")();
  source_->other_profiler_began();
  call({1, 3});
  EXPECT_EQ(close().size(), 1) << "of the call before";
  ASSERT_EQ(closing_.size(), 1);
  EXPECT_EQ(closing_[0].what, "GPU activity since the program's own profiler began");
}

TEST_F(GpuSource, ContinuesUnlessAProfilerOfTheProgramTakesCupti) {
  ASSERT_TRUE(open().empty());
  source_->other_profiler_began();
  call({1, 2});
  EXPECT_EQ(close().size(), 1);
  EXPECT_TRUE(closing_.empty());
}

TEST_F(GpuSource, AttributesEachThreadsCallsAcrossManySmallBuffers) {
  ASSERT_TRUE(open("shuffled", 1024, 4096).empty());
  const auto calls_of = [&](std::int64_t segment) {
    for (std::int64_t site = 1; site <= 200; ++site) call({segment, site});
  };
  std::thread one(calls_of, 1);
  std::thread other(calls_of, 2);
  for (int i = 0; i < 20; ++i) source_->flush();
  one.join();
  other.join();
  const std::vector<GpuActivity> activities = close();
  EXPECT_EQ(activities.size(), 600U);
  for (const GpuActivity& each : activities) EXPECT_EQ(each.thread, 43);
  EXPECT_EQ(correlator_->counts().attributed, 600);
}

TEST_F(GpuSource, GivesBuffersAgainSoThatNothingIsDroppedWhileTheyAreCollected) {
  ASSERT_TRUE(open("", 4096, 4).empty());
  for (int i = 0; i < 200; ++i) {
    call({1, 1});
    source_->collect();
  }
  EXPECT_EQ(close().size(), 300U);
  EXPECT_EQ(correlator_->counts().dropped, 0);
}

TEST_F(GpuSource, CountsRecordsThatCuptiDropsUncollected) {
  ASSERT_TRUE(open("", 4096, 2).empty());
  for (int i = 0; i < 200; ++i) call({1, 1});
  close();
  EXPECT_GT(correlator_->counts().dropped, 0);
  ASSERT_FALSE(missing_of(correlator_->counts()).empty());
  EXPECT_EQ(missing_of(correlator_->counts())[0].cause, "CUPTI dropped them: its buffers were full");
}

TEST_F(GpuSource, CountsWhatIsDroppedWhereThereIsNoBufferAtAll) {
  ASSERT_TRUE(open("", 4096, 0).empty());
  call({1, 1});
  call({1, 1});
  EXPECT_TRUE(close().empty());
  EXPECT_EQ(correlator_->counts().dropped, 3 + 4) << "an id, a call and one kernel or two";
  EXPECT_EQ(correlator_->counts().cut_buffers, 0);
}

TEST_F(GpuSource, DropsNothingThatCuptiCannotCount) {
  ASSERT_TRUE(open("no_count", 4096, 0).empty());
  call({1, 1});
  close();
  EXPECT_EQ(correlator_->counts().dropped, 0);
}

TEST_F(GpuSource, DoesWithTheCallsThatEachCuptiHas) {
  ::setenv("AMPPROF_CUPTI", test_support::built_file(FAKE_OLD_CUPTI_LIBRARY).c_str(), 1);
  ASSERT_TRUE(open().empty());
  call({.segment = 3, .call_site = 9});
  const std::vector<GpuActivity> activities = close();
  ASSERT_EQ(activities.size(), 1U);
  EXPECT_EQ(activities[0].call_site, 9);
  source_.reset();
  EXPECT_EQ(open("no_callbacks").at(0).cause, "CUPTI refuses: error 999");
}

TEST_F(GpuSource, SaysWhatCuptiSaysWhereItRefuses) {
  for (const char* fault : {"no_version", "no_callbacks"}) {
    const std::vector<Missing> missing = open(fault);
    EXPECT_EQ(source_, nullptr);
    ASSERT_EQ(missing.size(), 1U);
    EXPECT_EQ(missing[0].cause, "CUPTI refuses: FAKE_RESULT (999)");
  }
}

TEST_F(GpuSource, TakesAnUnknownErrorForThatOfAMissingDriver) {
  const std::vector<Missing> missing = open("unknown");
  ASSERT_EQ(missing.size(), 1U);
  const std::string without = "CUPTI could not start: there is no NVIDIA driver or no GPU: FAKE_RESULT (999)";
  EXPECT_EQ(missing[0].cause, has_driver() ? "CUPTI refuses: FAKE_RESULT (999)" : without);
}

TEST_F(GpuSource, HandsOverFinishedActivityWhenFlushed) {
  ASSERT_TRUE(open().empty());
  call({1, 1});
  source_->flush();
  EXPECT_EQ(correlator_->take().size(), 1U);
  EXPECT_EQ(buffers_, 1);
  source_->flush();
  EXPECT_EQ(buffers_, 1) << "there was nothing more";
}

TEST_F(GpuSource, WaitsForUnfinishedActivityAtItsEnd) {
  ASSERT_TRUE(open("unfinished").empty());
  call({1, 1});
  source_->flush();
  EXPECT_EQ(buffers_, 0);
  EXPECT_EQ(close().size(), 1U);
}

TEST_F(GpuSource, TakesAwayTheIdsThatItGave) {
  ASSERT_TRUE(open().empty());
  call({1, 1});
  const auto pop =
      of_stand_in<decltype(cuptiActivityPopExternalCorrelationId)>("cuptiActivityPopExternalCorrelationId");
  ASSERT_NE(pop, nullptr);
  std::uint64_t id = 0;
  EXPECT_EQ(pop(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, &id), CUPTI_ERROR_QUEUE_EMPTY);
}

TEST_F(GpuSource, BelievesNoRecordThatLiesBeyondABufferOrComesAgain) {
  for (const char* fault : {"stuck", "beyond"}) {
    ASSERT_TRUE(open(fault).empty());
    call({1, 1});
    close();
    EXPECT_EQ(correlator_->counts().cut_buffers, 1) << fault;
    EXPECT_EQ(correlator_->counts().unread, 0) << fault;
    source_.reset();
  }
}

TEST_F(GpuSource, SaysWhatABufferThatIsCutShortLacks) {
  ASSERT_TRUE(open("cut").empty());
  call({1, 1});
  EXPECT_TRUE(close().empty());  // the cut record is the last one, the kernel's
  EXPECT_EQ(correlator_->counts().cut_buffers, 1);
}

TEST_F(GpuSource, LeavesOutKernelsWithoutTimes) {
  ASSERT_TRUE(open("zero").empty());
  call({1, 1});
  EXPECT_TRUE(close().empty());
  EXPECT_EQ(correlator_->counts().no_times, 1);
}

TEST_F(GpuSource, SaysWhatFailedWhileItRan) {
  ASSERT_TRUE(open("no_flush").empty());
  call({.segment = std::int64_t{1} << 32, .call_site = 1});
  ::setenv("FAKE_CUPTI", "no_flush,no_push", 1);
  call({1, 1});
  close();
  ASSERT_EQ(closing_.size(), 3U);
  EXPECT_EQ(closing_[0].what, "GPU activity left in CUPTI's buffers");
  EXPECT_EQ(closing_[1].cause, "ids of segments or call sites no longer fit in 32 bits");
  EXPECT_EQ(closing_[2].cause, "CUPTI did not accept the ids of these calls");
  for (const Missing& missing : closing_) EXPECT_EQ(missing.count, 1) << missing.cause;
  EXPECT_EQ(correlator_->counts().unnamed_op, 1);
  EXPECT_TRUE(source_->close().empty()) << "it is said once";
}

TEST_F(GpuSource, IsOpenOnceInAProcess) {
  ASSERT_TRUE(open().empty());
  const Source::Opened second = Source::open(SourceOptions::from_environment());
  EXPECT_EQ(second.source, nullptr);
  ASSERT_EQ(second.missing.size(), 1U);
  EXPECT_EQ(second.missing[0].cause, "this process already records GPU activity");
}

TEST_F(GpuSource, LetsAnotherOpenOnceItIsDestroyed) {
  ASSERT_TRUE(open().empty());
  source_->release();
  source_->release();
  EXPECT_NE(Source::open(SourceOptions::from_environment()).source, nullptr);
}

TEST_F(GpuSource, DoesNothingAfterItsEnd) {
  ASSERT_TRUE(open().empty());
  close();
  call({1, 1});
  source_->flush();
  source_->collect();
  EXPECT_TRUE(source_->close().empty());
  EXPECT_TRUE(correlator_->finish().empty());
}

TEST_F(GpuSource, WritesWhatCanBeReplayed) {
  const test_support::TemporaryFolder folder;
  ::setenv("AMPPROF_CUPTI_DUMP", (folder / "records").c_str(), 1);
  ASSERT_TRUE(open().empty());
  for (std::int64_t site = 1; site <= 10; ++site) call({5, site});
  const std::vector<GpuActivity> activities = close();
  const std::string bytes = test_support::bytes_of(folder / "records");
  const ActivityDump dump = read_activities(std::as_bytes(std::span(bytes)));
  EXPECT_EQ(dump.cupti_version, cupti_version_built_for());
  for (const RawBuffer& raw : dump.buffers) {
    for (const RawRecord& record : raw.records) EXPECT_EQ(record.bytes.size(), size_of_record(record.kind));
  }
  names_.clear();
  Correlator again({intern_, thread_of_});
  for (const RawBuffer& raw : dump.buffers) again.add(activities_of(raw));
  EXPECT_EQ(again.finish(), activities);
}

TEST_F(GpuSource, SaysThatItsFileCannotBeWritten) {
  ::setenv("AMPPROF_CUPTI_DUMP", "/nowhere/records", 1);
  ASSERT_TRUE(open().empty());
  close();
  ASSERT_EQ(closing_.size(), 1U);
  EXPECT_EQ(closing_[0].cause, "/nowhere/records cannot be written");
}

struct Refusal {
  const char* fault;
  const char* cause;
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.fault; }

class GpuSourceRefused : public GpuSource, public testing::WithParamInterface<Refusal> {};

TEST_P(GpuSourceRefused, SaysWhyInOneSentence) {
  const std::vector<Missing> missing = open(GetParam().fault);
  EXPECT_EQ(source_, nullptr);
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing[0].what, "all GPU activity");
  EXPECT_TRUE(missing[0].cause.starts_with(GetParam().cause)) << missing[0].cause;
  EXPECT_FALSE(missing[0].remedy.empty());
  EXPECT_TRUE(open("").empty()) << "a refusal must not be for ever";
}

INSTANTIATE_TEST_SUITE_P(
    Table, GpuSourceRefused,
    testing::Values(Refusal{"held", "\"CUPTI for Kineto\" uses CUPTI, which serves one tool at a time"},
                    Refusal{"forbidden", "the driver lets only administrators record GPUs: FAKE_RESULT (35)"},
                    Refusal{"no_driver",
                            "CUPTI could not start: there is no NVIDIA driver or no GPU: FAKE_RESULT (15)"},
                    Refusal{"cuda12", "CUPTI is of CUDA 12 or older (26), but ampprof was built for 13."}));

struct KindOfActivity {
  CUpti_ActivityKind kind;
  const char* missing;  ///< message if CUPTI does not support the kind; "" if nothing can be recorded without the kind
};

void PrintTo(const KindOfActivity& kind, std::ostream* out) { *out << kind.kind; }

class GpuSourceWithoutKind : public GpuSource, public testing::WithParamInterface<KindOfActivity> {};

TEST_P(GpuSourceWithoutKind, ContinuesIfTheKindIsOptional) {
  const std::string fault = "no_kind_" + std::to_string(GetParam().kind);
  const std::vector<Missing> missing = open(fault.c_str());
  const std::string expected = GetParam().missing;
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing[0].what, expected.empty() ? "all GPU activity" : expected);
  EXPECT_EQ(source_ != nullptr, !expected.empty());
}

INSTANTIATE_TEST_SUITE_P(Kinds, GpuSourceWithoutKind,
                         testing::Values(KindOfActivity{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, ""},
                                         KindOfActivity{CUPTI_ACTIVITY_KIND_RUNTIME, ""},
                                         KindOfActivity{CUPTI_ACTIVITY_KIND_DRIVER, ""},
                                         KindOfActivity{CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, ""},
                                         KindOfActivity{CUPTI_ACTIVITY_KIND_MEMCPY, "memcpys from and to GPUs"},
                                         KindOfActivity{CUPTI_ACTIVITY_KIND_MEMCPY2, "memcpys between GPUs"},
                                         KindOfActivity{CUPTI_ACTIVITY_KIND_MEMSET, "memsets of GPU memory"},
                                         KindOfActivity{CUPTI_ACTIVITY_KIND_OVERHEAD, "CUPTI's own overhead"},
                                         KindOfActivity{CUPTI_ACTIVITY_KIND_MEMORY_POOL, "memory pools of GPUs"}));

TEST_F(GpuSource, ReadsALaterCuptiOfTheSameReleaseAndSaysSo) {
  const std::vector<Missing> missing = open("later");
  ASSERT_EQ(missing.size(), 1U);
  const std::uint32_t ours = cupti_version_built_for();
  EXPECT_EQ(missing[0].cause,
            "CUPTI is " + version_text(ours + 100) + ", but ampprof was built for " + version_text(ours));
  EXPECT_NE(source_, nullptr);
}

TEST_F(GpuSource, SaysThatThereIsNoLibrary) {
  ::setenv("AMPPROF_CUPTI", "/nowhere/libcupti.so", 1);
  const std::vector<Missing> missing = open();
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_NE(missing[0].cause.find("/nowhere/libcupti.so"), std::string::npos);
}

TEST_F(GpuSource, SaysThatALibraryIsNotCupti) {
  ::setenv("AMPPROF_CUPTI", "libm.so.6", 1);
  const std::vector<Missing> missing = open();
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing[0].cause, "CUPTI could not be loaded: the library has no function cuptiGetVersion");
}

TEST_F(GpuSource, WithoutAGpuTheTrueLibraryRefusesInOneSentence) {
#ifndef TRUE_CUPTI_LIBRARY
  GTEST_SKIP() << "no libcupti.so.13 beside its headers";
#else
  if (std::filesystem::exists("/dev/nvidiactl")) GTEST_SKIP() << "this machine has a GPU";
  ::setenv("AMPPROF_CUPTI", TRUE_CUPTI_LIBRARY, 1);
  const std::vector<Missing> missing = open();
  EXPECT_EQ(source_, nullptr);
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing[0].cause.find("CUPTI could not start: there is no NVIDIA driver or no GPU"), 0U)
      << missing[0].cause;
#endif
}

}  // namespace source_test
}  // namespace ampprof::profiler
