/// How far a body has come.
public struct TransferProgress: Sendable, Hashable {
  /// Which way a body goes.
  public enum Direction: Sendable, Hashable {
    /// A request's body, on its way to the server.
    case upload
    /// An answer's body, on its way to the caller.
    case download
  }

  /// Which way the body goes.
  public let direction: Direction
  /// The bytes so far; of an upload those that the transport has taken, which the server may not have yet.
  public let bytes: Int64
  /// All bytes, where that is known beforehand.
  public let total: Int64?

  /// Makes a value.
  public init(_ direction: Direction, bytes: Int64, total: Int64?) {
    self.direction = direction
    self.bytes = bytes
    self.total = total
  }

  /// The part that is done, from 0 to 1; nil when the total isn't known.
  public var fraction: Double? {
    guard let total else { return nil }
    return total > 0 ? min(Double(bytes) / Double(total), 1) : 1
  }
}
