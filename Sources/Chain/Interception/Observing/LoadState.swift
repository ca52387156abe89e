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

    /// Creates a value that was made of responses.
    package init(_ value: Value, _ currency: ResponseCurrency) {
      self.value = value
      age = currency.age
      isStale = currency.isStale
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

/// How current a response was when it was received, or the oldest one of several.
package struct ResponseCurrency: Sendable, Hashable {
  /// The age that the response states; nil if it states none.
  package private(set) var age: Duration?
  /// Whether the response is a stored one that was stale.
  package private(set) var isStale = false

  /// Creates the currency of what was made without a response.
  package init() {}

  /// Reads the currency of a response.
  package init(_ headerFields: HTTPFields, _ cache: Exchange.CacheStatus?) {
    age = headerFields.age
    isStale =
      switch cache {
      case .hit(let ttl, _): ttl < 0
      case .staleOnError: true
      case .forwarded, .revalidated, .unsatisfied, nil: false
      }
  }

  /// Adds another response: the greater age counts, and whether any is stale.
  package mutating func add(_ other: ResponseCurrency) {
    if let otherAge = other.age { age = max(age ?? otherAge, otherAge) }
    isStale = isStale || other.isStale
  }
}
