#ifndef SWITCHYARD_C_FILE_FAULTS_H
#define SWITCHYARD_C_FILE_FAULTS_H

/// What happens at a change of a file.
enum file_fault {
  /// Nothing.
  file_fault_none = 0,
  /// The process is killed before the change.
  file_fault_kill_before = 1,
  /// The process is killed when half of the bytes are written, or after a change without bytes.
  file_fault_kill_within = 2,
  /// Writing fails because the disk is full, for a number of writes.
  file_fault_full = 3,
};

/// Counts the changes of files from now on, and causes a fault at the one with a number, counted from 1.
///
/// A program that links this target replaces the functions by which its libraries change files, on Linux.
void file_faults_arm(enum file_fault fault, long position, long length);

/// Returns the number of changes since the start.
long file_faults_count(void);

/// Kills the process after a time, from a thread of its own; a second call does nothing.
void file_faults_kill_after(long microseconds);

/// Forks the process, which must have one thread; returns 0 in the child. Swift offers no fork.
int file_faults_fork(void);

#endif
