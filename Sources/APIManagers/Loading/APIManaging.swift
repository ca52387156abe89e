public import Interception

/// What all managers have in common, whatever their API: for delegates, hooks and lists of managers.
@MainActor public protocol APIManaging: AnyObject {
  /// The API, and which of its managers this is.
  nonisolated var identity: ManagerIdentity { get }
  /// Whether a request is in flight; true until the last one has landed.
  var isLoading: Bool { get }
  /// The raw data of the last success; kept when a later load fails.
  var answer: RawAnswer? { get }
  /// The last failure; nil again after a success.
  var failure: APIFailure? { get }

  /// Loads with params from the param source.
  @discardableResult func load() -> LoadOutcome
  /// Cancels one request; it ends with ``APIFailure/Kind/cancelled``.
  func cancel(_ request: RequestID)
  /// Cancels all requests of this manager; each ends with ``APIFailure/Kind/cancelled``.
  func cancelAll()
  /// Forgets answer and failure; requests in flight go on.
  func clear()
}

extension APIManaging {
  /// The raw data of the last success.
  ///
  /// - Throws: ``APIFailure/Kind/noAnswer`` when there was none yet.
  public func fetch(with noReformer: Never? = nil) throws(APIFailure) -> RawAnswer {
    guard let answer else {
      throw APIFailure(
        .noAnswer, identity.api, reason: "Nothing was loaded yet; load first, and fetch after a success.")
    }
    return answer
  }

  /// Returns the data of the last success as a reformer shows it.
  ///
  /// The reformer runs on the main actor. The raw data stays: another reformer gives another view of it.
  ///
  /// - Throws: ``APIFailure/Kind/noAnswer`` when there was no success yet,
  ///   ``APIFailure/Kind/malformed(field:)`` when the reformer could make nothing of the data.
  public func fetch<R: Reformer>(with reformer: R) throws(APIFailure) -> R.Output {
    try fetch().reformed(by: reformer, from: identity)
  }
}
