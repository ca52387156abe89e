import HTTPTypes
import Interception
import Testing

@testable import RequestSigning

@Suite struct ClockSkewTests {
  private static let now = WallTime(secondsSince1970: 1_700_000_000)

  private static func refusal(
    _ status: HTTPResponse.Status = .unauthorized, ahead seconds: Int64, age: String? = nil,
    cache: Exchange.CacheStatus? = nil
  ) -> Response {
    var fields: HTTPFields = [.date: HTTPDate.format(now.advanced(by: .seconds(seconds)))]
    fields[.age] = age
    return Response(
      HTTPResponse(status: status, headerFields: fields), exchange: Exchange(attempts: 1, cache: cache))
  }

  static let answers: [(String, Response, Duration?)] = [
    ("a clock one hour slow", refusal(ahead: 3_600), .seconds(3_600)),
    ("a clock one hour fast", refusal(ahead: -3_600), .seconds(-3_600)),
    ("a 403", refusal(.forbidden, ahead: 3_600), .seconds(3_600)),
    ("a 400", refusal(.badRequest, ahead: 3_600), nil),
    ("a success", refusal(.ok, ahead: 3_600), nil),
    ("a skew of half the window", refusal(ahead: 150), nil),
    ("a skew just beyond it", refusal(ahead: 151), .seconds(151)),
    ("a whole day", refusal(ahead: 86_400), .seconds(86_400)),
    ("more than a day", refusal(ahead: 86_401), nil),
    ("a cached response", refusal(ahead: -3_600, cache: .hit(ttl: 5)), nil),
    (
      "a response forwarded by the cache",
      refusal(ahead: -3_600, cache: .forwarded(.uriMiss, stored: false)),
      .seconds(-3_600)
    ),
    ("a response cached by a proxy", refusal(ahead: -3_600, age: "3600"), nil),
    ("an age of zero", refusal(ahead: 3_600, age: "0"), .seconds(3_600)),
    ("no date", Response(status: .unauthorized), nil),
    ("a malformed date", Response(status: .unauthorized, headerFields: [.date: "yesterday"]), nil),
  ]

  @Test("The date of a refusal shows whether the clock is wrong", arguments: answers)
  func correction(_ what: String, _ response: Response, _ expected: Duration?) {
    let skew = ClockSkew(limit: .seconds(86_400))
    #expect(skew.correction(for: response, offset: .zero, now: Self.now) == expected, "\(what)")
  }

  @Test("An offset that was already applied isn't the reason again")
  func appliedOffset() {
    let skew = ClockSkew(limit: .seconds(86_400))
    let response = Self.refusal(ahead: 3_600)
    #expect(skew.correction(for: response, offset: .seconds(3_600), now: Self.now) == nil)
    #expect(skew.correction(for: response, offset: .seconds(7_200), now: Self.now) == .seconds(3_600))
  }

  @Test("A clock that has been corrected resets the offset")
  func correctedClock() {
    let skew = ClockSkew(limit: .seconds(86_400))
    let response = Self.refusal(ahead: 0)
    #expect(skew.correction(for: response, offset: .seconds(3_600), now: Self.now) == .zero)
  }

  @Test("A limit of zero disables the correction")
  func disabled() {
    #expect(
      ClockSkew(limit: .zero).correction(for: Self.refusal(ahead: 3_600), offset: .zero, now: Self.now) == nil
    )
  }

  @Test("A shorter window of the verifier makes smaller differences a reason for a refusal")
  func shortWindow() {
    let skew = ClockSkew(limit: .seconds(86_400), window: .seconds(30))
    for (seconds, expected) in [(15, nil), (16, .seconds(16)), (100, .seconds(100))] as [(Int64, Duration?)] {
      #expect(
        skew.correction(for: Self.refusal(ahead: seconds), offset: .zero, now: Self.now) == expected)
    }
  }

  @Test("The number of stored offsets is bounded")
  func boundedOffsets() {
    let offsets = ClockOffsets()
    for number in 0..<(ClockOffsets.capacity * 3) { offsets.learn(.seconds(1), for: "\(number).example") }
    let known = (0..<(ClockOffsets.capacity * 3)).count { offsets["\($0).example"] != .zero }
    #expect(known == ClockOffsets.capacity)
    #expect(offsets["\(ClockOffsets.capacity * 3 - 1).example"] == .seconds(1))
  }
}
