import Interception

/// A request in flight and the callers that wait for it.
struct InFlightRequest<Output: Sendable>: Sendable {
  typealias Result = Swift.Result<LoadedResponse<Output>, APIError>
  typealias Waiter = CheckedContinuation<Result, Never>

  let request: Request
  let task: Task<Void, Never>
  /// Whether a call of `load` waits for the request, so that the delegate receives its result.
  var isForDelegate: Bool
  /// Resumes the `async` caller that sent the request; nil if `load` did.
  let handoff: ResultHandoff<Result>?
  /// Whether the caller that sent the request waits for it.
  var hasSender: Bool
  /// The `async` callers that joined the request, each with a number.
  var waiters: [UInt64: Waiter] = [:]
  /// Why the request was cancelled; nil if it wasn't.
  var cancellation: String?
}
