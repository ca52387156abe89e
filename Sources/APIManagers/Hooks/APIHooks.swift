/// The joint points of a load: what may refuse it, and what is told of it.
///
/// Write hooks for what concerns managers and the people before the screen: a loading indicator, a login
/// question, a note for an error. What concerns requests and answers on the wire is an interceptor. A
/// manager's own hooks come first (``APIManager/hooks``), then the app's (``HostApp/hooks``). All of them run
/// on the main actor.
///
/// Every method has a default that lets everything pass.
@MainActor public protocol APIHooks: Sendable {
  /// The name that vetoes are reported under; the type's name by default.
  nonisolated var name: String { get }

  /// Whether a load may begin; false is reported as ``LoadOutcome/vetoed(by:)``.
  func shouldCall(_ call: APICall) -> Bool
  /// A request went into the pipeline.
  func afterCall(_ call: APICall)
  /// A load ended, in whatever way, before anybody else is told; refused loads included.
  func didReceive(_ result: Result<RawAnswer, APIFailure>, of manager: any APIManaging)
  /// Whether an answer may be delivered; false keeps it from delegate and `async` callers alike.
  ///
  /// The delegate hears nothing; an `async` caller gets ``APIFailure/Kind/vetoed(by:)``, because it must
  /// return.
  func beforeSuccess(_ answer: RawAnswer, of manager: any APIManaging) -> Bool
  /// An answer was delivered.
  func afterSuccess(_ answer: RawAnswer, of manager: any APIManaging)
  /// Whether a failure may be delivered; false works as in ``beforeSuccess(_:of:)``.
  func beforeFailure(_ failure: APIFailure, of manager: any APIManaging) -> Bool
  /// A failure was delivered.
  func afterFailure(_ failure: APIFailure, of manager: any APIManaging)
}

extension APIHooks {
  /// The type's name.
  public nonisolated var name: String { "\(Self.self)" }

  /// Lets the load begin.
  public func shouldCall(_ call: APICall) -> Bool { true }
  /// Does nothing.
  public func afterCall(_ call: APICall) {}
  /// Does nothing.
  public func didReceive(_ result: Result<RawAnswer, APIFailure>, of manager: any APIManaging) {}
  /// Lets the answer be delivered.
  public func beforeSuccess(_ answer: RawAnswer, of manager: any APIManaging) -> Bool { true }
  /// Does nothing.
  public func afterSuccess(_ answer: RawAnswer, of manager: any APIManaging) {}
  /// Lets the failure be delivered.
  public func beforeFailure(_ failure: APIFailure, of manager: any APIManaging) -> Bool { true }
  /// Does nothing.
  public func afterFailure(_ failure: APIFailure, of manager: any APIManaging) {}
}
