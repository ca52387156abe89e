import Glibc

/// The processor time used by this process, on all threads.
///
/// For work on one thread at a time, this is the elapsed time on a quiet machine, and hardly differs on a
/// busy one.
public enum ProcessorTime {
  /// Returns the seconds of processor time since the process started.
  public static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// What a process used of the processor.
public struct ProcessorUse: Sendable, Equatable {
  /// The seconds of processor time, on all threads, in user code and in the kernel.
  public var seconds: Double
  /// The context switches, both those by blocking and those by the scheduler.
  public var switches: Int

  /// Returns what this process used since it started.
  public static func now() -> ProcessorUse {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return ProcessorUse(seconds: ProcessorTime.now(), switches: usage.ru_nvcsw + usage.ru_nivcsw)
  }

  /// Returns what was used between two times.
  public static func - (later: ProcessorUse, earlier: ProcessorUse) -> ProcessorUse {
    ProcessorUse(seconds: later.seconds - earlier.seconds, switches: later.switches - earlier.switches)
  }
}
