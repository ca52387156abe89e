/// An https origin whose HTTPS records are asked for.
struct ServiceName: Sendable, Hashable {
  /// The host in lowercase.
  let host: String
  let port: Int

  /// The name that has the records (RFC 9460, section 9.1), as messages have it; nil if it is no name of DNS.
  var queryName: [UInt8]? { NameMessage.name(of: port == 443 ? host : "_\(port)._https.\(host)") }
}

/// Decides how long requests wait for the HTTPS records of an origin whose addresses are known.
///
/// The time begins when the first of them has its addresses, and is the same for all: a server that does not
/// answer delays no request that begins later.
struct ServiceWait: Sendable {
  /// The maximum time; that for which a client waits for the second kind of addresses (RFC 8305, section 3).
  static let limit = Duration.milliseconds(50)

  private var end: Duration?

  /// Returns how long a request waits that has its addresses now.
  mutating func remaining(at now: Duration) -> Duration {
    let end = end ?? now + Self.limit
    self.end = end
    return max(.zero, end - now)
  }
}

/// The HTTPS records that were looked up, for as long as they are valid, and the questions under way.
///
/// They belong to no partition: the question is the same for all of them, and the answer tells servers no
/// more about a user than the addresses do, which all partitions share as well.
struct ServiceCache: Sendable {
  private struct Question: Sendable {
    let number: UInt64
    var wait = ServiceWait()
    var waiters: [AsyncStream<Void>.Continuation] = []
  }

  private var entries = FreshEntries<ServiceName, HTTPService>(limit: NameCache.limit)
  private var questions: [ServiceName: Question] = [:]
  private var lastNumber: UInt64 = 0

  /// Returns the service of an origin; nil if it is not known, or no longer.
  func service(_ name: ServiceName, at now: Duration) -> HTTPService? {
    entries[name].flatMap { now < $0.freshUntil ? $0.value : nil }
  }

  /// Returns the number of a question that has to be asked now; nil if the service is known, or is being
  /// asked for.
  mutating func begin(_ name: ServiceName, at now: Duration) -> UInt64? {
    guard questions[name] == nil, service(name, at: now) == nil else { return nil }
    lastNumber += 1
    questions[name] = Question(number: lastNumber)
    return lastNumber
  }

  /// Lets a request wait for the answer to a question; nil if there is none, or it has lasted too long.
  ///
  /// - Parameter waiter: Finished when there is an answer.
  mutating func wait(
    for name: ServiceName, _ waiter: AsyncStream<Void>.Continuation, at now: Duration
  ) -> Duration? {
    guard let remaining = questions[name]?.wait.remaining(at: now), remaining > .zero else { return nil }
    questions[name]?.waiters.append(waiter)
    return remaining
  }

  /// Ends a question, and returns who waits for it; an answer that was asked for in an earlier network is
  /// ignored.
  ///
  /// - Parameters:
  ///   - service: What was found; nothing after a failure, which is remembered as well, so that it is not
  ///     repeated with each request.
  ///   - timeToLive: The time for which it is valid; nil without records.
  mutating func end(
    _ name: ServiceName, _ number: UInt64, _ service: HTTPService, timeToLive: Duration?, at now: Duration
  ) -> [AsyncStream<Void>.Continuation] {
    guard let question = questions[name], question.number == number else { return [] }
    questions[name] = nil
    entries.store(service, for: name, until: now + NameCache.lifetime(of: timeToLive), at: now)
    return question.waiters
  }

  /// Forgets all records and questions, because another network may have others; returns who waits.
  mutating func networkDidChange() -> [AsyncStream<Void>.Continuation] {
    let waiters = questions.values.flatMap(\.waiters)
    questions = [:]
    entries.removeAll()
    return waiters
  }
}
