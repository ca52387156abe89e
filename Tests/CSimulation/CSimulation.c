#include "CSimulation.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

// The hooks of the Swift runtime by which a program replaces its executors. They are used here only, never
// in the package's products.

#define SWIFT_CALL __attribute__((swiftcall))

typedef struct {
  void *identity;
  void *implementation;
} executor;

typedef SWIFT_CALL void (*enqueue)(void *job);
typedef SWIFT_CALL void (*enqueue_hook)(void *job, enqueue original);
typedef SWIFT_CALL void (*delay_hook)(unsigned long long delay, void *job, void *original);
typedef SWIFT_CALL executor (*main_executor)(void);
typedef SWIFT_CALL executor (*main_executor_hook)(main_executor original);
typedef SWIFT_CALL bool (*is_main_executor)(executor);
typedef SWIFT_CALL bool (*is_main_executor_hook)(executor, is_main_executor original);

extern enqueue_hook swift_task_enqueueGlobal_hook;
extern delay_hook swift_task_enqueueGlobalWithDelay_hook;
extern main_executor_hook swift_task_getMainExecutor_hook;
extern is_main_executor_hook swift_task_isMainExecutor_hook;
SWIFT_CALL void swift_job_run(void *job, void *identity, void *implementation);

static simulation_receiver receive;
static executor main_actor;

static SWIFT_CALL void receive_job(void *job, enqueue original) {
  (void)original;
  receive(job);
}

static SWIFT_CALL void refuse_delay(unsigned long long delay, void *job, void *original) {
  (void)delay, (void)job, (void)original;
  fputs("simulation: a task sleeps on a real clock; pass the simulation's clock to it\n", stderr);
  abort();
}

static SWIFT_CALL executor get_main_executor(main_executor original) {
  (void)original;
  return main_actor;
}

static SWIFT_CALL bool is_main(executor asked, is_main_executor original) {
  (void)original;
  return asked.identity == main_actor.identity;
}

void simulation_install(simulation_receiver receiver, void *identity, void *implementation) {
  receive = receiver;
  main_actor.identity = identity;
  main_actor.implementation = implementation;
  swift_task_enqueueGlobal_hook = receive_job;
  swift_task_enqueueGlobalWithDelay_hook = refuse_delay;
  swift_task_getMainExecutor_hook = get_main_executor;
  swift_task_isMainExecutor_hook = is_main;
}

void simulation_run(void *job) { swift_job_run(job, NULL, NULL); }
