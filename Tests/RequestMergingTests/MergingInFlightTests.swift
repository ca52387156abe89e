import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import RequestMerging

@Suite("Merging while in flight", .timeLimit(.minutes(5))) struct MergingInFlightTests {
  typealias Fixture = MergingFixture

  /// How the first batch ends.
  enum Ending: Sendable, CaseIterable { case success, failure, cancellation }

  /// A fixture without a window, whose server responds to a path when the test releases it.
  struct HeldServer {
    let fixture: MergingFixture
    let released: WaitableValue<Set<String>>

    /// Creates a server that fails for some paths.
    init(
      failing: Set<String> = [], ignoringCancellation: Bool = false,
      _ change: (inout MergeRule) -> Void = { _ in }
    ) throws {
      let released = WaitableValue<Set<String>>([])
      self.released = released
      fixture = try MergingFixture({
        $0.policy = .whileInFlight
        change(&$0)
      }) { request, _ throws(NetworkError) in
        let path = request.head.path ?? ""
        do {
          let release = Task { try await released.wait { $0.contains(path) } }
          if ignoringCancellation {
            _ = try await release.value
          } else {
            _ = try await withTaskCancellationHandler {
              try await release.value
            } onCancel: {
              release.cancel()
            }
          }
        } catch {
          throw NetworkError(.cancelled(.task), "The transfer was cancelled.")
        }
        if failing.contains(path) { throw NetworkError(.transport, "The connection broke.") }
        return MergingFixture.respond(request)
      }
    }

    func release(_ path: String) { released.update { _ = $0.insert(path) } }

    /// Returns when the server has received these paths, in any order, and no others.
    func waitForPaths(_ paths: String...) async throws {
      try await waitUntil("\(paths.count) transfers were begun") { fixture.paths.count >= paths.count }
      #expect(fixture.paths.sorted() == paths.sorted())
    }

    func send(
      _ ids: String..., change: (inout Request) -> Void = { _ in }
    ) async throws -> [Task<Result<Response, NetworkError>, Never>] {
      try await fixture.sendAll(ids.map { MergingFixture.request($0, change) })
    }
  }

  @Test(
    "J6: Requests that arrive while a batch is in flight form the next batch, however the first one ends",
    arguments: Ending.allCases)
  func nextBatch(ending: Ending) async throws {
    let held = try HeldServer(failing: ending == .failure ? ["/prices/1"] : [])
    // At once: the clock never advances.
    let first = try await held.send("1")
    try await held.waitForPaths("/prices/1")
    let gathered = try await held.send("2", "3", "4")

    // Of another account, and of another origin: they neither join nor wait.
    let account = try await held.send("5") { $0.context.partition = "account 7" }
    let origin = try await held.send("6") { $0.head.authority = "other.example" }
    try await held.waitForPaths("/prices/1", "/prices/5", "/prices/6")

    gathered[1].cancel()
    let cancelled = try #require(await gathered[1].value.failure)
    #expect(cancelled.kind == .cancelled(.task) && !cancelled.requestMayHaveBeenProcessed)

    if ending == .cancellation { first[0].cancel() } else { held.release("/prices/1") }
    let result = await first[0].value
    switch ending {
    case .success: #expect(result.text == "price of 1")
    case .failure: #expect(result.failure?.kind == .transport)
    case .cancellation: #expect(result.failure?.kind == .cancelled(.task))
    }
    try await held.waitForPaths("/prices/1", "/prices/5", "/prices/6", "/prices?ids=2,4")

    // And so on, until a batch ends that none waits for.
    let last = try await held.send("7")
    #expect(held.fixture.paths.count == 4)
    held.release("/prices?ids=2,4")
    #expect(await gathered[0].value.text == "price of 2")
    #expect(await gathered[2].value.text == "price of 4")
    for id in 5...7 { held.release("/prices/\(id)") }
    #expect(await account[0].value.text == "price of 5")
    #expect(await origin[0].value.text == "price of 6")
    #expect(await last[0].value.text == "price of 7")
    #expect(held.fixture.paths.last == "/prices/7")
    try await waitUntil("no batch is left") { held.fixture.merging.registry.isEmpty }

    let again = try await held.send("8")
    try await waitUntil("the next one is sent at once") { held.fixture.paths.last == "/prices/8" }
    held.release("/prices/8")
    #expect(await again[0].value.text == "price of 8")
  }

  /// What makes a batch be sent.
  enum Occasion: Sendable, CaseIterable { case window, fullness, success, cancellation }

  @Test(
    "A batch is sent with the highest task priority of its requests, whatever makes it be sent",
    arguments: Occasion.allCases,
    [[.low, .high], [.high, .low], [.low, .low], [.low, .medium, .low]] as [[TaskPriority]])
  func taskPriority(occasion: Occasion, priorities: [TaskPriority]) async throws {
    let highest = try #require(priorities.max())
    let seen = WaitableValue<[String: TaskPriority]>([:])
    let isReleased = WaitableValue(false)
    let fixture = try Fixture({ rule in
      switch occasion {
      case .window: break
      case .fullness: rule.maximumCount = priorities.count
      case .success, .cancellation: rule.policy = .whileInFlight
      }
    }) { request, _ throws(NetworkError) in
      let path = request.head.path ?? ""
      seen.update { $0[path] = Task.currentPriority }
      if path == "/prices/0" {
        do { try await isReleased.wait { $0 } } catch {
          throw NetworkError(.cancelled(.task), "The transfer was cancelled.")
        }
      }
      return MergingFixture.respond(request)
    }
    var tasks: [Task<Result<Response, NetworkError>, Never>] = []
    if occasion == .success || occasion == .cancellation {
      // The batch before has another priority than the one that is expected.
      tasks.append(fixture.send(Fixture.request("0"), priority: highest == .high ? .low : .high))
      try await seen.wait { $0["/prices/0"] != nil }
    }
    for (number, priority) in priorities.enumerated() {
      tasks.append(fixture.send(Fixture.request("\(number + 1)"), priority: priority))
      if occasion == .fullness, number == priorities.count - 1 { break }
      try await waitUntil("the request waits in a batch") {
        fixture.merging.registry.waitingCount >= tasks.count
      }
    }
    switch occasion {
    case .window: try await fixture.endWindow()
    case .fullness: break
    case .success: isReleased.update { $0 = true }
    case .cancellation: tasks[0].cancel()
    }
    // Awaiting a task's value raises its priority, so the batch's priority is read first.
    let path = "/prices?ids=" + (1...priorities.count).map(String.init).joined(separator: ",")
    let sent = try await seen.wait { $0[path] != nil }
    #expect(sent[path] == highest)
    for task in tasks.suffix(priorities.count) { #expect(await task.value.text?.hasPrefix("price") == true) }
    #expect(fixture.merging.registry.isEmpty)
  }

  @Test("Requests of two rules do not meet")
  func rules() async throws {
    let other = APIIdentity(service: "estate", name: "offers.one")
    var prices = Fixture.rule
    prices.policy = .whileInFlight
    let offers = MergeRule(
      of: other, policy: .whileInFlight, id: prices.id, combine: prices.combine, split: prices.split)
    let gate = WaitableValue(false)
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      _ = try? await gate.wait { $0 }
      return Fixture.respond(request)
    }
    let merging = MergingInterceptor(prices, offers)
    let pipeline = try Pipeline(over: server) { merging }
    let tasks = (1...2).map { number in
      Task {
        try await pipeline.send(
          Fixture.request("\(number)") { if number == 2 { $0.context.api = other } })
      }
    }
    try await waitUntil("both were sent at once") { server.requests.count == 2 }
    gate.update { $0 = true }
    for task in tasks { #expect(try await task.value.status == .ok) }
  }

  @Test("A gathered batch that is full is sent at once, and the next one waits for its end")
  func count() async throws {
    let held = try HeldServer { $0.maximumCount = 2 }
    var tasks = try await held.send("1", "2")
    try await held.waitForPaths("/prices/1")
    tasks += try await held.send("3", "4")
    try await held.waitForPaths("/prices/1", "/prices?ids=2,3")
    held.release("/prices/1")
    #expect(await tasks[0].value.text == "price of 1")
    #expect(held.fixture.paths.count == 2)
    held.release("/prices?ids=2,3")
    try await held.waitForPaths("/prices/1", "/prices?ids=2,3", "/prices/4")
    held.release("/prices/4")
    for (number, task) in tasks.enumerated() { #expect(await task.value.text == "price of \(number + 1)") }
    #expect(held.fixture.merging.registry.isEmpty)
  }

  @Test(
    "A request that does not fit in the gathered batch sends it at once, and is in the next one",
    arguments: [("20", "301", "4"), ("2", "3", "2")])
  func bytes(second: String, third: String, fourth: String) async throws {
    // Paths of 10 and 11 bytes fill a batch; an ID is in a batch once.
    let held = try HeldServer { $0.maximumBytes = 21 }
    let batch = "/prices?ids=\(second),\(third)"
    let tasks = try await held.send("1", second, third, fourth)
    try await held.waitForPaths("/prices/1", batch)
    held.release("/prices/1")
    #expect(await tasks[0].value.text == "price of 1")
    held.release(batch)
    try await held.waitForPaths("/prices/1", batch, "/prices/\(fourth)")
    held.release("/prices/\(fourth)")
    for (task, id) in zip(tasks, ["1", second, third, fourth]) {
      #expect(await task.value.text == "price of \(id)")
    }
    #expect(held.fixture.merging.registry.isEmpty)
  }

  @Test("A batch that all its requests have left has ended, even if the dispatcher is slow to react")
  func abandoned() async throws {
    let held = try HeldServer(ignoringCancellation: true)
    let first = try await held.send("1")
    try await held.waitForPaths("/prices/1")
    let gathered = try await held.send("2")
    first[0].cancel()
    #expect(await first[0].value.failure?.requestMayHaveBeenProcessed == true)
    try await held.waitForPaths("/prices/1", "/prices/2")
    held.release("/prices/2")
    #expect(await gathered[0].value.text == "price of 2")
    held.release("/prices/1")
    try await waitUntil("no batch is left") { held.fixture.merging.registry.isEmpty }
  }

  @Test("When all gathered requests were cancelled, the next one still waits for the batch in flight")
  func emptied() async throws {
    let held = try HeldServer()
    let first = try await held.send("1")
    try await held.waitForPaths("/prices/1")
    let gathered = try await held.send("2")
    gathered[0].cancel()
    #expect(await gathered[0].value.failure?.kind == .cancelled(.task))
    let next = try await held.send("3")
    #expect(held.fixture.paths == ["/prices/1"])
    held.release("/prices/1")
    #expect(await first[0].value.text == "price of 1")
    held.release("/prices/3")
    #expect(await next[0].value.text == "price of 3")
    #expect(held.fixture.paths == ["/prices/1", "/prices/3"])
  }
}
