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
