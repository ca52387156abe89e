import HTTPTypes
import Interception

/// A request in flight, and who waits for it.
struct Flight: Sendable {
  typealias Waiter = CheckedContinuation<Result<RawAnswer, APIFailure>, Never>

  let request: Request
  var task: Task<Void, Never>?
  /// Whether a `load` waits for it, and so the delegate.
  var isForDelegate: Bool
  /// The `async` callers that wait for it, by a number each.
  var waiters: [UInt64: Waiter] = [:]
  /// Why it was cancelled; nil while it may still succeed.
  var cancellation: String?
}

extension Request {
  /// Whether the answer to another request would be an answer to this one.
  func asksForTheSame(as other: Request) -> Bool {
    guard let content = body.bytes, let otherContent = other.body.bytes else { return false }
    return head.method == other.head.method && head.scheme == other.head.scheme
      && head.authority == other.head.authority && head.path == other.head.path && content == otherContent
      && context.partition == other.context.partition
  }
}
