// SPDX-License-Identifier: Apache-2.0
// Tests the injection with the tables of NVTX copies that are older than the injection's headers, or broken.
#define NVTX_NO_IMPL
#include <gtest/gtest.h>
#include <nvtx3/nvToolsExt.h>

#include <array>
#include <cstdint>

extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t export_table);

namespace ampprof::profiler {
namespace tables_test {

/// A copy of NVTX. Its callbacks have no user argument, so only one copy can exist at a time.
struct Copy {
  Copy() {
    g_copy = this;
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = &functions[i];
  }
  ~Copy() { g_copy = nullptr; }

  int take() const { return InitializeInjectionNvtx2(export_table); }
  bool is_set(unsigned id) const { return functions[id] != nullptr; }

  static const void* export_table(std::uint32_t id) {
    if (id == NVTX_ETID_CALLBACKS && g_copy->has_callbacks) return &g_copy->callbacks;
    return id == NVTX_ETID_VERSIONINFO && g_copy->has_version ? &g_copy->version : nullptr;
  }
  static int function_table(NvtxCallbackModule module, NvtxFunctionTable* table, unsigned* size) {
    if (module != NVTX_CB_MODULE_CORE) return 0;
    *table = g_copy->has_table ? g_copy->table.data() : nullptr;
    *size = g_copy->size;
    return g_copy->result;
  }

  static inline Copy* g_copy = nullptr;
  static inline std::uint32_t g_version = 0;

  bool has_callbacks = true, has_version = true, has_table = true;
  int result = 1;
  unsigned size = NVTX_CBID_CORE_SIZE;
  std::array<NvtxFunctionPointer, NVTX_CBID_CORE_SIZE> functions{};
  std::array<NvtxFunctionPointer*, NVTX_CBID_CORE_SIZE> table{};
  NvtxExportTableCallbacks callbacks{sizeof(NvtxExportTableCallbacks), function_table};
  NvtxExportTableVersionInfo version{sizeof(NvtxExportTableVersionInfo), 2, 0,
                                     [](std::uint32_t ours) { g_version = ours; }};
};

TEST(TablesOfNvtx, AreTakenWhereTheyAreKnown) {
  Copy::g_version = 0;
  const Copy copy;
  EXPECT_EQ(copy.take(), 1) << "without domains too";
  EXPECT_TRUE(copy.is_set(NVTX_CBID_CORE_RangePop));
  EXPECT_FALSE(copy.is_set(NVTX_CBID_CORE_NameOsThreadA)) << "names of threads are passed over";
  EXPECT_EQ(Copy::g_version, std::uint32_t{NVTX_VERSION});
}

TEST(TablesOfNvtx, AreLeftAloneWhereTheyAreNot) {
  EXPECT_EQ(InitializeInjectionNvtx2(nullptr), 0);
  const auto is_refused = [](auto change) {
    Copy copy;
    change(copy);
    return copy.take() == 0 && !copy.is_set(NVTX_CBID_CORE_MarkA);
  };
  EXPECT_TRUE(is_refused([](Copy& copy) { copy.has_callbacks = false; }));
  EXPECT_TRUE(is_refused([](Copy& copy) { copy.callbacks.struct_size -= 1; }));
  EXPECT_TRUE(is_refused([](Copy& copy) { copy.result = 0; }));
  EXPECT_TRUE(is_refused([](Copy& copy) { copy.has_table = false; }));
}

TEST(TablesOfNvtx, MayBeShorterAndHaveHoles) {
  Copy copy;
  copy.size = NVTX_CBID_CORE_RangePop;
  copy.table[NVTX_CBID_CORE_MarkA] = nullptr;
  EXPECT_EQ(copy.take(), 1);
  EXPECT_FALSE(copy.is_set(NVTX_CBID_CORE_RangePop)) << "behind the end";
  EXPECT_FALSE(copy.is_set(NVTX_CBID_CORE_MarkA));
  EXPECT_TRUE(copy.is_set(NVTX_CBID_CORE_MarkEx));
}

TEST(TablesOfNvtx, MayAskForNoVersion) {
  Copy::g_version = 0;
  Copy copy;
  copy.has_version = false;
  EXPECT_EQ(copy.take(), 1);
  copy.has_version = true;
  copy.version.struct_size -= 1;
  EXPECT_EQ(copy.take(), 1);
  EXPECT_EQ(Copy::g_version, 0U) << "a table that ends before the function";
}

}  // namespace tables_test
}  // namespace ampprof::profiler
