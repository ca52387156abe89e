import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import APIManagers

@Suite(.timeLimit(.minutes(5))) struct TagRegistryTests {
  @Test(
    "A reader receives those of its tags that a mutation makes stale, after stored responses were removed")
  func invalidation() async throws {
    let log = WaitableValue<[String]>([])
    let tags = TagRegistry { stale in
      log.update { $0.append("wipe " + stale.map(\.name).sorted().joined(separator: " ")) }
    }
    let houses = tags.invalidations(of: ["houses", "house 7"])
    let weather = tags.invalidations(of: ["weather"])
    let reader = Task {
      var read: [Set<DataTag>] = []
      for await stale in houses {
        log.update { $0.append("read") }
        read.append(stale)
      }
      return read
    }
    try await tags.mutation(of: ["houses", "favourites"]) { () async throws in }
    try await log.wait { $0.contains("read") }
    #expect(log.value == ["wipe favourites houses", "read"])
    reader.cancel()
    #expect(await reader.value == [["houses"]])
    await tags.invalidate(["weather"])
    var iterator = weather.makeAsyncIterator()
    #expect(await iterator.next() == ["weather"])
  }

  @Test("Tags that become stale before they are read are returned together")
  func together() async {
    let tags = TagRegistry()
    var stale = tags.invalidations(of: ["a", "b", "c"]).makeAsyncIterator()
    await tags.invalidate(["a"])
    await tags.invalidate(["b", "x"])
    await tags.invalidate(["a"])
    await tags.invalidate([])
    #expect(await stale.next() == ["a", "b"])
    await tags.invalidate(["c"])
    #expect(await stale.next() == ["c"])
  }

  @Test("A released reader is removed, and the sequences end with the registry")
  func ending() async {
    var tags: TagRegistry? = TagRegistry()
    do {
      var stale = tags?.invalidations(of: ["a"]).makeAsyncIterator()
      await tags?.invalidate(["a"])
      #expect(await stale?.next() == ["a"])
      #expect(tags?.readerCount == 1)
      stale = nil
    }
    #expect(tags?.readerCount == 0)
    var stale = tags?.invalidations(of: ["a"]).makeAsyncIterator()
    tags = nil
    #expect(await stale?.next() == nil)
  }

  /// An error of a mutation, and whether the server may have performed the mutation.
  struct Outcome: Sendable {
    let error: any Error
    let mayHavePerformed: Bool
  }

  static func apiError(
    _ kind: APIError.Kind, request: RequestID? = .next(), status: HTTPResponse.Status? = nil,
    cause: NetworkError? = nil
  ) -> APIError {
    APIError(
      kind, HouseList.identity, reason: "", request: request,
      response: status.map { APIResponse(api: HouseList.identity, status: $0, bytes: []) }, cause: cause)
  }

  @Test(
    "A mutation that failed invalidates its tags unless the server certainly didn't perform it",
    arguments: [
      Outcome(error: apiError(.status(409), status: .conflict), mayHavePerformed: false),
      Outcome(error: apiError(.status(503), status: .serviceUnavailable), mayHavePerformed: true),
      Outcome(error: apiError(.invalidResponse, status: .ok), mayHavePerformed: true),
      Outcome(error: apiError(.offline, request: nil), mayHavePerformed: false),
      Outcome(error: apiError(.cancelled), mayHavePerformed: true),
      Outcome(error: apiError(.vetoed(by: "hook"), request: nil), mayHavePerformed: true),
      Outcome(
        error: apiError(.network(.connect), cause: NetworkError(.connect, "")), mayHavePerformed: false),
      Outcome(
        error: apiError(
          .timeout(.whole), cause: NetworkError(.timeout(.whole), "", requestMayHaveBeenProcessed: true)),
        mayHavePerformed: true),
      Outcome(error: NetworkError(.connect, ""), mayHavePerformed: false),
      Outcome(
        error: NetworkError(.transport, "", requestMayHaveBeenProcessed: true), mayHavePerformed: true),
      Outcome(error: ParamsError("name it"), mayHavePerformed: false),
      Outcome(error: PageFailure(), mayHavePerformed: true),
    ])
  func failures(outcome: Outcome) async {
    let wiped = WaitableValue(0)
    let tags = TagRegistry { _ in wiped.update { $0 += 1 } }
    await #expect(throws: (any Error).self) {
      try await tags.mutation(of: ["houses"]) { () async throws in throw outcome.error }
    }
    #expect((wiped.value == 1) == outcome.mayHavePerformed)
  }
}
