/// How a server writes keys and dates in JSON.
public struct JSONFormat: Sendable, Hashable {
  /// How keys are written.
  public enum Keys: Sendable, Hashable {
    /// As the type's coding keys say.
    case asCoded
    /// With underscores, `asking_price` for `askingPrice`.
    case snakeCase
  }

  /// How dates are written.
  public enum Dates: Sendable, Hashable {
    /// As text of RFC 3339, `2025-03-01T12:00:00Z`.
    case rfc3339
    /// As seconds since 1970.
    case secondsSince1970
    /// As milliseconds since 1970.
    case millisecondsSince1970
  }

  /// How keys are written.
  public var keys: Keys
  /// How dates are written.
  public var dates: Dates

  /// Makes a format.
  public init(keys: Keys = .asCoded, dates: Dates = .rfc3339) {
    self.keys = keys
    self.dates = dates
  }
}
