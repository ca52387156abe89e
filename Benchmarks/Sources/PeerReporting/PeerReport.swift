import Foundation

/// What a peer says at its end, as one line of `name=value` pairs.
public struct PeerReport: Sendable, Equatable {
  /// The requests that were answered whole with 200.
  public var answered: Int
  /// The others.
  public var failed: Int
  /// The bytes of the answers' bodies.
  public var bytes: Int
  /// The time from the first measured request to the last answer.
  public var seconds: Double
  /// `h1`, `h2`, or `-` where the peer can't tell.
  public var protocolName: String
  /// What went wrong first, if anything did.
  public var failure: String?

  /// Makes a report.
  public init(
    answered: Int, failed: Int, bytes: Int, seconds: Double, protocolName: String, failure: String? = nil
  ) {
    self.answered = answered
    self.failed = failed
    self.bytes = bytes
    self.seconds = seconds
    self.protocolName = protocolName
    self.failure = failure
  }

  /// Prints the line, and the first failure to standard error.
  public func print() {
    if let failure {
      FileHandle.standardError.write(Data("the first failure: \(failure)\n".utf8))
    }
    Swift.print(
      "answered=\(answered) failed=\(failed) bytes=\(bytes) seconds=\(seconds) protocol=\(protocolName) "
        + "peak-kib=\(PeakMemory.kibibytes() ?? 0)")
  }
}
