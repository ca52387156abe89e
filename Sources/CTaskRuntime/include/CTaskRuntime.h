#ifndef SWITCHYARD_TASK_RUNTIME_H
#define SWITCHYARD_TASK_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

// Entry points of the Swift runtime's ABI, as its header swift/Runtime/Concurrency.h declares them.
struct switchyard_async_task;
__attribute__((swiftcall)) extern struct switchyard_async_task *_Nullable swift_task_getCurrent(void);
__attribute__((swiftcall)) extern bool swift_task_isCancelled(struct switchyard_async_task *_Nonnull task);

// Whether the task that calls is cancelled; false outside of tasks.
//
// Task.isCancelled says the same, but counts the task up before it looks and down after it, which takes longer than the
// look: the task that calls can't end meanwhile.
static inline bool switchyard_task_is_cancelled(void) {
  struct switchyard_async_task *task = swift_task_getCurrent();
  return task && swift_task_isCancelled(task);
}

#endif
