/// The peak resident memory of this process.
public enum PeakMemory {
  /// Reads `VmHWM` from `/proc/self/status`; nil if there is no such file.
  ///
  /// `getrusage` would include the memory that the parent process had when it started this one.
  public static func kibibytes() -> Int? { ProcessStatus.number("VmHWM") }
}
