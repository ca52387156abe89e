public import HTTPTypes

extension CacheRule {
  /// An API's response validator, which a cache calls before it stores a response.
  ///
  /// A response that its API rejects is an error to the caller. If it were stored, it would remain one until
  /// it expired.
  public struct StorageCheck: Sendable {
    private let isGood: @Sendable (HTTPResponse, [UInt8]) -> Bool

    /// Creates a check from a closure that receives a response's head and its whole decoded body.
    public init(_ isGood: @escaping @Sendable (HTTPResponse, [UInt8]) -> Bool) { self.isGood = isGood }

    /// Returns whether a response may be stored.
    public func permits(_ head: HTTPResponse, bytes: [UInt8]) -> Bool { isGood(head, bytes) }
  }
}
