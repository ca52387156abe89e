import HTTPTypes
import Interception
import Testing

@testable import Simulation

@Suite("FreshnessOracle") struct FreshnessOracleTests {
  private static let name = "/me/7 of ann"

  private static func content(version: Int) -> Content {
    Content(resource: name, version: version, owner: "ann", language: "")
  }

  @Test(
    "A caller knows of the writes before it, which may have ended at the same instant",
    arguments: [
      // The position of a read among the ends of writes, which are at 1 and 3, and what it knows of.
      (0, nil), (2, 2), (4, 3),
    ] as [(Int, Int?)])
  func order(read position: Int, version: Int?) {
    var oracle = FreshnessOracle()
    for (number, position) in [1, 3].enumerated() {
      oracle.wrote(
        Self.content(version: number + 2), at: Moment(time: .seconds(8), position: position))
    }
    let start = Moment(time: .seconds(8), position: position)
    #expect(oracle.versionWritten(Self.name, before: start) == version)
    #expect(oracle.versionWritten("/me/6 of ann", before: start) == nil)
  }

  @Test("Writes whose ends are in another order than their versions leave the newest one known")
  func newest() {
    var oracle = FreshnessOracle()
    for (position, version) in [(1, 3), (2, 2)] {
      oracle.wrote(Self.content(version: version), at: Moment(time: .zero, position: position))
    }
    #expect(oracle.versionWritten(Self.name, before: Moment(time: .zero, position: 3)) == 3)
  }

  @Test(
    "The age of what an earlier process has stored is unknown once the clock was set, also at the same instant",
    arguments: [(1, false), (3, true)])
  func restart(reply position: Int, isJudged: Bool) {
    var oracle = FreshnessOracle()
    oracle.clockWasSet()
    let fields: HTTPFields = [FreshnessOracle.stampField: "1", .cacheControl: "max-age=5"]
    oracle.replied(
      Response(status: .ok, headerFields: fields), to: Request(authority: "api.example", path: "/me/7"),
      at: Moment(time: .seconds(8), position: position))
    oracle.restarted(at: Moment(time: .seconds(8), position: 2))
    var response = Response(status: .ok, headerFields: fields)
    response.exchange.cache = .hit(ttl: 1)
    let fault = oracle.fault(of: response, for: Call(path: "/me/7"), at: .seconds(60))
    #expect((fault != nil) == isJudged)
  }
}
