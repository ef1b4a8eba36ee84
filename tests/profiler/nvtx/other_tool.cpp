// SPDX-License-Identifier: Apache-2.0
// An NVTX tool other than ampprof's injection. Prints the calls that concern domains.
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

#include <cstdio>

namespace {

nvtxDomainHandle_t create(const char* name) {
  std::printf("domain %s\n", name);
  return reinterpret_cast<nvtxDomainHandle_t>(1);
}

void name_category(nvtxDomainHandle_t, uint32_t category, const char* name) {
  std::printf("category %u %s\n", category, name);
}

int push(nvtxDomainHandle_t, const nvtxEventAttributes_t* attributes) {
  std::printf("push %s category %u color %08x\n", attributes->message.ascii, attributes->category, attributes->color);
  return 0;
}

nvtxRangeId_t start(nvtxDomainHandle_t, const nvtxEventAttributes_t* attributes) {
  static nvtxRangeId_t last = 0;
  std::printf("start %s category %u color %08x\n", attributes->message.ascii, attributes->category, attributes->color);
  return ++last;
}

void end(nvtxDomainHandle_t, nvtxRangeId_t id) { std::printf("end %d\n", static_cast<int>(id)); }

int pop(nvtxDomainHandle_t) {
  std::printf("pop\n");
  return 0;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t export_table) {
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(export_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0) return 0;
  *table[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(create);
  *table[NVTX_CBID_CORE2_DomainNameCategoryA] = reinterpret_cast<NvtxFunctionPointer>(name_category);
  *table[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(push);
  *table[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(pop);
  *table[NVTX_CBID_CORE2_DomainRangeStartEx] = reinterpret_cast<NvtxFunctionPointer>(start);
  *table[NVTX_CBID_CORE2_DomainRangeEnd] = reinterpret_cast<NvtxFunctionPointer>(end);
  return 1;
}
