public import Interception

/// Hooks that may veto a load or the delivery of its result, and are notified of its steps.
///
/// Write hooks for what concerns managers and the user interface: an activity indicator, a login prompt, an
/// error message. For what concerns requests and responses, write an interceptor. A manager's own hooks
/// (``APIManager/hooks``) run before the app's (``APIClient/hooks``). By default, they do and veto nothing.
@MainActor public protocol APIHooks: Sendable {
  /// The name under which vetoes are reported; the type's name by default.
  nonisolated var name: String { get }

  /// Returns whether a load may start; false is reported as ``LoadOutcome/vetoed(by:)``.
  func shouldLoad(_ call: APICall) -> Bool
  /// Called when a request has been sent into the pipeline.
  func didSend(_ call: APICall)
  /// Called when a load has ended in any way, including refused loads, before its result is delivered.
  ///
  /// The requests of a released manager end with ``didRelease(_:cancelling:)`` instead.
  func didReceive(_ result: Result<APIResponse, APIError>, of manager: any APIManaging)
  /// Returns whether a response may be delivered; false withholds it from the delegate and `async` callers.
  ///
  /// The delegate is not called. An `async` caller receives ``APIError/Kind/vetoed(by:)``, because it must
  /// return.
  func beforeSuccess(_ response: APIResponse, of manager: any APIManaging) -> Bool
  /// Called when a response has been delivered.
  func afterSuccess(_ response: APIResponse, of manager: any APIManaging)
  /// Returns whether a failure may be delivered; false has the same effect as for ``beforeSuccess(_:of:)``.
  func beforeFailure(_ error: APIError, of manager: any APIManaging) -> Bool
  /// Called when a failure has been delivered.
  func afterFailure(_ error: APIError, of manager: any APIManaging)
  /// Called on every hook when the one of a name has vetoed the delivery of a result, instead of
  /// ``afterSuccess(_:of:)`` or ``afterFailure(_:of:)``.
  func didWithhold(
    _ result: Result<APIResponse, APIError>, vetoedBy name: String, of manager: any APIManaging)
  /// Called after a manager was released while requests were in flight.
  ///
  /// The requests are cancelled and nothing is delivered, so this is their last call of a hook.
  func didRelease(_ manager: ManagerIdentity, cancelling requests: [RequestID])
}

extension APIHooks {
  /// The type's name.
  public nonisolated var name: String { "\(Self.self)" }

  /// Allows the load.
  public func shouldLoad(_ call: APICall) -> Bool { true }
  /// Does nothing.
  public func didSend(_ call: APICall) {}
  /// Does nothing.
  public func didReceive(_ result: Result<APIResponse, APIError>, of manager: any APIManaging) {}
  /// Allows the delivery.
  public func beforeSuccess(_ response: APIResponse, of manager: any APIManaging) -> Bool { true }
  /// Does nothing.
  public func afterSuccess(_ response: APIResponse, of manager: any APIManaging) {}
  /// Allows the delivery.
  public func beforeFailure(_ error: APIError, of manager: any APIManaging) -> Bool { true }
  /// Does nothing.
  public func afterFailure(_ error: APIError, of manager: any APIManaging) {}
  /// Does nothing.
  public func didWithhold(
    _ result: Result<APIResponse, APIError>, vetoedBy name: String, of manager: any APIManaging
  ) {}
  /// Does nothing.
  public func didRelease(_ manager: ManagerIdentity, cancelling requests: [RequestID]) {}
}
