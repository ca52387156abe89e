public import Interception

/// Reports, without waiting, whether a cache has a response, so that a load can distinguish `cached` and
/// `offline` from `sent`.
///
/// It must not access the disk; what it doesn't know immediately is ``StoredResponseState/unknown``.
public protocol StoredResponses: Sendable {
  /// Returns the state of the response to a request.
  func state(for request: Request) -> StoredResponseState
}

/// What a cache knows about a response without accessing the disk.
public enum StoredResponseState: Sendable, Hashable {
  /// Not known without accessing the disk.
  case unknown
  /// No response is stored.
  case absent
  /// A stale response is stored.
  case stale
  /// A fresh response is stored, which may be used without a request to the server.
  case fresh
}
