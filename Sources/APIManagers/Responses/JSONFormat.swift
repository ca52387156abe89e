/// The format of keys and dates in a server's JSON.
public struct JSONFormat: Sendable, Hashable {
  /// The format of keys.
  public enum Keys: Sendable, Hashable {
    /// As specified by the type's coding keys.
    case asCoded
    /// In snake case, `asking_price` for `askingPrice`.
    case snakeCase
  }

  /// The format of dates.
  public enum Dates: Sendable, Hashable {
    /// RFC 3339 text, such as `2025-03-01T12:00:00Z`.
    case rfc3339
    /// The number of seconds since 1970.
    case secondsSince1970
    /// The number of milliseconds since 1970.
    case millisecondsSince1970
  }

  /// The format of keys.
  public var keys: Keys
  /// The format of dates.
  public var dates: Dates

  /// Creates a format.
  public init(keys: Keys = .asCoded, dates: Dates = .rfc3339) {
    self.keys = keys
    self.dates = dates
  }
}
