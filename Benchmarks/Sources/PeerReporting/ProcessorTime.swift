import Glibc

/// The processor time that this process has taken, on all threads.
///
/// For work that one thread does at a time it is the time that passes on a quiet machine, and hardly another
/// one on a busy one.
public enum ProcessorTime {
  /// Seconds since the process began.
  public static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
