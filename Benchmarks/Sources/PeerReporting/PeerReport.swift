import Foundation

/// The report that a peer prints when it ends, as one line of `name=value` pairs.
public struct PeerReport: Sendable, Equatable {
  /// The number of requests with a complete response of status 200.
  public var answered: Int
  /// The number of other requests.
  public var failed: Int
  /// The number of bytes in the response bodies.
  public var bytes: Int
  /// The time from the first measured request to the last response.
  public var seconds: Double
  /// `h1`, `h2`, or `-` if unknown to the peer.
  public var protocolName: String
  /// The maximum number of transfers for one storm of identical requests; nil for other loads.
  public var transfers: Int?
  /// The time of as many calls of the load's base, which the same process measures; nil for other loads.
  public var baseSeconds: Double?
  /// The median of the times of single calls; nil for other loads.
  public var medianSeconds: Double?
  /// The time that one of a hundred calls exceeds; nil for other loads.
  public var slowSeconds: Double?
  /// The greatest size of a memory store in bytes; nil for other loads.
  public var memoryBytes: Int?
  /// What the process used of the processor in that time; nil if it was not measured.
  public var use: ProcessorUse?
  /// The first failure, if any.
  public var failure: String?

  /// Creates a report.
  public init(
    answered: Int, failed: Int, bytes: Int, seconds: Double, protocolName: String, transfers: Int? = nil,
    baseSeconds: Double? = nil, medianSeconds: Double? = nil, memoryBytes: Int? = nil,
    failure: String? = nil
  ) {
    self.answered = answered
    self.failed = failed
    self.bytes = bytes
    self.seconds = seconds
    self.protocolName = protocolName
    self.transfers = transfers
    self.baseSeconds = baseSeconds
    self.medianSeconds = medianSeconds
    self.memoryBytes = memoryBytes
    self.failure = failure
  }

  /// Prints the line, and the first failure to standard error.
  public func print() {
    if let failure {
      FileHandle.standardError.write(Data("the first failure: \(failure)\n".utf8))
    }
    Swift.print(
      "answered=\(answered) failed=\(failed) bytes=\(bytes) seconds=\(seconds) protocol=\(protocolName) "
        + "peak-kib=\(PeakMemory.kibibytes() ?? 0)" + (transfers.map { " transfers=\($0)" } ?? "")
        + (baseSeconds.map { " base-seconds=\($0)" } ?? "")
        + (medianSeconds.map { " median-seconds=\($0)" } ?? "")
        + (slowSeconds.map { " slow-seconds=\($0)" } ?? "")
        + (memoryBytes.map { " memory-bytes=\($0)" } ?? "")
        + (use.map { " cpu-seconds=\($0.seconds) switches=\($0.switches)" } ?? ""))
  }
}
