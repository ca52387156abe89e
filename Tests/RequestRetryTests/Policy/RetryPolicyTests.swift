import Interception
import Testing

@testable import RequestRetry

@Suite struct RetryPolicyTests {
  private func question(
    _ outcome: AttemptOutcome, attempt: Int = 1, isIdempotent: Bool = true, isReplayable: Bool = true,
    remaining: Duration? = nil, canWaitForNetwork: Bool = false
  ) -> RetryQuestion {
    RetryQuestion(
      outcome: outcome, attempt: attempt, isIdempotent: isIdempotent, isReplayable: isReplayable,
      remaining: remaining, canWaitForNetwork: canWaitForNetwork, random: 0)
  }

  private static let unavailable = AttemptOutcome.response(status: 503, retryAfter: nil)

  @Test("The statuses that are retried by default")
  func statuses() {
    let retried = (100...599).filter {
      RetryPolicy().decide(question(.response(status: $0, retryAfter: nil))) == .retry(after: .zero)
    }
    #expect(retried == [408, 429, 502, 503, 504])
  }

  @Test(
    "The failures that are retried by default",
    arguments: [
      NetworkError.Kind.resolve, .connect, .transport, .timeout(.connect), .timeout(.firstByte),
      .timeout(.idle), .timeout(.whole),
    ])
  func failures(_ kind: NetworkError.Kind) {
    let outcome = AttemptOutcome.failure(kind, mayHaveBeenProcessed: true)
    #expect(RetryPolicy().decide(question(outcome)) == .retry(after: .zero))
  }

  @Test(
    "The failures that are not retried by default",
    arguments: [
      NetworkError.Kind.invalidRequest, .offline, .proxyAuthentication, .tls(.untrusted), .tls(.handshake),
      .timeout(.queue), .timeout(.call), .queueFull, .descriptorsExhausted, .unsupported, .protocolViolation,
      .bodyNotReplayable, .bodyTooLarge(limit: 1), .rejected, .notStored, .cancelled(.task),
      .cancelled(.shutdown),
    ])
  func otherFailures(_ kind: NetworkError.Kind) {
    let outcome = AttemptOutcome.failure(kind, mayHaveBeenProcessed: false)
    #expect(RetryPolicy().decide(question(outcome)) == .notListed)
  }

  @Test("An app can change the tables, but no table retries what must not be retried")
  func ownTables() {
    var policy = RetryPolicy()
    policy.statuses = [200, 500]
    policy.failures = [
      .protocolViolation, .cancelled(.task), .cancelled(.shutdown), .timeout(.call), .bodyNotReplayable,
    ]
    #expect(policy.decide(question(.response(status: 500, retryAfter: nil))) == .retry(after: .zero))
    #expect(policy.decide(question(.response(status: 200, retryAfter: nil))) == .notListed)
    #expect(policy.decide(question(Self.unavailable)) == .notListed)
    for kind in policy.failures {
      let decision = policy.decide(question(.failure(kind, mayHaveBeenProcessed: false)))
      #expect(decision == (kind == .protocolViolation ? .retry(after: .zero) : .notListed))
    }
  }

  @Test("Being offline is retried only with a way to wait for the network")
  func offline() {
    let outcome = AttemptOutcome.failure(.offline, mayHaveBeenProcessed: false)
    #expect(RetryPolicy().decide(question(outcome)) == .notListed)
    #expect(RetryPolicy().decide(question(outcome, canWaitForNetwork: true)) == .retry(after: .zero))
  }

  @Test("Each condition has its own reason for giving up")
  func reasons() {
    let policy = RetryPolicy()
    #expect(policy.decide(question(Self.unavailable, attempt: 3)) == .giveUp(.noAttemptsLeft))
    #expect(policy.decide(question(Self.unavailable, isIdempotent: false)) == .giveUp(.notIdempotent))
    #expect(policy.decide(question(Self.unavailable, isReplayable: false)) == .giveUp(.bodyNotReplayable))
    let late = AttemptOutcome.response(status: 503, retryAfter: .seconds(61))
    #expect(policy.decide(question(late)) == .giveUp(.retryAfterTooLong))
    #expect(policy.decide(question(Self.unavailable, remaining: .zero)) == .giveUp(.noTimeLeft))
    let refused = AttemptOutcome.failure(.connect, mayHaveBeenProcessed: false)
    #expect(policy.decide(question(refused, isIdempotent: false)) == .retry(after: .zero))
    let lost = AttemptOutcome.failure(.transport, mayHaveBeenProcessed: true)
    #expect(policy.decide(question(lost, isIdempotent: false)) == .giveUp(.notIdempotent))
  }

  @Test("A transfer that progressed is repeated neither for the limit of the attempt nor from far on")
  func progress() {
    func decision(_ kind: NetworkError.Kind, sent: Int64 = 0, received: Int64 = 0) -> RetryDecision {
      let progress = NetworkError.Progress(sentBytes: sent, receivedBytes: received)
      return RetryPolicy().decide(
        question(.failure(kind, mayHaveBeenProcessed: true, progress: progress)))
    }
    #expect(decision(.timeout(.whole)) == .retry(after: .zero))
    #expect(decision(.timeout(.whole), received: 1) == .giveUp(.partlyTransferred))
    #expect(decision(.timeout(.whole), sent: 1) == .giveUp(.partlyTransferred))
    for kind in [NetworkError.Kind.transport, .timeout(.idle)] {
      #expect(decision(kind, sent: 2 << 20, received: 1 << 20) == .retry(after: .zero))
      #expect(decision(kind, received: 1 << 20 + 1) == .giveUp(.partlyTransferred))
    }
  }

  @Test("Retry-After is added to the back-off, and both must fit into the time left")
  func retryAfter() {
    let policy = RetryPolicy()
    var question = question(.response(status: 429, retryAfter: .seconds(5)))
    question.random = 0.5
    #expect(policy.decide(question) == .retry(after: .seconds(5) + .milliseconds(100)))
    question.remaining = .seconds(5) + .milliseconds(100)
    #expect(policy.decide(question) == .giveUp(.noTimeLeft))
    question.remaining = .seconds(5) + .milliseconds(101)
    #expect(policy.decide(question) == .retry(after: .seconds(5) + .milliseconds(100)))
  }

  @Test("Limits of zero or less mean a single attempt", arguments: [1, 0, -1, Int.min])
  func noAttempts(limit: Int) {
    #expect(
      RetryPolicy(attemptLimit: limit).decide(question(Self.unavailable)) == .giveUp(.noAttemptsLeft))
  }

  @Test("A Retry-After date far in the future is a wait that no policy allows")
  func farFuture() throws {
    let wait = try #require(
      RetryAfter.wait(
        "Fri, 31 Dec 9999 23:59:59 GMT", date: "Thu, 01 Jan 1970 00:00:00 GMT",
        now: WallTime(secondsSince1970: 1_700_000_000)))
    let late = AttemptOutcome.response(status: 503, retryAfter: wait)
    #expect(RetryPolicy().decide(question(late)) == .giveUp(.retryAfterTooLong))
  }
}
