#if SQLite
import ActivityReporting
import CFileFaults
import CurlTransport
import Foundation
import HTTPTypes
import Interception
import OfflineMutations

/// What the program does, read from its arguments.
struct CrashRun: Sendable {
  let folder: String
  let port: Int
  let path: String
  /// The number of this start, which makes the names of its events unique.
  let run: Int
  let recorders: Int
  let events: Int
  let fault: String
  let position: Int
  let length: Int

  init?(_ words: [String]) {
    guard words.count == 10, let port = Int(words[2]), let run = Int(words[4]),
      let recorders = Int(words[5]), let events = Int(words[6]), let position = Int(words[8]),
      let length = Int(words[9])
    else { return nil }
    (folder, path, fault) = (words[1], words[3], words[7])
    (self.port, self.run, self.recorders, self.events) = (port, run, recorders, events)
    (self.position, self.length) = (position, length)
  }

  func arm() {
    switch fault {
    case "before": file_faults_arm(file_fault_kill_before, position, length)
    case "within": file_faults_arm(file_fault_kill_within, position, length)
    case "full": file_faults_arm(file_fault_full, position, length)
    default: break
    }
  }

  func recordActivity() async throws {
    let dispatcher = CurlDispatcher()
    let request = Request(method: .post, scheme: "http", authority: "127.0.0.1:\(port)", path: path)
    let log = try ActivityLog(
      path: folder + "/activity.sqlite", uploading: ActivityUpload(request, batchCount: 5), over: dispatcher,
      limits: ActivityLimits(), durability: .processKill, maximumPages: nil, time: .system, random: { 0.01 },
      account: { "" })
    log.start()
    await withTaskGroup { group in
      for recorder in 0..<recorders {
        group.addTask {
          for event in 0..<events { await record(log, "\(run).\(recorder).\(event)") }
        }
      }
    }
    // A full disk ends after a number of attempts.
    for _ in 0..<200 where log.stats.waitingCount > 0 {
      await log.flush()
      if log.stats.waitingCount > 0 { try await Task.sleep(for: .milliseconds(10)) }  // clock: a real disk
    }
    Self.say("left \(log.stats.waitingCount)")
  }

  func enqueueMutations() async throws {
    let queue = try MutationQueue(
      path: folder + "/mutations.sqlite", over: CurlDispatcher(), limits: MutationLimits(), time: .system,
      random: { 0.01 }, account: { "" })
    let changes = queue.changes
    queue.start()
    await withTaskGroup { group in
      for recorder in 0..<recorders {
        group.addTask {
          for event in 0..<events { await enqueue(queue, "\(run).\(recorder).\(event)", "\(recorder)") }
        }
      }
    }
    // Everything may have been refused.
    guard queue.pendingCount > 0 else { return }
    for await change in changes {
      if case .delayed(_, let reason) = change { Self.say("delayed \(reason)") }
      if queue.pendingCount == 0 { break }
    }
  }

  private func enqueue(_ queue: MutationQueue, _ name: String, _ resource: String) async {
    let request = Request(
      method: .put, scheme: "http", authority: "127.0.0.1:\(port)", path: path, body: .text(name))
    do throws(QueueError) {
      try await queue.enqueue(request, resource: resource, idempotencyKey: name)
      acknowledge(name)
    } catch { Self.say(error.kind == .file(.full) ? "refused full" : "refused \(error.kind)") }
  }

  private func record(_ log: ActivityLog, _ name: String) async {
    do throws(QueueError) {
      try await log.record(name, ["number": 1])
      acknowledge(name)
    } catch { Self.say(error.kind == .file(.full) ? "refused full" : "refused \(error.kind)") }
  }

  /// Prints that a change was acknowledged.
  ///
  /// The time until a kill begins with the first one, so that something is acknowledged on any machine.
  func acknowledge(_ name: String) {
    Self.say("recorded \(name)")
    if fault == "after" { file_faults_kill_after(position) }
  }

  /// Writes a line at once, which a kill can't take back.
  static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }
}
#endif
