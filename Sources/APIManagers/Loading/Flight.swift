import HTTPTypes
import Interception

/// A request in flight and the callers that wait for it.
struct Flight: Sendable {
  typealias Waiter = CheckedContinuation<Result<RawAnswer, APIFailure>, Never>

  let request: Request
  var task: Task<Void, Never>?
  /// Whether a call of `load` waits for the request, so that the delegate receives its result.
  var isForDelegate: Bool
  /// The `async` callers that wait for the request, each with a number.
  var waiters: [UInt64: Waiter] = [:]
  /// Why the request was cancelled; nil if it wasn't.
  var cancellation: String?
}

extension Request {
  /// Whether the answer to either request would also answer the other.
  func asksForTheSame(as other: Request) -> Bool {
    guard let content = body.bytes, let otherContent = other.body.bytes else { return false }
    return head.method == other.head.method && head.scheme == other.head.scheme
      && head.authority == other.head.authority && head.path == other.head.path && content == otherContent
      && context.partition == other.context.partition
  }
}
