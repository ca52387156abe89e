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

/// The identity of a manager: its API, and its name among several managers of that API.
public struct ManagerIdentity: Sendable, Hashable {
  /// The API.
  public let api: APIIdentity
  /// The name with which the manager was created, such as `nearby`, or nil.
  public let name: String?

  /// Creates an identity.
  public init(api: APIIdentity, name: String? = nil) {
    self.api = api
    self.name = name
  }
}

extension ManagerIdentity: CustomStringConvertible {
  /// The API, followed by the manager's name in parentheses, if any.
  public var description: String { name.map { "\(api) (\($0))" } ?? "\(api)" }
}

/// The immediate outcome of a load; the response follows later.
///
/// Every outcome except ``joined(_:)`` and ``ignored(inFlight:)`` is followed by exactly one call of the
/// delegate, unless a hook vetoes the delivery or the manager is released first. The hooks are notified of a
/// vetoed delivery. A joined load shares the delegate's call with the load of the request that it joined.
public enum LoadOutcome: Sendable, Hashable {
  /// The request was sent into the pipeline.
  case sent(RequestID)
  /// The request was sent into the pipeline, and a stored response is known to exist.
  case cached(RequestID)
  /// An equal request is in flight; its response serves this load too.
  case joined(RequestID)
  /// A different request, a download or a stream is in flight, and the API allows only one at a time; nothing
  /// was sent.
  case ignored(inFlight: RequestID)
  /// A hook refused the load; nothing was sent.
  case vetoed(by: String)
  /// The params cannot be sent.
  case invalid(ParamsError)
  /// There is no network and no stored response.
  case offline
  /// The API is switched off temporarily, for this reason; nothing was sent.
  case downgraded(reason: String)

  /// The request whose response serves this load, or nil if there is none.
  public var request: RequestID? {
    switch self {
    case .sent(let request), .cached(let request), .joined(let request): request
    case .ignored, .vetoed, .invalid, .offline, .downgraded: nil
    }
  }
}
