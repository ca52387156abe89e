#if SQLite
import ActivityReporting
import Foundation
import HTTPTypes
import Interception
import Synchronization

/// Measures an activity log: `queue-crash measure FOLDER EVENTS` and, in a new process, `queue-crash open
/// FOLDER`.
enum ActivityFigures {
  /// A server that is never reached.
  private struct NoServer: Dispatcher {
    func dispatch(_ request: Request) async throws(NetworkError) -> Response {
      throw NetworkError(.offline, "There is no network.")
    }
  }

  private static func log(_ folder: String) throws -> ActivityLog {
    let request = Request(method: .post, authority: "log.example.com", path: "/activity")
    return try ActivityLog(
      path: folder + "/figures.sqlite", uploading: ActivityUpload(request), over: NoServer(),
      limits: ActivityLimits(count: 10_000_000, bytes: 4 << 30))
  }

  static func measure(_ folder: String, events: Int) async throws {
    let log = try log(folder)
    let clock = ContinuousClock()
    var single: [Duration] = []
    for number in 0..<5_000 {
      let start = clock.now
      try await record(number, in: log)
      single.append(clock.now - start)
    }
    single.sort()
    print(
      "singly: p50 \(micros(single[single.count / 2])) µs, p99 \(micros(single[single.count * 99 / 100])) µs")
    let recorders = 64
    let start = clock.now
    try await withThrowingTaskGroup { group in
      for recorder in 0..<recorders {
        group.addTask {
          for number in 0..<events / recorders { try await record(recorder + number, in: log) }
        }
      }
      try await group.waitForAll()
    }
    let seconds = (clock.now - start) / .seconds(1)
    print("in groups of \(recorders): \(Int(Double(events / recorders * recorders) / seconds)) events/s")
    print("waiting: \(log.stats.waitingCount) events, \(log.stats.waitingBytes >> 20) MiB")
    await log.close()
  }

  static func open(_ folder: String) async throws {
    let before = residentKiB()
    let clock = ContinuousClock()
    let start = clock.now
    let log = try log(folder)
    let opened = clock.now - start
    let first = try await log.peek(limit: 30)
    print(
      "opened \(log.stats.waitingCount) events in \(micros(opened)) µs, first \(first.count) read after "
        + "\(micros(clock.now - start)) µs; resident memory \(before) KiB before, \(residentKiB()) KiB after")
    await log.close()
  }

  private static func record(_ number: Int, in log: ActivityLog) async throws {
    try await log.record(
      "listing.opened", ["listing": .integer(Int64(number)), "screen": "list", "position": 3])
  }

  private static func micros(_ duration: Duration) -> Int { Int(duration / .microseconds(1)) }

  private static func residentKiB() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
  }
}
#endif
