import Synchronization

/// Distributes the requests of a load to the senders, and counts the responses.
public final class Tally: Sendable {
  private let left: Atomic<Int>
  private let answered = Atomic(0)
  private let failed = Atomic(0)
  private let bytes = Atomic(0)
  private let firstFailure = Mutex<String?>(nil)
  private let lastProtocol = Mutex("-")

  /// Creates a tally of `requests` requests.
  public init(requests: Int) { left = Atomic(requests) }

  /// Takes one request to send; false once all are taken.
  public func take() -> Bool { left.subtract(1, ordering: .relaxed).newValue >= 0 }

  /// Adds the counts of one sender.
  ///
  /// Each sender counts by itself and calls this once, so that senders don't contend for a counter.
  public func note(answered: Int, bytes: Int, over protocolName: String) {
    self.answered.add(answered, ordering: .relaxed)
    self.bytes.add(bytes, ordering: .relaxed)
    if answered > 0 { lastProtocol.withLock { $0 = protocolName } }
  }

  /// Counts a request that failed.
  public func noteFailure(_ sentence: String) {
    failed.add(1, ordering: .relaxed)
    firstFailure.withLock { if $0 == nil { $0 = sentence } }
  }

  /// Returns the counts as a report.
  public func report(seconds: Double) -> PeerReport {
    PeerReport(
      answered: answered.load(ordering: .relaxed), failed: failed.load(ordering: .relaxed),
      bytes: bytes.load(ordering: .relaxed), seconds: seconds,
      protocolName: lastProtocol.withLock { $0 }, failure: firstFailure.withLock { $0 })
  }
}
