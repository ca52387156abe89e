import Foundation

/// The most memory that was resident in this process at a time.
public enum PeakMemory {
  /// Reads `VmHWM` of `/proc/self/status`; nil where there is no such file.
  ///
  /// `getrusage` would count what the parent held when it started this process.
  public static func kibibytes() -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
      return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    }
    return nil
  }
}
