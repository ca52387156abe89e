#if SQLite
import CommandRunning
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import OfflineMutations

/// Waits belong to the origin, the resource or the file that caused them.
@Suite(.timeLimit(.minutes(5))) struct MutationOriginTests {
  private static let kinds: [NetworkError.Kind] = [
    .resolve, .connect, .timeout(.connect), .tls(.handshake), .transport,
  ]

  @Test("A host that can't be reached holds up no mutation for another host", arguments: kinds)
  func deadHost(_ kind: NetworkError.Kind) async throws {
    let fixture = try QueueFixture { request, _ throws(NetworkError) in
      guard request.head.authority == "dead.example" else { return Response(status: .ok) }
      throw NetworkError(kind, "The host can't be reached.")
    }
    let queue = try fixture.open(limits: MutationLimits(inFlight: 2))
    queue.start()
    for number in 0..<6 {
      var request = fixture.request("/dead/\(number)")
      request.head.authority = "dead.example"
      try await queue.enqueue(request, resource: "dead/\(number)")
    }
    try await fixture.waitForRequests(1)
    for number in 0..<20 {
      try await queue.enqueue(fixture.request("/live/\(number)"), resource: "live/\(number % 3)")
    }
    // The clock stands still: no wait has ended.
    try await waitUntil("the mutations for the other host are delivered") { queue.pendingCount == 6 }
    #expect(fixture.paths.filter { $0.hasPrefix("/live") }.count == 20)
    #expect(fixture.paths.filter { $0.hasPrefix("/dead") }.count <= 2)
    await queue.close()
  }

  @Test("Hosts hold up no others while their requests hang")
  func hangingHost() async throws {
    let fixture = try QueueFixture { request, _ throws(NetworkError) in
      guard request.head.authority == "dead.example" else { return Response(status: .ok) }
      do { try await Task.sleep(for: .seconds(3_600)) } catch {  // clock: until it is cancelled
        throw NetworkError(.cancelled(.task), "The request was cancelled.")
      }
      return Response(status: .ok)
    }
    let queue = try fixture.open(limits: MutationLimits(inFlight: 2))
    queue.start()
    for number in 0..<6 {
      var request = fixture.request("/dead/\(number)")
      request.head.authority = "dead.example"
      try await queue.enqueue(request, resource: "dead/\(number)")
    }
    try await fixture.waitForRequests(2)
    try await queue.enqueue(fixture.request("/live"), resource: "live")
    try await waitUntil("the mutation for the other host is delivered") { queue.pendingCount == 6 }
    #expect(fixture.paths.filter { $0.hasPrefix("/dead") }.count == 2)
    await queue.close()
  }

  @Test("After a mutation is cancelled, the next one of its resource has all attempts of its own")
  func cancelledAfterRefusals() async throws {
    let fixture = try QueueFixture { _, _ throws(NetworkError) in
      throw NetworkError(.unsupported, "The response was refused.", requestMayHaveBeenProcessed: true)
    }
    let queue = try fixture.open()
    let changes = queue.changes
    queue.start()
    let first = try await queue.enqueue(fixture.request("/a/1"), resource: "a", idempotencyKey: "k1")
    try await queue.enqueue(fixture.request("/a/2"), resource: "a", idempotencyKey: "k2")
    for number in 1..<MutationLines.maximumRefusals {
      try await fixture.waitForRequests(number)
      try await fixture.clock.waitForSleepers()
      if number < MutationLines.maximumRefusals - 1 { fixture.clock.advance(by: .seconds(301)) }
    }
    #expect(try await queue.cancel(first.id))
    for number in 1...MutationLines.maximumRefusals {
      try await fixture.waitForRequests(MutationLines.maximumRefusals - 1 + number)
      if number == MutationLines.maximumRefusals { break }
      try await fixture.clock.waitForSleepers()
      fixture.clock.advance(by: .seconds(301))
    }
    let summaries = await changes.summaries(2 + 9 + 1 + 9 + 1)
    #expect(summaries.last?.hasPrefix("rejected k2") == true)
    #expect(summaries.filter { $0.hasPrefix("delayed k2") }.count == MutationLines.maximumRefusals - 1)
    await queue.close()
  }

  @Test("A queue whose folder is deleted says so for new mutations and for those that wait, and sends none")
  func deletedFolder() async throws {
    let fixture = try QueueFixture()
    let folder = fixture.folder.url.appending(path: "queue").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let queue = try fixture.open(at: folder + "/mutations.sqlite")
    let changes = queue.changes
    try await queue.enqueue(fixture.request("/a"), resource: "a", idempotencyKey: "k1")
    try FileManager.default.removeItem(atPath: folder)
    let error = await #expect(throws: QueueError.self) {
      try await queue.enqueue(fixture.request("/b"), resource: "b")
    }
    #expect(error?.kind == .file(.replaced) && error?.description.contains(folder) == true)
    queue.start()
    let summaries = await changes.summaries(2)
    #expect(summaries.first == "enqueued k1")
    #expect(summaries.last?.hasPrefix("delayed k1 The queue file \"\(folder)") == true)
    #expect(fixture.sent.value.isEmpty && queue.pendingCount == 1)
    await queue.close()
  }
}
#endif
