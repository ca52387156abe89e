public import HTTPTypes

extension CacheRule {
  /// An API's response validator, which a cache calls before it stores a response.
  ///
  /// A response that its API rejects is an error to the caller. If it were stored, it would remain one until
  /// it expired.
  public struct StorageCheck: Sendable {
    private let isGood: @Sendable (HTTPResponse, [UInt8]) -> Bool
    /// Whether it is an API's check, and not only a condition of an interceptor.
    package private(set) var isOfAPI = true

    /// Creates a check from a closure that receives a response's head and its whole decoded body.
    public init(_ isGood: @escaping @Sendable (HTTPResponse, [UInt8]) -> Bool) { self.isGood = isGood }

    /// Returns whether a response may be stored.
    public func permits(_ head: HTTPResponse, bytes: [UInt8]) -> Bool { isGood(head, bytes) }

    /// Returns a check that permits what another one does, if an interceptor's condition is met then, too.
    package static func requiring(
      _ condition: @escaping @Sendable () -> Bool, and other: StorageCheck?
    ) -> StorageCheck {
      var check = StorageCheck { head, bytes in
        condition() && other?.permits(head, bytes: bytes) ?? true
      }
      check.isOfAPI = other?.isOfAPI ?? false
      return check
    }
  }
}
