#ifndef SWITCHYARD_SIMULATION_H
#define SWITCHYARD_SIMULATION_H

/// Receives a job of the runtime, which must be run by `simulation_run`.
typedef void (*simulation_receiver)(void *_Nonnull job);

/// Diverts the jobs of the runtime's global executor to a receiver, for the rest of the process.
///
/// The main actor's executor becomes the serial executor whose two words are given. Only for a
/// program of one thread.
void simulation_install(simulation_receiver _Nonnull receiver, void *_Nullable identity,
                        void *_Nullable implementation);

/// Runs a job of the global executor on the calling thread until it suspends or ends.
void simulation_run(void *_Nonnull job);

#endif
