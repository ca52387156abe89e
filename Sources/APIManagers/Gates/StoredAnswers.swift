public import Interception

/// Reports, without waiting, whether a cache has an answer, so that a load can distinguish `cached` and
/// `offline` from `sent`.
///
/// It must not access the disk; what it doesn't know immediately is ``StoredAnswerState/unknown``.
public protocol StoredAnswers: Sendable {
  /// Returns the state of the answer to a request.
  func state(for request: Request) -> StoredAnswerState
}

/// What a cache knows about an answer without accessing the disk.
public enum StoredAnswerState: Sendable, Hashable {
  /// Not known without accessing the disk.
  case unknown
  /// No answer is stored.
  case absent
  /// A stale answer is stored.
  case stale
  /// A fresh answer is stored, which may be used without a request to the server.
  case fresh
}
