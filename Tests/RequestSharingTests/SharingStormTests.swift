import Interception
import RequestFlights
import SwitchyardTesting
import Testing

@testable import RequestSharing

@Suite("Many requests at once share flights", .timeLimit(.minutes(5)))
struct SharingStormTests {
  private typealias Fixture = SharingFixture

  @Test("1,000 identical requests make one transfer")
  func storm() async throws {
    let fixture = try Fixture()
    let tasks = (0..<1_000).map { _ in fixture.send() }
    try await fixture.waitUntilWaiting(1_000)
    fixture.open()
    var attempts = 0
    for task in tasks {
      let result = await task.value
      #expect(result.text == "/houses")
      attempts += result.exchange?.attempts ?? 0
    }
    #expect(attempts == 1)
    #expect(fixture.server.requests.count == 1)
    #expect(fixture.sharing.registry.isEmpty)
  }

  @Test("Random cancellations end exactly the cancelled requests, and the others receive their own response")
  func randomCancellations() async throws {
    for seed in UInt64(0)..<20 {
      var random = SeededRandom(seed: seed)
      let fixture = try Fixture()
      let paths = (0..<60).map { _ in "/\(Int.random(in: 0..<4, using: &random))" }
      let tasks = paths.map { fixture.send(Fixture.request($0)) }
      try await fixture.waitUntilWaiting(tasks.count)
      let cancelled = Set(tasks.indices.filter { _ in Double.random(in: 0..<1, using: &random) < 0.8 })
      for index in cancelled.shuffled(using: &random) { tasks[index].cancel() }
      // The cancelled ones end while all flights are still held.
      for index in cancelled { #expect(await tasks[index].value.failure?.kind == .cancelled(.task)) }
      let abandoned = Set(paths).subtracting(
        tasks.indices.filter { !cancelled.contains($0) }.map { paths[$0] })
      // A request is on the way for each path of which not all requests were cancelled.
      try await waitUntil("the requests of the other paths are on the way") {
        fixture.gate.value.onTheWay.values.reduce(0, +) == Set(paths).count - abandoned.count
      }
      let sent = fixture.gate.value.cancelled + Set(paths).count - abandoned.count
      fixture.open()
      for (index, task) in tasks.enumerated() where !cancelled.contains(index) {
        #expect(await task.value.text == paths[index], "seed \(seed)")
      }
      #expect(fixture.server.requests.count == sent, "seed \(seed)")
      #expect(fixture.gate.value.maximumOnTheWay == 1, "seed \(seed)")
      #expect(fixture.sharing.registry.isEmpty, "seed \(seed)")
    }
  }

  @Test("Requests, cancellations and responses that race end every request once")
  func races() async throws {
    for seed in UInt64(0)..<20 {
      var random = SeededRandom(seed: seed)
      let fixture = try Fixture()
      var tasks: [(path: String, isCancelled: Bool, task: Task<Result<Response, NetworkError>, Never>)] = []
      for step in 0..<80 {
        let path = "/\(Int.random(in: 0..<3, using: &random))"
        let task = fixture.send(Fixture.request(path))
        let isCancelled = Int.random(in: 0..<3, using: &random) == 0
        if isCancelled { task.cancel() }
        tasks.append((path, isCancelled, task))
        if Int.random(in: 0..<4, using: &random) == 0 { await Task.yield() }
        if step == 40 { fixture.open() }
      }
      for (path, isCancelled, task) in tasks {
        let result = await task.value
        if isCancelled, result.failure?.kind == .cancelled(.task) { continue }
        #expect(result.text == path, "seed \(seed)")
      }
      #expect(fixture.server.requests.count <= tasks.count)
      #expect(fixture.sharing.registry.isEmpty, "seed \(seed)")
    }
  }
}
