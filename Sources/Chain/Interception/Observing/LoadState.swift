package import HTTPTypes

/// What was loaded last and what is being loaded, as one value to which a screen binds.
///
/// ```swift
/// func text(of state: LoadState<String, NetworkError>) -> String {
///   switch state {
///   case .idle: ""
///   case .loading(let before): before?.value ?? "Loading"
///   case .loaded(let loaded): loaded.value + (loaded.isStale ? " (outdated)" : "")
///   case .failed(let error, let before): before?.value ?? error.reason
///   }
/// }
/// ```
public enum LoadState<Value: Sendable, Failure: Error>: Sendable {
  /// A value, and how current its response was when it was received.
  public struct Loaded: Sendable {
    /// The value.
    public let value: Value
    /// The age that the response states, with a resolution of seconds; nil if it states none, as usual for
    /// one of the server.
    public let age: Duration?
    /// Whether the response is a stored one that was stale.
    public let isStale: Bool

    /// Creates a value that was made of a response.
    package init(_ value: Value, from headerFields: HTTPFields, _ cache: Exchange.CacheStatus?) {
      self.value = value
      age = headerFields[.age].flatMap { Int64($0) }.map { .seconds($0) }
      isStale =
        switch cache {
        case .hit(let ttl, _): ttl < 0
        case .staleOnError: true
        case .forwarded, .revalidated, .unsatisfied, nil: false
        }
    }
  }

  /// Nothing has been loaded.
  case idle
  /// A value is being loaded; the one before, if there is one, is still shown.
  case loading(before: Loaded?)
  /// The value of the last load.
  case loaded(Loaded)
  /// The error of the last load; the value before, if there is one, is still shown.
  case failed(Failure, before: Loaded?)

  /// The value that was loaded last, whatever has happened since; nil if there is none.
  public var value: Value? {
    switch self {
    case .idle: nil
    case .loading(let before), .failed(_, let before): before?.value
    case .loaded(let loaded): loaded.value
    }
  }
}
