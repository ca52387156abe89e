import Foundation

/// The peak resident memory of this process.
public enum PeakMemory {
  /// Reads `VmHWM` from `/proc/self/status`; nil if there is no such file.
  ///
  /// `getrusage` would include the memory that the parent process had when it started this one.
  public static func kibibytes() -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
      return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    }
    return nil
  }
}
