public import HTTPTypes

/// An API's own say in what may be stored: its answer validator, which a cache asks before it stores.
///
/// An answer that its API refuses is an error to the caller; stored, it would stay one until it expires.
public struct StorageCheck: Sendable {
  private let isGood: @Sendable (HTTPResponse, [UInt8]) -> Bool

  /// Makes a check of a closure that gets an answer's head and its whole decoded body.
  public init(_ isGood: @escaping @Sendable (HTTPResponse, [UInt8]) -> Bool) { self.isGood = isGood }

  /// Whether an answer may be stored.
  public func permits(_ head: HTTPResponse, bytes: [UInt8]) -> Bool { isGood(head, bytes) }
}
