#include "cli/own_stack.h"

#include <pthread.h>
#include <sys/resource.h>

namespace raak::cli {
namespace {

constexpr std::size_t sufficient = 8U << 20U;  // bytes, what most systems give

struct Call {
  const std::function<int()>* action;
  int result;
};

void* run(void* given) {
  auto* const call = static_cast<Call*>(given);
  call->result = (*call->action)();
  return nullptr;
}

bool is_small() {
  rlimit limit{};
  return getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < sufficient;
}

}  // namespace

int on_sufficient_stack(const std::function<int()>& action) {
  if (!is_small()) return action();
  Call call{&action, 0};
  pthread_t thread{};
  pthread_attr_t attributes{};
  pthread_attr_init(&attributes);
  const bool started =
      pthread_attr_setstacksize(&attributes, sufficient) == 0 && pthread_create(&thread, &attributes, run, &call) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) return action();  // no memory for it: the small one is better than nothing
  pthread_join(thread, nullptr);
  return call.result;
}

}  // namespace raak::cli
