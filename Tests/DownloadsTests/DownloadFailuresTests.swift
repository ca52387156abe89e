import HTTPTypes
import Interception
import Testing

@testable import Downloads

@Suite("The failures of a download")
struct DownloadFailuresTests {
  private static let lost = NetworkError(.transport, "The connection was lost.")

  private static func status(_ code: Int, _ fields: HTTPFields = [:]) -> NetworkError {
    .download(.status(HTTPResponse(status: .init(code: code), headerFields: fields)))
  }

  private func moment(
    _ offset: Int64 = 0, canResume: Bool = true, remaining: Duration? = nil, random: Double = 1
  ) -> DownloadFailures.Moment {
    DownloadFailures.Moment(
      offset: offset, canResume: canResume, remaining: remaining,
      now: WallTime(secondsSince1970: 784_111_777), random: random)
  }

  @Test("The limit of the wait doubles up to its maximum, and the last failure in a row ends the run")
  func row() {
    var failures = DownloadFailures(DownloadPolicy(maximumWait: .seconds(5)), offset: 0)
    let decisions = (0..<5).map { _ in failures.decide(on: Self.lost, at: moment()) }
    #expect(
      decisions == [
        .retry(after: .seconds(1)), .retry(after: .seconds(2)), .retry(after: .seconds(4)),
        .retry(after: .seconds(5)), .end(.noAttemptsLeft),
      ])
    #expect(failures.survived == 4)
    var random = DownloadFailures(DownloadPolicy(), offset: 0)
    #expect(random.decide(on: Self.lost, at: moment(random: 0.25)) == .retry(after: .milliseconds(250)))
  }

  @Test("Further content begins a new row, and the same content again doesn't")
  func progress() {
    let step = DownloadFailures.progress
    var failures = DownloadFailures(DownloadPolicy(failureLimit: 2), offset: 0)
    for number in 1...20 {
      #expect(failures.decide(on: Self.lost, at: moment(step * Int64(number))) == .retry(after: .seconds(1)))
    }
    #expect(failures.decide(on: Self.lost, at: moment(step * 21 - 1)) == .end(.noAttemptsLeft))
    // A server that sends the whole content again and breaks at the same place.
    var repeating = DownloadFailures(DownloadPolicy(failureLimit: 3), offset: 0)
    let decisions = (0..<4).map { _ in repeating.decide(on: Self.lost, at: moment(step)) }
    #expect(decisions.last == .end(.noAttemptsLeft) && repeating.survived == 2)
  }

  @Test(
    "Only failures that may pass are survived",
    arguments: [
      (.resolve, true), (.connect, true), (.transport, true), (.timeout(.idle), true),
      (.timeout(.whole), true), (.timeout(.call), false), (.timeout(.queue), false), (.offline, false),
      (.cancelled(.task), false), (.tls(.expired), false), (.protocolViolation, false), (.rejected, false),
    ] as [(NetworkError.Kind, Bool)])
  func kinds(kind: NetworkError.Kind, isSurvived: Bool) {
    var failures = DownloadFailures(DownloadPolicy(), offset: 0)
    let decision = failures.decide(on: NetworkError(kind, "It failed."), at: moment())
    #expect(decision == (isSurvived ? .retry(after: .seconds(1)) : .end(nil)))
  }

  @Test(
    "Of statuses only those that may pass are survived, after the wait that the server asks for",
    arguments: [
      (503, [:], .retry(after: .seconds(1))), (429, [.retryAfter: "7"], .retry(after: .seconds(8))),
      (503, [.retryAfter: "61"], .end(.retryAfterTooLong)), (404, [:], .end(nil)), (500, [:], .end(nil)),
    ] as [(Int, HTTPFields, DownloadFailures.Decision)])
  func statuses(code: Int, fields: HTTPFields, decision: DownloadFailures.Decision) {
    var failures = DownloadFailures(DownloadPolicy(), offset: 0)
    #expect(failures.decide(on: Self.status(code, fields), at: moment()) == decision)
  }

  @Test("A fault of the disk ends the run", arguments: [DownloadFault.noSpace, .noPermission, .occupied])
  func disk(fault: DownloadFault) {
    var failures = DownloadFailures(DownloadPolicy(), offset: 0)
    #expect(failures.decide(on: .download(fault), at: moment()) == .end(nil))
  }

  @Test("Without a version, at most 1 MiB is transferred again")
  func withoutVersion() {
    for (offset, isSurvived) in [(Int64(1 << 20), true), (1 << 20 + 1, false)] {
      var failures = DownloadFailures(DownloadPolicy(), offset: 0)
      let decision = failures.decide(on: Self.lost, at: moment(offset, canResume: false))
      #expect(decision == (isSurvived ? .retry(after: .seconds(1)) : .end(.partlyTransferred)))
    }
  }

  @Test("A refusal of the chain for the origin ends the run, and the end of its own attempts doesn't")
  func refusals() {
    for refusal in Exchange.RetryRefusal.allCases {
      var failures = DownloadFailures(DownloadPolicy(), offset: 0)
      var error = Self.lost
      error.retryRefusal = refusal
      let ends: Set<Exchange.RetryRefusal> = [.budgetSpent, .circuitOpen, .noTimeLeft, .retryAfterTooLong]
      #expect(
        failures.decide(on: error, at: moment())
          == (ends.contains(refusal) ? .end(refusal) : .retry(after: .seconds(1))))
    }
  }

  @Test("No wait exceeds the time that is left of the call")
  func deadline() {
    var failures = DownloadFailures(DownloadPolicy(), offset: 0)
    #expect(failures.decide(on: Self.lost, at: moment(remaining: .seconds(1))) == .end(.noTimeLeft))
    #expect(failures.decide(on: Self.lost, at: moment(remaining: .seconds(3))) == .retry(after: .seconds(2)))
  }

  @Test("A policy of one attempt ends the run at once, without a reason")
  func oneAttempt() {
    var failures = DownloadFailures(.oneAttempt, offset: 0)
    #expect(failures.decide(on: Self.lost, at: moment()) == .end(nil))
    #expect(DownloadPolicy(failureLimit: -3).failureLimit == 1)
  }
}
