import HTTPTypes
import Interception
import Testing

@Suite("The failures of a transfer that resumes")
struct TransferFailuresTests {
  private static let lost = NetworkError(.transport, "The connection was lost.")

  private func failures(_ limit: Int = 5, maximumWait: Duration = .seconds(30)) -> TransferFailures {
    TransferFailures(
      .init(failures: limit, firstWait: .seconds(1), maximumWait: maximumWait, retryAfter: .seconds(60)))
  }

  private func moment(
    _ offset: Int64 = 0, canResume: Bool = true, remaining: Duration? = nil, random: Double = 1
  ) -> TransferFailures.Moment {
    TransferFailures.Moment(
      offset: offset, canResume: canResume, remaining: remaining,
      now: WallTime(secondsSince1970: 784_111_777), random: random)
  }

  private func decide(
    _ failures: inout TransferFailures, _ moment: TransferFailures.Moment
  ) -> TransferFailures.Decision { failures.decide(on: Self.lost, response: nil, at: moment) }

  @Test("The limit of the wait doubles up to its maximum, and the last failure in a row ends the run")
  func row() {
    var failures = failures(maximumWait: .seconds(5))
    let decisions = (0..<5).map { _ in decide(&failures, moment()) }
    #expect(
      decisions == [
        .retry(after: .seconds(1)), .retry(after: .seconds(2)), .retry(after: .seconds(4)),
        .retry(after: .seconds(5)), .end(.noAttemptsLeft),
      ])
    #expect(failures.survived == 4)
    var random = self.failures()
    #expect(decide(&random, moment(random: 0.25)) == .retry(after: .milliseconds(250)))
  }

  @Test("Further content begins a new row, and the same content again doesn't")
  func progress() {
    let step = TransferFailures.progress
    var failures = failures(2)
    for number in 1...20 {
      #expect(decide(&failures, moment(step * Int64(number))) == .retry(after: .seconds(1)))
    }
    #expect(decide(&failures, moment(step * 21 - 1)) == .end(.noAttemptsLeft))
    // A transfer that is begun anew, and breaks at the same place.
    var repeating = self.failures(3)
    let decisions = [step, 0, step].map { decide(&repeating, moment($0)) }
    #expect(decisions.last == .end(.noAttemptsLeft) && repeating.survived == 2)
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
    #expect(TransferFailures.mayPass(NetworkError(kind, "It failed.")) == mayPass)
  }

  @Test(
    "The wait that the server asks for is added, up to a limit",
    arguments: [
      ([:], .retry(after: .seconds(1))), ([.retryAfter: "7"], .retry(after: .seconds(8))),
      ([.retryAfter: "61"], .end(.retryAfterTooLong)),
    ] as [(HTTPFields, TransferFailures.Decision)])
  func retryAfter(fields: HTTPFields, decision: TransferFailures.Decision) {
    var failures = failures()
    let head = HTTPResponse(status: .serviceUnavailable, headerFields: fields)
    #expect(
      failures.decide(on: NetworkError(.rejected, "Busy."), response: head, at: moment()) == decision)
  }

  @Test("What cannot be resumed is transferred again up to 1 MiB")
  func withoutVersion() {
    for (offset, isSurvived) in [(Int64(1 << 20), true), (1 << 20 + 1, false)] {
      var failures = failures()
      #expect(
        decide(&failures, moment(offset, canResume: false))
          == (isSurvived ? .retry(after: .seconds(1)) : .end(.partlyTransferred)))
    }
  }

  @Test("A refusal of the chain for the origin ends the run, and the end of its own attempts doesn't")
  func refusals() {
    for refusal in Exchange.RetryRefusal.allCases {
      var failures = failures()
      var error = Self.lost
      error.retryRefusal = refusal
      let ends: Set<Exchange.RetryRefusal> = [.budgetSpent, .circuitOpen, .noTimeLeft, .retryAfterTooLong]
      #expect(
        failures.decide(on: error, response: nil, at: moment())
          == (ends.contains(refusal) ? .end(refusal) : .retry(after: .seconds(1))))
    }
  }

  @Test("No wait exceeds the time that is left of the call, and one attempt has none")
  func limits() {
    var failures = failures()
    #expect(decide(&failures, moment(remaining: .seconds(1))) == .end(.noTimeLeft))
    #expect(decide(&failures, moment(remaining: .seconds(3))) == .retry(after: .seconds(2)))
    var once = self.failures(1)
    #expect(decide(&once, moment()) == .end(nil))
  }

  @Test("A request is given what is left of the call, and never nothing")
  func limited() {
    let request = Request(authority: "api.test", path: "/")
    #expect(request.limited(to: nil).options.timeouts.call == nil)
    #expect(request.limited(to: .seconds(3)).options.timeouts.call == .seconds(3))
    #expect(request.limited(to: .seconds(-3)).options.timeouts.call == .milliseconds(1))
  }
}
