// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/cupti_api.h"

#include <dlfcn.h>

namespace ampprof::profiler {
namespace {

constexpr const char* kLibrary = "libcupti.so.13";

void* open_library(const std::string& path) {
  if (!path.empty()) return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (void* present = dlopen(kLibrary, RTLD_NOW | RTLD_NOLOAD)) return present;
  return dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
}

class Finder {
 public:
  explicit Finder(void* library) : library_(library) {}

  template <typename Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
  }
  template <typename Function>
  void need(Function& function, const char* name) {
    find(function, name);
    if (function == nullptr && absent_.empty()) absent_ = name;
  }
  /// The first needed function that is not there; "" where all are.
  const std::string& absent() const { return absent_; }

 private:
  void* library_;
  std::string absent_;
};

}  // namespace

CuptiLibrary load_cupti(const std::string& path) {
  CuptiLibrary cupti;
  void* library = open_library(path);
  if (library == nullptr) {
    const char* words = dlerror();
    return {.api = {}, .error = words != nullptr ? words : "the loader gives no reason"};
  }
  Finder finder(library);
  CuptiApi& api = cupti.api;
  finder.need(api.get_version, "cuptiGetVersion");
  finder.need(api.get_timestamp, "cuptiGetTimestamp");
  finder.find(api.get_result_string, "cuptiGetResultString");
  finder.find(api.subscribe_v2, "cuptiSubscribe_v2");
  if (api.subscribe_v2 == nullptr) finder.need(api.subscribe, "cuptiSubscribe");
  finder.need(api.unsubscribe, "cuptiUnsubscribe");
  finder.find(api.set_thread_id_type, "cuptiSetThreadIdType");
  finder.need(api.register_callbacks, "cuptiActivityRegisterCallbacks");
  finder.need(api.enable, "cuptiActivityEnable");
  finder.need(api.disable, "cuptiActivityDisable");
  finder.need(api.flush_all, "cuptiActivityFlushAll");
  finder.need(api.get_next_record, "cuptiActivityGetNextRecord");
  finder.need(api.get_dropped, "cuptiActivityGetNumDroppedRecords");
  finder.need(api.push_id, "cuptiActivityPushExternalCorrelationId");
  finder.need(api.pop_id, "cuptiActivityPopExternalCorrelationId");
  if (!finder.absent().empty()) cupti.error = "it has no function " + finder.absent();
  return cupti;
}

std::string words_for(const CuptiApi& api, CUptiResult result) {
  const char* words = nullptr;
  if (api.get_result_string != nullptr) (void)api.get_result_string(result, &words);
  const std::string number = std::to_string(static_cast<int>(result));
  return words != nullptr ? std::string(words) + " (" + number + ")" : "error " + number;
}

}  // namespace ampprof::profiler
