// Mediation doesn't link Foundation, so the umbrella conforms the types that are single values in JSON.

import BodyFormats
public import Mediation

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Date: RouteValue {
  /// Reads an RFC 3339 text, such as `2025-03-01T12:00:00Z`.
  public init?(routeText: String) {
    guard let date = JSONCoding.date(rfc3339: routeText) else { return nil }
    self = date
  }
  /// The date in RFC 3339 format, without a fraction of a second.
  public var routeText: String { formatted(.iso8601) }
  /// A date.
  public static var routeSample: String? { "2025-03-01T12:00:00Z" }
}

extension Data: RouteValue {
  /// Reads Base64 (RFC 4648, section 4).
  public init?(routeText: String) { self.init(base64Encoded: routeText) }
  /// The bytes in Base64.
  public var routeText: String { base64EncodedString() }
  /// Three bytes.
  public static var routeSample: String? { "AQID" }
}

extension Decimal: RouteValue {
  /// Reads a finite decimal number.
  public init?(routeText: String) {
    // The initializer ignores what follows a number.
    guard RoutePattern.ValueKind.double.matches(routeText) else { return nil }
    self.init(string: routeText)
  }
  /// The decimal digits.
  public var routeText: String { description }
  /// A number.
  public static var routeSample: String? { "1.5" }
}

extension URL: RouteValue {
  /// Reads a URL.
  public init?(routeText: String) { self.init(string: routeText) }
  /// The absolute URL.
  public var routeText: String { absoluteString }
  /// A URL.
  public static var routeSample: String? { "https://example.com/" }
}

extension UUID: RouteValue {
  /// Reads a UUID in either case.
  public init?(routeText: String) { self.init(uuidString: routeText) }
  /// The UUID in upper case.
  public var routeText: String { uuidString }
  /// A UUID.
  public static var routeSample: String? { "E621E1F8-C36C-495A-93FC-0C247A3E6E5F" }
}
