public import Interception

/// Edits the requests and responses that a rule with ``InterventionRule/Action/pause(_:)`` pauses.
///
/// The page of an ``Inspector`` is one, see ``Inspector/showsInterventions(of:)``; conform to the protocol to
/// edit in code, such as in a test.
///
/// An edit is awaited for at most the interceptor's limit, and no longer than the call. Then its task is
/// cancelled, and must return.
public protocol InterventionEditor: Sendable {
  /// Returns how a paused request continues.
  ///
  /// - Parameters:
  ///   - request: The request that is about to be sent.
  ///   - rule: The name of the rule that pauses it.
  /// - Throws: An error with which the call fails.
  func edit(_ request: Request, pausedBy rule: String) async throws -> InterventionEdit

  /// Returns the response with which a paused call continues.
  ///
  /// - Parameters:
  ///   - response: The response, with its body in memory.
  ///   - request: The request that it is to.
  ///   - rule: The name of the rule that pauses it.
  /// - Throws: An error with which the call fails.
  func edit(_ response: Response, to request: Request, pausedBy rule: String) async throws -> Response
}

/// How a paused request continues.
public enum InterventionEdit: Sendable {
  /// The request is sent; the paused one or another one.
  case send(Request)
  /// Nothing is sent, and the call has this response.
  case answer(Response)
}
