// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/cupti_api.h"

#include <dlfcn.h>

#include "precision/gpu/symbols.h"

namespace ampprof::profiler {
namespace {

constexpr const char* kLibrary = "libcupti.so.13";

void* open_library(const std::string& path) {
  if (!path.empty()) return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (void* present = dlopen(kLibrary, RTLD_NOW | RTLD_NOLOAD)) return present;
  return dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

CuptiLibrary load_cupti(const std::string& path) {
  CuptiLibrary cupti;
  void* library = open_library(path);
  if (library == nullptr) return {.api = {}, .error = gpu::why_not_opened()};
  gpu::Symbols symbols(library);
  CuptiApi& api = cupti.api;
  symbols.need(api.get_version, "cuptiGetVersion");
  symbols.need(api.get_timestamp, "cuptiGetTimestamp");
  symbols.find(api.get_result_string, "cuptiGetResultString");
  symbols.find(api.subscribe_v2, "cuptiSubscribe_v2");
  if (api.subscribe_v2 == nullptr) symbols.need(api.subscribe, "cuptiSubscribe");
  symbols.need(api.unsubscribe, "cuptiUnsubscribe");
  symbols.find(api.set_thread_id_type, "cuptiSetThreadIdType");
  symbols.find(api.get_thread_id_type, "cuptiGetThreadIdType");
  symbols.need(api.register_callbacks, "cuptiActivityRegisterCallbacks");
  symbols.need(api.enable, "cuptiActivityEnable");
  symbols.need(api.disable, "cuptiActivityDisable");
  symbols.find(api.enable_runtime_call, "cuptiActivityEnableRuntimeApi");
  symbols.find(api.enable_driver_call, "cuptiActivityEnableDriverApi");
  symbols.find(api.get_callback_name, "cuptiGetCallbackName");
  symbols.need(api.flush_all, "cuptiActivityFlushAll");
  symbols.need(api.get_next_record, "cuptiActivityGetNextRecord");
  symbols.need(api.get_dropped, "cuptiActivityGetNumDroppedRecords");
  symbols.need(api.push_id, "cuptiActivityPushExternalCorrelationId");
  symbols.need(api.pop_id, "cuptiActivityPopExternalCorrelationId");
  if (!symbols.absent().empty()) cupti.error = "the library has no function " + symbols.absent();
  return cupti;
}

std::string words_for(const CuptiApi& api, CUptiResult result) {
  const char* words = nullptr;
  if (api.get_result_string != nullptr) (void)api.get_result_string(result, &words);
  const std::string number = std::to_string(static_cast<int>(result));
  return words != nullptr ? std::string(words) + " (" + number + ")" : "error " + number;
}

}  // namespace ampprof::profiler
