import Synchronization

/// The ID of a request, unique in the process.
public struct RequestID: Sendable, Hashable, CustomStringConvertible {
  /// The number, starting at 1.
  package let number: UInt64

  // The counter must be global, because IDs are unique across all services.
  private static let last = Atomic<UInt64>(0)

  /// Returns an ID that no other request of this process has.
  package static func next() -> RequestID {
    RequestID(number: last.add(1, ordering: .relaxed).newValue)
  }

  /// The number.
  public var description: String { "\(number)" }
}
