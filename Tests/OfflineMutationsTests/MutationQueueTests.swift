#if SQLite
import CommandRunning
import DurableQueues
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import OfflineMutations

@Suite(.timeLimit(.minutes(5))) struct MutationQueueTests {
  @Test("A mutation is delivered with its key, content, API and partition, and leaves the queue")
  func delivery() async throws {
    let fixture = try QueueFixture()
    let queue = try fixture.open()
    fixture.logIn("ann", queue)
    let changes = queue.changes
    var request = fixture.request("/favorites/42?source=list", body: "{\"on\":true}")
    request.head.headerFields[.contentType] = "application/json"
    request.context.api = APIIdentity(service: "estate", name: "favorite")
    request.context.partition = "ann"
    let mutation = try await queue.enqueue(request, resource: "favorites/42", idempotencyKey: "k1")
    #expect(try await queue.pending() == [mutation] && queue.pendingCount == 1)
    queue.start()
    #expect(await changes.summaries(2) == ["enqueued k1", "delivered k1 200"])
    let sent = try #require(fixture.sent.value.first)
    #expect(sent.head.method == .put && sent.head.path == "/favorites/42?source=list")
    #expect(sent.head.headerFields.first { $0.name.canonicalName == "idempotency-key" }?.value == "\"k1\"")
    #expect(sent.head.headerFields[.contentType] == "application/json")
    #expect(sent.body.bytes.map { String(decoding: $0, as: UTF8.self) } == "{\"on\":true}")
    #expect(sent.context.api == request.context.api && sent.context.partition == "ann")
    #expect(queue.pendingCount == 0)
    #expect(try await queue.pending().isEmpty)
    await queue.close()
  }

  @Test(
    "Without a network nothing is sent, and what waits is sent in order when it returns, after a restart too")
  func offline() async throws {
    let fixture = try QueueFixture()
    var queue = try fixture.open()
    queue.networkDidChange(isAvailable: false)
    queue.start()
    for number in 0..<5 {
      try await queue.enqueue(fixture.request("/a/\(number)"), resource: "a")
    }
    #expect(fixture.sent.value.isEmpty && queue.pendingCount == 5)
    await queue.close()
    queue = try fixture.open()
    queue.networkDidChange(isAvailable: false)
    queue.start()
    try await queue.enqueue(fixture.request("/a/5"), resource: "a")
    #expect(fixture.sent.value.isEmpty)
    queue.networkDidChange(isAvailable: true)
    try await fixture.waitForRequests(6)
    #expect(fixture.paths == (0..<6).map { "/a/\($0)" })
    await queue.close()
  }

  @Test("A temporary failure delays the resource's mutations and keeps their order and keys")
  func temporaryFailure() async throws {
    let fixture = try QueueFixture { request, number throws(NetworkError) in
      if number == 1 { throw NetworkError(.transport, "", requestMayHaveBeenProcessed: true) }
      return Response(status: number == 2 ? .serviceUnavailable : .ok)
    }
    let queue = try fixture.open()
    let changes = queue.changes
    try await queue.enqueue(fixture.request("/a/1"), resource: "a", idempotencyKey: "k1")
    try await queue.enqueue(fixture.request("/a/2"), resource: "a", idempotencyKey: "k2")
    queue.start()
    try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .milliseconds(500))
    try await fixture.waitForRequests(2)
    #expect(try await queue.pending().first?.attempts == 2)
    try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(1))
    #expect(
      await changes.summaries(6) == [
        "enqueued k1", "enqueued k2", "delayed k1 transport", "delayed k1 status 503", "delivered k1 200",
        "delivered k2 200",
      ])
    #expect(fixture.paths == ["/a/1", "/a/1", "/a/1", "/a/2"])
    await queue.close()
  }

  @Test("A refused mutation is set aside and reported, and the next one is sent")
  func rejected() async throws {
    let fixture = try QueueFixture { request, _ throws(NetworkError) in
      if request.head.path == "/a/bad" { throw NetworkError(.invalidRequest, "") }
      return Response(status: request.head.path == "/a/1" ? .conflict : .ok)
    }
    var queue = try fixture.open()
    let changes = queue.changes
    for (key, path) in [("k1", "/a/1"), ("k2", "/a/bad"), ("k3", "/a/3")] {
      try await queue.enqueue(fixture.request(path), resource: "a", idempotencyKey: key)
    }
    queue.start()
    #expect(
      await changes.summaries(6).suffix(3)
        == ["rejected k1 status 409", "rejected k2 invalid_request", "delivered k3 200"])
    await queue.close()
    queue = try fixture.open()
    #expect(try await queue.rejected().map(\.reason) == ["status 409", "invalid_request"])
    try await queue.discardRejected("k1")
    #expect(try await queue.rejected().map(\.id) == ["k2"])
    try await queue.discardRejected()
    #expect(try await queue.rejected().isEmpty)
    await queue.close()
  }

  @Test("I7: A mutation is sent only while its account uses the app, in order, after a restart too")
  func accounts() async throws {
    let gate = WaitableValue(false)
    let fixture = try QueueFixture { request, number throws(NetworkError) in
      // The first request is in flight when its account leaves.
      if number == 1 {
        do { try await gate.wait { $0 } } catch { throw NetworkError(.cancelled(.task), "") }
      }
      return Response(status: request.head.path == "/ann/2" ? .unprocessableContent : .ok)
    }
    func sent(_ account: String) -> [String?] {
      fixture.sent.value.filter { $0.context.partition == account }.map(\.head.path)
    }
    var queue = try fixture.open()
    fixture.logIn("ann", queue)
    queue.start()
    for number in 1...3 {
      try await queue.enqueue(fixture.request("/ann/\(number)", account: "ann"), resource: "a")
    }
    try await queue.enqueue(fixture.request("/bob/1", account: "bob"), resource: "a")
    try await fixture.waitForRequests(1)
    fixture.logIn("", queue)
    await queue.close()

    queue = try fixture.open()
    queue.start()
    fixture.logIn("bob", queue)
    try await fixture.waitForRequests(2)
    try await waitUntil("three mutations are pending") { queue.pendingCount == 3 }
    #expect(sent("ann") == ["/ann/1"] && sent("bob") == ["/bob/1"])
    #expect(try await queue.pending().map(\.partition) == ["ann", "ann", "ann"])
    fixture.logIn("ann", queue)
    try await waitUntil("no mutation is pending") { queue.pendingCount == 0 }
    #expect(sent("ann") == ["/ann/1", "/ann/1", "/ann/2", "/ann/3"] && sent("bob") == ["/bob/1"])
    let keys = fixture.sent.value.filter { $0.head.path == "/ann/1" }.map {
      $0.head.headerFields.first { $0.name.canonicalName == "idempotency-key" }?.value
    }
    #expect(keys[0] != nil && keys[0] == keys[1])
    #expect(try await queue.rejected().map(\.reason) == ["status 422"])
    await queue.close()
  }

  @Test("A 409 to a repeated key makes the mutation wait, and other conflicts refuse it")
  func beingProcessed() async throws {
    let fixture = try QueueFixture { request, number throws(NetworkError) in
      if request.head.path == "/b" { return Response(status: .conflict) }
      switch number {
      case 1: throw NetworkError(.transport, "", requestMayHaveBeenProcessed: true)
      case 2: return Response(status: .conflict)
      default: return Response(status: .ok)
      }
    }
    let queue = try fixture.open()
    let changes = queue.changes
    try await queue.enqueue(fixture.request("/a"), resource: "a", idempotencyKey: "k1")
    queue.start()
    for seconds in [1, 2] {
      try await fixture.clock.waitForSleepers()
      fixture.clock.advance(by: .seconds(seconds))
    }
    #expect(
      await changes.summaries(4)
        == ["enqueued k1", "delayed k1 transport", "delayed k1 status 409", "delivered k1 200"])
    try await queue.enqueue(fixture.request("/b"), resource: "b", idempotencyKey: "k2")
    #expect(await changes.summaries(2) == ["enqueued k2", "rejected k2 status 409"])
    await queue.close()
  }

  @Test("A 409 is the API's own if no earlier attempt may have reached the server, after a restart too")
  func conflictAfterUnsentAttempts() async throws {
    let fixture = try QueueFixture { _, number throws(NetworkError) in
      switch number {
      case 1: throw NetworkError(.connect, "")
      case 2:
        // In flight when the queue is closed, and not sent yet.
        try? await TestClock().sleep(for: .seconds(3_600))
        throw NetworkError(.cancelled(.task), "")
      default: return Response(status: .conflict)
      }
    }
    var queue = try fixture.open()
    try await queue.enqueue(fixture.request("/a"), resource: "a", idempotencyKey: "k1")
    queue.start()
    try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(1))
    try await fixture.waitForRequests(2)
    await queue.close()
    queue = try fixture.open()
    #expect(try await queue.pending().map(\.attempts) == [0])
    let changes = queue.changes
    queue.start()
    #expect(await changes.summaries(1) == ["rejected k1 status 409"])
    #expect(try await queue.rejected().map(\.mutation.attempts) == [1])
    await queue.close()
  }

  @Test("A 409 makes a mutation wait whose interrupted attempt may have reached the server")
  func conflictAfterInterruption() async throws {
    let fixture = try QueueFixture { _, number throws(NetworkError) in
      switch number {
      case 1:
        try? await TestClock().sleep(for: .seconds(3_600))
        throw NetworkError(.cancelled(.task), "", requestMayHaveBeenProcessed: true)
      case 2: return Response(status: .conflict)
      default: return Response(status: .ok)
      }
    }
    var queue = try fixture.open()
    try await queue.enqueue(fixture.request("/a"), resource: "a", idempotencyKey: "k1")
    queue.start()
    try await fixture.waitForRequests(1)
    await queue.close()
    queue = try fixture.open()
    let changes = queue.changes
    queue.start()
    try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(1))
    #expect(await changes.summaries(2) == ["delayed k1 status 409", "delivered k1 200"])
    await queue.close()
  }

  @Test("A mutation without a partition belongs to the account that uses the app when it is enqueued")
  func currentAccount() async throws {
    let fixture = try QueueFixture()
    let queue = try fixture.open()
    fixture.logIn("ann", queue)
    queue.networkDidChange(isAvailable: false)
    queue.start()
    #expect(try await queue.enqueue(fixture.request("/ann"), resource: "a").partition == "ann")
    fixture.logIn("bob", queue)
    #expect(try await queue.enqueue(fixture.request("/bob"), resource: "a").partition == "bob")
    queue.networkDidChange(isAvailable: true)
    try await fixture.waitForRequests(1)
    #expect(fixture.paths == ["/bob"])
    try await waitUntil("one mutation is pending") { queue.pendingCount == 1 }
    fixture.logIn("ann", queue)
    try await fixture.waitForRequests(2)
    #expect(fixture.sent.value.map(\.context.partition) == ["bob", "ann"])
    await queue.close()
  }

  private struct Authorizing: Request.IdentityProvider {
    let traits = InterceptorTraits(stage: .authorization)
    let account: Request.Identity

    func identity(for request: Request) -> Request.Identity? { account }

    func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
      try await next.dispatch(request)
    }
  }

  @Test("A queue without an account refuses what its pipeline would send on behalf of one, with the remedy")
  func accountOfThePipeline() async throws {
    let fixture = try QueueFixture()
    var pipeline = try Pipeline(over: ScriptedDispatcher()) { Authorizing(account: .account("ann")) }
    var queue = try MutationQueue(path: fixture.path, over: pipeline) { "" }
    let error = await #expect(throws: QueueError.self) {
      try await queue.enqueue(fixture.request("/a"), resource: "a")
    }
    #expect(error?.kind == .invalid && error?.description.contains("`account`") == true)
    try await queue.enqueue(fixture.request("/a", account: "ann"), resource: "a")
    #expect(queue.pendingCount == 1)
    await queue.close()
    // A login without a name is the app's only one.
    pipeline = try Pipeline(over: ScriptedDispatcher()) { Authorizing(account: .unnamed()) }
    queue = try MutationQueue(path: fixture.path, over: pipeline) { "" }
    try await queue.enqueue(fixture.request("/a"), resource: "a")
    #expect(queue.pendingCount == 2)
    await queue.close()
  }

  @Test("A response that an interceptor refuses is reported after a number of attempts, and stops no other")
  func refusedAnswer() async throws {
    let fixture = try QueueFixture { request, _ throws(NetworkError) in
      guard request.head.path == "/a/1" else { return Response(status: .ok) }
      throw NetworkError(.rejected, "The response is not valid.", requestMayHaveBeenProcessed: true)
    }
    let queue = try fixture.open()
    let changes = queue.changes
    try await queue.enqueue(fixture.request("/a/1"), resource: "a", idempotencyKey: "k1")
    try await queue.enqueue(fixture.request("/a/2"), resource: "a", idempotencyKey: "k2")
    try await queue.enqueue(fixture.request("/b"), resource: "b", idempotencyKey: "k3")
    queue.start()
    try await fixture.sent.wait { $0.contains { $0.head.path == "/b" } }
    try await waitUntil("two mutations are pending") { queue.pendingCount == 2 }
    try await waitUntil("no mutation is pending") {
      guard queue.pendingCount > 0 else { return true }
      fixture.clock.advance(by: .seconds(300))
      return false
    }
    var summaries = await changes.summaries(15)
    summaries.removeAll { $0 == "delayed k1 rejected" }
    #expect(
      Set(summaries) == [
        "enqueued k1", "enqueued k2", "enqueued k3", "delivered k3 200", "rejected k1 rejected",
        "delivered k2 200",
      ])
    #expect(fixture.paths.count { $0 == "/a/1" } == 10)
    await queue.close()
  }

  @Test("A cancelled mutation is never sent, also after a restart; one that is being sent isn't cancelled")
  func cancelling() async throws {
    let gate = WaitableValue(false)
    let fixture = try QueueFixture { request, number throws(NetworkError) in
      if number == 1, (try? await gate.wait { $0 }) == nil { throw NetworkError(.cancelled(.task), "") }
      return Response(status: .ok)
    }
    var queue = try fixture.open()
    for key in ["k1", "k2", "k3"] {
      try await queue.enqueue(fixture.request("/\(key)"), resource: "a", idempotencyKey: key)
    }
    #expect(try await queue.cancel("k2"))
    #expect(try await !queue.cancel("k2"))
    #expect(try await !queue.cancel("unknown"))
    queue.start()
    try await fixture.waitForRequests(1)
    #expect(try await !queue.cancel("k1"))
    await queue.close()
    gate.update { $0 = true }
    queue = try fixture.open()
    #expect(try await queue.pending().map(\.id) == ["k1", "k3"])
    queue.start()
    try await fixture.waitForRequests(3)
    #expect(fixture.paths == ["/k1", "/k1", "/k3"])
    await queue.close()
  }

  @Test(
    "A field that is a credential by the common list, the pipeline's or the request's own is refused",
    arguments: ["X-Vault-Token", "X-Shop-Key", "X-Tenant-Pass"])
  func credentials(name: String) async throws {
    let fixture = try QueueFixture()
    let sent = ScriptedDispatcher()
    let pipeline = try Pipeline(over: sent, credentialFields: ["X-Shop-Key"]) { [any Interceptor]() }
    let queue = try MutationQueue(path: fixture.path, over: pipeline, account: { "ann" })
    var request = fixture.request("/a", account: "ann")
    request.context.credentialFields.insert(try #require(HTTPField.Name("X-Tenant-Pass")))
    try await queue.enqueue(request, resource: "a")
    request.head.headerFields[try #require(HTTPField.Name(name))] = "s3cret"
    let error = await #expect(throws: QueueError.self) {
      try await queue.enqueue(request, resource: "a")
    }
    #expect(error?.kind == .invalid && error?.description.contains("s3cret") == false)
    #expect(error?.description.contains("has the field \(name.lowercased()),") == true)
    #expect(queue.pendingCount == 1)
    await queue.close()
  }

  @Test("A request with credentials, an incomplete URL or a bad key is refused with a remedy, and not stored")
  func invalidRequests() async throws {
    let fixture = try QueueFixture()
    let queue = try fixture.open(limits: MutationLimits(count: 1, bodyBytes: 100))
    func refusal(_ request: Request, resource: String = "a", key: String? = nil) async -> QueueError? {
      do throws(QueueError) {
        try await queue.enqueue(request, resource: resource, idempotencyKey: key)
        return nil
      } catch { return error }
    }
    for field in [HTTPField.Name.authorization, .cookie, .proxyAuthorization] {
      var request = fixture.request("/a")
      request.head.headerFields[field] = "secret"
      let error = await refusal(request)
      #expect(error?.kind == .invalid && error?.description.contains("at delivery") == true)
      #expect(error?.description.contains("secret") == false)
    }
    var trailed = fixture.request("/a")
    trailed.trailers = RequestTrailers([.eTag]) { [:] }
    #expect(await refusal(trailed)?.description.contains("has trailer fields, and a queue stores") == true)
    let user = Request(method: .put, authority: "user:secret@api.example.com", path: "/a")
    #expect(await refusal(user)?.kind == .invalid)
    for key in ["", "a\"b", "a\nb", String(repeating: "x", count: 257)] {
      #expect(await refusal(fixture.request("/a"), key: key)?.kind == .invalid)
    }
    for resource in ["", "a\u{0}b", String(repeating: "x", count: 257)] {
      #expect(await refusal(fixture.request("/a"), resource: resource)?.kind == .invalid)
    }
    var tunnel = fixture.request("/a")
    tunnel.head.method = .connect
    tunnel.head.extendedConnectProtocol = "websocket"
    #expect(await refusal(tunnel)?.description.contains("opens a tunnel") == true)
    var upgrade = fixture.request("/a")
    upgrade.context.upgrade = "websocket"
    #expect(await refusal(upgrade)?.description.contains("another protocol") == true)
    let long = fixture.request("/a", body: String(repeating: "x", count: 101))
    #expect(await refusal(long)?.kind == .tooLarge)
    #expect(try await queue.pending().isEmpty)
    #expect(await refusal(fixture.request("/a"), key: "k1") == nil)
    // The same request with the same key again is the same mutation.
    #expect(
      try await queue.enqueue(fixture.request("/a"), resource: "a", idempotencyKey: "k1").resource == "a")
    for (path, account) in [("/other", ""), ("/a", "ann")] {
      let error = await refusal(fixture.request(path, account: account), key: "k1")
      #expect(error?.kind == .keyInUse && error?.description.contains("\"k1\"") == true)
      let owner = account.isEmpty ? "another request, for \"a\"," : "a request of another account,"
      #expect(error?.description.contains(owner) == true)
    }
    #expect(await refusal(fixture.request("/b"))?.kind == .queueFull)
    #expect(queue.pendingCount == 1)
    await queue.close()
    #expect(await refusal(fixture.request("/c"))?.kind == .file(.closed))
  }

  @Test("A file has one owner, and a file that is not a database is set aside")
  func files() async throws {
    let fixture = try QueueFixture()
    try Data(repeating: 7, count: 9_000).write(to: URL(filePath: fixture.path))
    let queue = try fixture.open()
    #expect(queue.damagedFile?.contains(".damaged-1700000000") == true)
    let error = #expect(throws: QueueError.self) { try fixture.open() }
    #expect(error?.kind == .file(.occupied))
    await queue.close()
    #expect(try fixture.open().damagedFile == nil)
  }

  @Test("A mutation is stored whole, and each changed or missing byte is noticed")
  func record() throws {
    var request = try QueueFixture().request("/a?b=c", body: "content")
    request.head.headerFields = [.contentType: "text/plain", .accept: "*/*"]
    request.context.api = APIIdentity(service: "s", name: "n")
    request.head.headerFields.append(HTTPField(name: .contentDisposition, value: [0x4A, 0xE9] as [UInt8]))
    let mutation = Mutation(
      request, resource: "a", id: "k", body: Array("content".utf8), time: QueueFixture.start)
    let record = mutation.record
    #expect(try Mutation(record: record, attempts: 0) == mutation)
    let restored = try Mutation(record: record, attempts: 0)
    #expect(restored.head.headerFields.bytes(of: .contentDisposition) == [0x4A, 0xE9])
    var other = request
    other.head.headerFields[fields: .contentDisposition] = [
      HTTPField(name: .contentDisposition, value: [0x4A, 0xE8] as [UInt8])
    ]
    #expect(
      !mutation.isSameRequest(
        as: Mutation(other, resource: "a", id: "k", body: Array("content".utf8), time: QueueFixture.start)))
    for index in record.indices {
      var changed = record
      changed[index] ^= 1
      #expect(throws: RecordDamage.self) { try Mutation(record: changed, attempts: 0) }
      #expect(throws: RecordDamage.self) { try Mutation(record: Array(record[..<index]), attempts: 0) }
    }
  }
}
#endif
