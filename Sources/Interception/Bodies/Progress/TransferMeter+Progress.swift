extension TransferMeter {
  /// The progress of a body's transfer.
  public struct Progress: Sendable, Hashable {
    /// The direction of a transfer.
    public enum Direction: Sendable, Hashable {
      /// A request's body, sent to the server.
      case upload
      /// A response's body, received from the server.
      case download
    }

    /// The direction of the transfer.
    public let direction: Direction
    /// The number of bytes so far; for an upload, those read by the transport, which may not have reached the
    /// server.
    public let bytes: Int64
    /// The total number of bytes, or nil if it is not known in advance.
    public let total: Int64?

    /// Creates a progress value.
    public init(_ direction: Direction, bytes: Int64, total: Int64?) {
      self.direction = direction
      self.bytes = bytes
      self.total = total
    }

    /// The completed fraction, from 0 to 1, or nil if the total is unknown.
    public var fraction: Double? {
      guard let total else { return nil }
      return total > 0 ? min(Double(bytes) / Double(total), 1) : 1
    }
  }
}
