public import Interception

/// The interface of all managers, independent of their API: for delegates, hooks and collections of managers.
@MainActor public protocol APIManaging: AnyObject {
  /// The API and the name of this manager.
  nonisolated var identity: ManagerIdentity { get }
  /// Whether a request is in flight.
  var isLoading: Bool { get }
  /// The raw data of the last successful load; kept when a later load fails.
  var answer: RawAnswer? { get }
  /// The last failure; nil after a success.
  var failure: APIFailure? { get }

  /// Loads with params from the param source.
  @discardableResult func load() -> LoadOutcome
  /// Cancels one request, which ends with ``APIFailure/Kind/cancelled``.
  func cancel(_ request: RequestID)
  /// Cancels all requests of this manager, each of which ends with ``APIFailure/Kind/cancelled``.
  func cancelAll()
  /// Clears the last answer and failure; in-flight requests continue.
  func clear()
}

extension APIManaging {
  /// Returns the raw data of the last successful load.
  ///
  /// - Throws: ``APIFailure/Kind/noAnswer`` if no load has succeeded yet.
  public func fetch(with noReformer: Never? = nil) throws(APIFailure) -> RawAnswer {
    guard let answer else {
      throw APIFailure(
        .noAnswer, identity.api, reason: "No load has succeeded yet; load first, and fetch after a success.")
    }
    return answer
  }

  /// Returns the data of the last successful load, converted by a reformer.
  ///
  /// The reformer runs on the main actor. The raw data is kept, so that other reformers can convert it too.
  ///
  /// - Throws: ``APIFailure/Kind/noAnswer`` if no load has succeeded yet, or
  ///   ``APIFailure/Kind/malformed(field:)`` if the reformer could not convert the data.
  public func fetch<R: Reformer>(with reformer: R) throws(APIFailure) -> R.Output {
    try fetch().reformed(by: reformer, from: identity)
  }
}
