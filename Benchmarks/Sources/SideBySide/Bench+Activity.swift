import Foundation
import Measuring

/// Measures the activity log.
extension Bench {
  private static let backlogCount = 1_000_000

  /// Returns the events per second that many tasks record, or the median microseconds of one task's call.
  func recording(tasks: Int) throws -> Double {
    let requests = (tasks == 1 ? 20_000 : 128_000) / (isQuick ? 4 : 1)
    let program = programs.activity("record", recordingArguments(tasks: tasks, requests: requests))
    let line = try result(of: program, requests: requests)
    guard let seconds = line.number("seconds"), seconds > 0, let median = line.number("median-seconds") else {
      throw Trouble("a program printed no time")
    }
    return tasks == 1 ? median * 1e6 : Double(requests) / seconds
  }

  /// Returns a load that records into a new file.
  func recordingArguments(tasks: Int, requests: Int) -> [String] {
    let file = folder.appendingPathComponent("activity-\(UUID().uuidString).sqlite").path
    return ["--path", file, "--tasks", "\(tasks)", "--warm-up", "\(tasks * 10)", "--requests", "\(requests)"]
  }

  /// Opens a log with a backlog in a new process, and returns the time of opening it and the peak memory.
  func backlog() throws -> (milliseconds: Double, mebibytes: Double) {
    let file = folder.appendingPathComponent("backlog.sqlite").path
    // A file that was not filled completely fails the check of its count.
    if !FileManager.default.fileExists(atPath: file) {
      let count = "\(Self.backlogCount)"
      // Many tasks, so that a transaction stores many events.
      let load = ["--path", file, "--tasks", "4000", "--requests", count]
      _ = try result(of: programs.activity("record", load), requests: Self.backlogCount)
    }
    let line = try result(of: programs.activity("open", ["--path", file]), requests: Self.backlogCount)
    guard let seconds = line.number("seconds"), let peak = line.number("peak-kib"), peak > 0 else {
      throw Trouble("a program printed no time or no peak memory")
    }
    return (seconds * 1e3, peak / 1_024)
  }
}
