public import Interception

/// Says, without waiting, whether a cache holds an answer: a load can then tell `cached` and `offline` from
/// `sent`.
///
/// It must not ask the disk; what isn't known at once is ``StoredAnswerState/unknown``.
public protocol StoredAnswers: Sendable {
  /// Returns what is known of the answer to a request.
  func state(for request: Request) -> StoredAnswerState
}

/// What a cache knows at once of an answer.
public enum StoredAnswerState: Sendable, Hashable {
  /// Nothing without asking the disk.
  case unknown
  /// There is none.
  case absent
  /// There is one that is no longer fresh.
  case stale
  /// There is one that may be given without asking the server.
  case fresh
}
