import Interception

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// JSON as the format of requests and responses: the format of keys and dates, and the limits of what is read
/// (RFC 8259).
///
/// ```swift
/// let snake = JSONCoding(usesSnakeCase: true)
/// let home = try await pipeline.get("https://api.example.com/homes/42").decoded(as: Home.self, by: snake)
/// ```
///
/// The platform's `JSONDecoder` decodes, after one pass over the bytes. That pass refuses text that is not
/// UTF-8, deep nesting, and the same key twice in an object.
public struct JSONCoding: Sendable, Hashable {
  /// The format of dates.
  public enum Dates: Sendable, Hashable {
    /// RFC 3339 text, such as `2025-03-01T12:00:00Z`; fractions of a second are read and not written.
    case rfc3339
    /// The number of seconds since 1970.
    case secondsSince1970
    /// The number of milliseconds since 1970.
    case millisecondsSince1970
  }

  /// The maximum depth that the platform's decoder reads, 512 arrays and objects within each other.
  package static let greatestDepth = 512

  /// Whether keys are written in snake case; the type's coding keys by default.
  package var usesSnakeCase: Bool
  /// The format of dates; RFC 3339 by default.
  package var dates: Dates
  /// Whether an object may have the same key more than once; false by default.
  package var acceptsDuplicateKeys: Bool
  /// The maximum number of arrays and objects nested within each other, 1 to ``greatestDepth``; 128 by
  /// default.
  ///
  /// Values of a recursive type are decoded by recursion. The default fits into a stack of 512 KiB, which
  /// Swift's threads have on Apple platforms, with room for large stack frames.
  package let maximumDepth: Int

  /// Creates a format.
  ///
  /// - Parameters:
  ///   - usesSnakeCase: Whether the keys of the JSON are in snake case, as `asking_price`, and those of the
  ///     type in camel case; by default both are the type's coding keys.
  ///   - acceptsDuplicateKeys: Whether an object may have the same key more than once. If not, the content is
  ///     refused with ``BodyDecodingError/Kind/duplicateKey``; otherwise the platform's decoder chooses a
  ///     value, on Linux the first one.
  ///
  ///     The names within an object should be unique; which value counts otherwise differs between
  ///     implementations (RFC 8259, section 4). In a known attack, a check reads one of the values, and the
  ///     action the other. Keys are compared as sent: keys that only the snake case makes equal, such as
  ///     `asking_price` and `askingPrice`, are not detected.
  ///   - maximumDepth: The maximum number of arrays and objects nested within each other; 128 by default, and
  ///     clamped to 1 to 512, which the platform's decoder reads.
  public init(
    usesSnakeCase: Bool = false, dates: Dates = .rfc3339, acceptsDuplicateKeys: Bool = false,
    maximumDepth: Int = 128
  ) {
    self.usesSnakeCase = usesSnakeCase
    self.dates = dates
    self.acceptsDuplicateKeys = acceptsDuplicateKeys
    self.maximumDepth = min(max(maximumDepth, 1), Self.greatestDepth)
  }
}

extension JSONCoding: BodyEncoder {
  /// `application/json`.
  public var contentType: String { "application/json" }

  /// Returns a value as JSON; keys and the elements of sets are sorted, so that equal values produce equal
  /// bytes.
  ///
  /// - Throws: `NetworkError.Kind.invalidRequest`, which names the field that JSON cannot represent, such as
  ///   a number that is not finite.
  public func encode(_ value: some Encodable) throws -> [UInt8] {
    do {
      return try encoded(value)
    } catch EncodingError.invalidValue(_, let context) {
      let field = FieldPath.text(context.codingPath).map { "The field `\($0)`" } ?? "The value"
      throw NetworkError(
        .invalidRequest,
        "\(field) of the request's content cannot be represented in JSON; use another value or type.")
    }
  }

  /// Returns a value as JSON, or throws the platform's `EncodingError`.
  package func encoded(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if usesSnakeCase { encoder.keyEncodingStrategy = .convertToSnakeCase }
    switch dates {
    case .rfc3339: encoder.dateEncodingStrategy = .iso8601
    case .secondsSince1970: encoder.dateEncodingStrategy = .secondsSince1970
    case .millisecondsSince1970: encoder.dateEncodingStrategy = .millisecondsSince1970
    }
    let ordered = Ordered(value: value, order: TextOrder(encoder: encoder))
    let bytes = Array(try encoder.encode(ordered))
    // Foundation's encoder (of Swift 6.3) refuses other numbers that are not finite, and writes such a
    // Decimal as NaN, which is not JSON. Delete this when it refuses that one, too.
    let slice = bytes[...]
    if let offset = JSONScan.offsetOfNaN(in: slice.span) {
      let path = JSONPlace.path(to: offset, in: slice.span).map(PlaceKey.init)
      throw EncodingError.invalidValue(
        Decimal.nan, EncodingError.Context(codingPath: path, debugDescription: "not a number"))
    }
    return bytes
  }

  /// A step of the path to a value that was encoded.
  private struct PlaceKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ component: FieldPath.Component) {
      switch component {
      case .key(let name): (stringValue, intValue) = (name, nil)
      case .index(let index): (stringValue, intValue) = ("\(index)", index)
      }
    }

    init?(stringValue: String) { self.init(.key(stringValue)) }
    init?(intValue: Int) { self.init(.index(intValue)) }
  }
}
