import Interception
import Testing

@testable import Simulation

@Suite("AttemptOracle") struct AttemptOracleTests {
  /// What happens to the requests of an origin, one event after the other at the same instant.
  private struct Events {
    var oracle = AttemptOracle()
    private var position = 0

    private mutating func moment() -> Moment {
      position += 1
      return Moment(time: .seconds(8), position: position)
    }

    mutating func end(_ ending: AttemptOracle.Ending) -> RequestID {
      let id = Request(authority: "api.example", path: "/").id
      oracle.ended(id, ending, at: moment())
      return id
    }

    mutating func connect(_ id: RequestID? = nil, attempt: Int = 1) -> String? {
      oracle.connects(
        id ?? Request(authority: "api.example", path: "/").id, attempt: attempt, at: moment())
    }
  }

  @Test(
    "A success returns a part of a token to the retries after it only",
    arguments: [
      // How many successes there are, before which of the retries of a full budget and one more.
      (0, 2, true), (10, 0, true), (10, 1, false), (10, 3, false), (10, 4, true), (9, 2, true),
    ])
  func budget(successes: Int, place: Int, isExceeded: Bool) {
    var events = Events()
    for retry in 0...(AttemptOracle.budgetCapacity + 1) {
      if retry == place { for _ in 0..<successes { _ = events.end(.response) } }
      guard retry <= AttemptOracle.budgetCapacity else { break }
      let id = events.end(.other)
      _ = events.connect(id, attempt: 2)
    }
    #expect((events.oracle.budgetFault() != nil) == isExceeded)
  }

  @Test("A circuit is open for what connects after the last failure, and not for what connected before it")
  func failures() {
    var events = Events()
    for _ in 1..<AttemptOracle.failureLimit { _ = events.end(.noConnection) }
    #expect(events.connect() == nil)
    _ = events.end(.noConnection)
    // The trial, and one too many.
    #expect(events.connect() == nil)
    #expect(events.connect() != nil)
  }
}
