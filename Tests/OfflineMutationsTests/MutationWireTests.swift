#if SQLite
import CommandRunning
import CurlTransport
import Foundation
import HTTPTypes
import Interception
import OfflineMutations
import QueueCrashing
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct MutationWireTests {
  @Test("H12: A mutation queued offline is delivered once, in order per resource, after a restart too")
  func offlineThenRestart() async throws {
    let folder = try TemporaryFolder(prefix: "mutations")
    let path = folder.url.appending(path: "mutations.sqlite").path
    let sink = try MutationSink(lossyEvery: 4)
    let dispatcher = CurlDispatcher()
    func open() throws -> MutationQueue {
      try MutationQueue(
        path: path, over: dispatcher, limits: MutationLimits(), time: .system, random: { 0.01 },
        account: { "" })
    }
    func enqueue(_ numbers: Range<Int>, in queue: MutationQueue) async throws {
      for number in numbers {
        let resource = "\(number % 3)"
        let request = Request(
          method: .post, scheme: "http", authority: "127.0.0.1:\(sink.port)", path: "/\(resource)",
          body: .text("\(number)"))
        try await queue.enqueue(request, resource: resource)
      }
    }
    var queue = try open()
    queue.networkDidChange(isAvailable: false)
    queue.start()
    try await enqueue(0..<10, in: queue)
    #expect(queue.pendingCount == 10 && sink.requests == 0)
    await queue.close()

    queue = try open()
    #expect(try await queue.pending().count == 10)
    let changes = queue.changes
    queue.start()
    try await enqueue(10..<30, in: queue)
    for await change in changes {
      if case .delivered = change, queue.pendingCount == 0 { break }
    }
    for resource in 0..<3 {
      let expected = (0..<30).filter { $0 % 3 == resource }.map { "\($0)" }
      #expect(sink.applied(at: "/\(resource)") == expected)
    }
    // A mutation whose response was lost was sent again with its key.
    #expect(sink.requests > 30)
    #expect(try await queue.pending().isEmpty)
    #expect(try await queue.rejected().isEmpty)
    await queue.close()
    await dispatcher.shutdown()
  }

  #if os(Linux)
  @Test("H12: After SIGKILL at each write, all that was enqueued is delivered once, in order per resource")
  func everyWrite() async throws {
    let sink = try MutationSink()
    let kills = try await CrashTrial.atEachChange { position in
      (
        try CrashTrial(.mutations, path: "/\(position)", port: sink.port),
        [.init(events: 4, .killBefore(position)), .init(events: 1)]
      )
    } check: { position, trial in
      #expect(trial.ended.last == true)
      #expect(trial.violations(delivered: sink.applied(at: trial.path)) == [], "SIGKILL at write \(position)")
    }
    #expect(kills > 40)
  }

  @Test("After SIGKILL at random moments, all that was enqueued is delivered once, in order per resource")
  func randomMoments() async throws {
    let sink = try MutationSink()
    var random = SeededRandom(seed: 12)
    for file in 0..<4 {
      var trial = try CrashTrial(.mutations, path: "/\(file)", port: sink.port)
      for _ in 0..<5 {
        let moment = Int.random(in: 1_000..<150_000, using: &random)
        try await trial.run(recorders: 3, events: 1_000_000, .killAfter(moment))
      }
      let isDrained = try await trial.run(events: 1)
      #expect(isDrained)
      #expect(trial.kills == 5)
      #expect(trial.violations(delivered: sink.applied(at: trial.path)) == [], "file \(file)")
    }
  }

  @Test("A full disk refuses mutations with an error, and loses none that was enqueued")
  func fullDisk() async throws {
    let sink = try MutationSink()
    for position in [30, 45, 60, 75] {
      var trial = try CrashTrial(.mutations, path: "/\(position)", port: sink.port)
      try await trial.run(recorders: 2, events: 6, .full(from: position, count: 6))
      #expect(Set(trial.refused).isSubset(of: ["full"]))
      try await trial.run(events: 1)
      #expect(trial.violations(delivered: sink.applied(at: trial.path)) == [], "full from \(position)")
      // What the server has accepted isn't sent again, even if that could not be stored at first.
      #expect(sink.requests(at: trial.path) == sink.applied(at: trial.path).count)
    }
  }
  #endif
}
#endif
