import Synchronization

/// Hands out the requests of a load to those who send them, and counts what came back.
public final class Tally: Sendable {
  private let left: Atomic<Int>
  private let answered = Atomic(0)
  private let failed = Atomic(0)
  private let bytes = Atomic(0)
  private let firstFailure = Mutex<String?>(nil)
  private let lastProtocol = Mutex("-")

  /// Makes a tally of `requests` to hand out.
  public init(requests: Int) { left = Atomic(requests) }

  /// Takes one request to send; false once all are taken.
  public func take() -> Bool { left.subtract(1, ordering: .relaxed).newValue >= 0 }

  /// Counts what one sender saw.
  ///
  /// A sender counts for itself and notes once, so that senders don't meet at a counter at each answer.
  public func note(answered: Int, bytes: Int, over protocolName: String) {
    self.answered.add(answered, ordering: .relaxed)
    self.bytes.add(bytes, ordering: .relaxed)
    if answered > 0 { lastProtocol.withLock { $0 = protocolName } }
  }

  /// Counts a request that was not answered as it should be.
  public func noteFailure(_ sentence: String) {
    failed.add(1, ordering: .relaxed)
    firstFailure.withLock { if $0 == nil { $0 = sentence } }
  }

  /// What was counted, as a report.
  public func report(seconds: Double) -> PeerReport {
    PeerReport(
      answered: answered.load(ordering: .relaxed), failed: failed.load(ordering: .relaxed),
      bytes: bytes.load(ordering: .relaxed), seconds: seconds,
      protocolName: lastProtocol.withLock { $0 }, failure: firstFailure.withLock { $0 })
  }
}
