import Foundation

/// What the system counts for this process.
public struct ProcessStatus: Sendable, Equatable {
  /// The resident memory in bytes.
  public var residentBytes: Int
  /// The number of threads.
  public var threads: Int
  /// The number of open descriptors.
  public var descriptors: Int

  /// Reads the present numbers from `/proc/self`; nil if there is no such folder.
  public static func now() -> ProcessStatus? {
    guard let resident = number("VmRSS"), let threads = number("Threads"),
      let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    else { return nil }
    return ProcessStatus(residentBytes: resident << 10, threads: threads, descriptors: descriptors)
  }

  /// Returns a number of `/proc/self/status`, of which those of memory are in KiB.
  static func number(_ name: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    for line in status.split(separator: "\n") where line.hasPrefix("\(name):") {
      return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    }
    return nil
  }
}
