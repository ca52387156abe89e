import HTTPTypes
import Interception

/// A request in flight and the callers that wait for it.
struct InFlightRequest: Sendable {
  typealias Waiter = CheckedContinuation<Result<APIResponse, APIError>, Never>

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
  /// Whether the response to either request is also valid for the other.
  func isEquivalent(to other: Request) -> Bool {
    guard let content = body.bytes, let otherContent = other.body.bytes else { return false }
    return head.method == other.head.method && head.scheme == other.head.scheme
      && head.authority == other.head.authority && head.path == other.head.path && content == otherContent
      && context.partition == other.context.partition
  }
}
