import ActivityReporting
import ArgumentParser
import Foundation
import HTTPTypes
import HeapMeasuring
import Interception
import PeerReporting
import Synchronization

extension GrowthPeer {
  /// An activity log with many waiting events: recording, opening, and uploading the oldest of them.
  struct Events: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Records many events, and uploads a few.")
    @Option(help: "The number of waiting events; a multiple of 1,000.") var size: Int
    @Option(help: "The number of uploaded batches of 30 events.") var requests: Int
    @Option(help: "A file that does not exist.") var path: String

    func run() throws {
      try Waiting.wait { [self] in try await measure() }
    }

    private func measure() async throws {
      var report = GrowthReport()
      let log = try open(Uploads(0))
      let start = ProcessorTime.now()
      try await withThrowingTaskGroup { group in
        for task in 0..<1_000 {
          group.addTask { [size] in
            for number in 0..<size / 1_000 {
              try await log.record(
                "listing.opened",
                ["listing": .integer(Int64(number)), "position": 3, "task": .integer(Int64(task))])
            }
          }
        }
        try await group.waitForAll()
      }
      report.add("record", since: start, by: ProcessorTime.now(), units: size)
      await log.close()

      let uploads = Uploads(requests)
      let before = heap_bytes()
      let opened = try open(uploads)
      guard opened.stats.waitingCount == size else {
        throw Trouble("\(opened.stats.waitingCount) of \(size) events wait")
      }
      let second = ProcessorTime.now()
      opened.start()
      await uploads.wait()
      report.add("upload", since: second, by: ProcessorTime.now(), units: requests * 30)
      report.add("memory", bytes: heap_bytes() - before, units: size)
      await opened.close()
      report.print()
    }

    private func open(_ uploads: Uploads) throws -> ActivityLog {
      try ActivityLog(
        path: path,
        uploading: ActivityUpload(
          Request(method: .post, authority: "log.example.com", path: "/activity"), batchCount: 30),
        over: uploads, limits: ActivityLimits(count: 1_000_000_000, bytes: 1 << 40)
      ) { "" }
    }
  }

  /// Accepts a number of uploads, and holds the next one until its task is cancelled.
  private final class Uploads: Dispatcher {
    private let left: Atomic<Int>
    private let ended = AsyncStream.makeStream(of: Void.self)

    init(_ count: Int) { left = Atomic(count) }

    func wait() async { for await _ in ended.stream {} }

    func dispatch(_ request: Request) async throws(NetworkError) -> Response {
      if left.subtract(1, ordering: .relaxed).newValue >= 0 { return Response(status: .ok) }
      ended.continuation.finish()
      do { try await Task.sleep(for: .seconds(3_600)) } catch {}
      throw NetworkError(.transport, "The load has ended.")
    }
  }
}
