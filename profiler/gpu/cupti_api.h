// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cupti.h>

#include <string>

namespace ampprof::profiler {

/// CUPTI's functions, found at run time.
struct CuptiApi {
  decltype(&cuptiGetVersion) get_version = nullptr;
  decltype(&cuptiGetTimestamp) get_timestamp = nullptr;
  decltype(&cuptiGetResultString) get_result_string = nullptr;  ///< may be null
  decltype(&cuptiSubscribe) subscribe = nullptr;                ///< may be null if subscribe_v2 is not
  decltype(&cuptiSubscribe_v2) subscribe_v2 = nullptr;          ///< may be null
  decltype(&cuptiUnsubscribe) unsubscribe = nullptr;
  decltype(&cuptiSetThreadIdType) set_thread_id_type = nullptr;  ///< may be null, as may the next one
  decltype(&cuptiGetThreadIdType) get_thread_id_type = nullptr;
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
  decltype(&cuptiActivityEnable) enable = nullptr;
  decltype(&cuptiActivityDisable) disable = nullptr;
  decltype(&cuptiActivityEnableRuntimeApi) enable_runtime_call = nullptr;  ///< may be null, as may the next two
  decltype(&cuptiActivityEnableDriverApi) enable_driver_call = nullptr;
  decltype(&cuptiGetCallbackName) get_callback_name = nullptr;
  decltype(&cuptiActivityFlushAll) flush_all = nullptr;
  decltype(&cuptiActivityGetNextRecord) get_next_record = nullptr;
  decltype(&cuptiActivityGetNumDroppedRecords) get_dropped = nullptr;
  decltype(&cuptiActivityPushExternalCorrelationId) push_id = nullptr;
  decltype(&cuptiActivityPopExternalCorrelationId) pop_id = nullptr;
};

struct CuptiLibrary {
  CuptiApi api;
  std::string error;  ///< why CUPTI could not be loaded; "" if it was
};

/// Loads CUPTI permanently from `path`. If `path` is "", uses the copy that is mapped already (LibTorch brings one), or
/// else the one that the dynamic loader finds.
CuptiLibrary load_cupti(const std::string& path);

/// Returns CUPTI's message for a result, with the result's number.
std::string words_for(const CuptiApi& api, CUptiResult result);

}  // namespace ampprof::profiler
