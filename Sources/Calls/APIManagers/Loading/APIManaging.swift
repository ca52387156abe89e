public import Interception

/// The interface of all managers, independent of their API: for delegates, hooks and collections of managers.
@MainActor public protocol APIManaging: AnyObject {
  /// The API and the name of this manager.
  nonisolated var identity: ManagerIdentity { get }
  /// Whether a request is in flight.
  var isLoading: Bool { get }
  /// The raw data of the last successful load; kept when a later load fails.
  var lastResponse: APIResponse? { get }
  /// The error of the last load that has ended, in the order in which they began; nil after a success.
  var lastError: APIError? { get }

  /// Loads with params from the param source.
  @discardableResult func load() -> LoadOutcome
  /// Cancels one request, which ends with ``APIError/Kind/cancelled``.
  func cancel(_ request: RequestID)
  /// Cancels all requests of this manager, each of which ends with ``APIError/Kind/cancelled``.
  func cancelAll()
  /// Clears the last response and the last error; in-flight requests continue.
  func clear()
  /// Returns the data of the last successful load, converted by a reformer.
  ///
  /// Nothing is loaded. The reformer runs on the main actor. The raw data is kept in ``lastResponse``, so
  /// that other reformers can convert it too. A reformer that is `Hashable` runs once per response: its
  /// output is kept, beside those of at most seven others, until the next success.
  ///
  /// - Throws: ``APIError/Kind/noResponse`` if no load has succeeded yet, or
  ///   ``APIError/Kind/malformed(field:)`` if the reformer could not convert the data.
  func lastResponse<R: Reformer>(as reformer: R) throws(APIError) -> R.Output
}
