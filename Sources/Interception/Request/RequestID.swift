import Synchronization

/// The identity of a request, unique in the process.
public struct RequestID: Sendable, Hashable, CustomStringConvertible {
  /// The number, counted from 1.
  public let number: UInt64

  // A source of distinct numbers is the one thing that must be global: ids are unique across all services.
  private static let last = Atomic<UInt64>(0)

  /// Returns an identity that no other request of this process has.
  public static func next() -> RequestID {
    RequestID(number: last.add(1, ordering: .relaxed).newValue)
  }

  /// The number.
  public var description: String { "\(number)" }
}
