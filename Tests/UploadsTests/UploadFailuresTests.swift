import HTTPTypes
import Interception
import Testing

@testable import Uploads

@Suite("The failures of an upload")
struct UploadFailuresTests {
  private static let lost = NetworkError(.transport, "The connection was lost.")

  private static func status(_ code: Int, _ fields: HTTPFields = [:]) -> NetworkError {
    .upload(.status(HTTPResponse(status: .init(code: code), headerFields: fields)))
  }

  private func moment(
    _ offset: Int64 = 0, remaining: Duration? = nil, random: Double = 1
  ) -> UploadFailures.Moment {
    UploadFailures.Moment(
      offset: offset, remaining: remaining, now: WallTime(secondsSince1970: 784_111_777), random: random)
  }

  @Test("The limit of the wait doubles up to its maximum, and the last failure in a row ends the run")
  func row() {
    var failures = UploadFailures(UploadPolicy(maximumWait: .seconds(5)))
    let decisions = (0..<5).map { _ in failures.decide(on: Self.lost, at: moment()) }
    #expect(
      decisions == [
        .retry(after: .seconds(1)), .retry(after: .seconds(2)), .retry(after: .seconds(4)),
        .retry(after: .seconds(5)), .end(.noAttemptsLeft),
      ])
    #expect(failures.survived == 4)
    var random = UploadFailures(UploadPolicy())
    #expect(random.decide(on: Self.lost, at: moment(random: 0.25)) == .retry(after: .milliseconds(250)))
  }

  @Test("Further content that the server has stored begins a new row")
  func progress() {
    let step = UploadFailures.progress
    var failures = UploadFailures(UploadPolicy(failureLimit: 2))
    for number in 1...20 {
      #expect(failures.decide(on: Self.lost, at: moment(step * Int64(number))) == .retry(after: .seconds(1)))
    }
    #expect(failures.decide(on: Self.lost, at: moment(step * 21 - 1)) == .end(.noAttemptsLeft))
    // An upload that is begun anew, and breaks at the same place.
    var repeating = UploadFailures(UploadPolicy(failureLimit: 3))
    let decisions = [step, 0, step].map { repeating.decide(on: Self.lost, at: moment($0)) }
    #expect(decisions.last == .end(.noAttemptsLeft))
  }

  @Test(
    "Only failures of the network may pass by themselves",
    arguments: [
      (.resolve, true), (.connect, true), (.transport, true), (.timeout(.idle), true),
      (.timeout(.whole), true), (.timeout(.call), false), (.timeout(.queue), false), (.offline, false),
      (.cancelled(.task), false), (.tls(.expired), false), (.protocolViolation, false), (.rejected, false),
      (.invalidRequest, false),
    ] as [(NetworkError.Kind, Bool)])
  func kinds(kind: NetworkError.Kind, mayPass: Bool) {
    #expect(UploadFailures.mayPass(NetworkError(kind, "It failed.")) == mayPass)
  }

  @Test("The wait that the server asks for is added, up to a limit")
  func retryAfter() {
    var failures = UploadFailures(UploadPolicy())
    #expect(
      failures.decide(on: Self.status(429, [.retryAfter: "7"]), at: moment()) == .retry(after: .seconds(8)))
    #expect(
      failures.decide(on: Self.status(503, [.retryAfter: "61"]), at: moment()) == .end(.retryAfterTooLong))
  }

  @Test("A refusal of the chain for the origin ends the run, and the end of its own attempts doesn't")
  func refusals() {
    for refusal in Exchange.RetryRefusal.allCases {
      var failures = UploadFailures(UploadPolicy())
      var error = Self.lost
      error.retryRefusal = refusal
      let ends: Set<Exchange.RetryRefusal> = [.budgetSpent, .circuitOpen, .noTimeLeft, .retryAfterTooLong]
      #expect(
        failures.decide(on: error, at: moment())
          == (ends.contains(refusal) ? .end(refusal) : .retry(after: .seconds(1))))
    }
  }

  @Test("No wait exceeds the time that is left of the call, and one attempt has none")
  func limits() {
    var failures = UploadFailures(UploadPolicy())
    #expect(failures.decide(on: Self.lost, at: moment(remaining: .seconds(1))) == .end(.noTimeLeft))
    var once = UploadFailures(.oneAttempt)
    #expect(once.decide(on: Self.lost, at: moment()) == .end(nil))
    #expect(UploadPolicy(failureLimit: -3, maximumRequestSize: 0).maximumRequestSize == 1)
    #expect(UploadPolicy(failureLimit: -3).failureLimit == 1)
  }
}
