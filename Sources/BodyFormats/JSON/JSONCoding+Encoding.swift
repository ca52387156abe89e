import Interception

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONCoding: BodyEncoder {
  /// `application/json`.
  public var contentType: String { "application/json" }

  /// Returns a value as JSON; keys are sorted, so that equal values produce equal bytes.
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
    switch keys {
    case .asCoded: encoder.keyEncodingStrategy = .useDefaultKeys
    case .snakeCase: encoder.keyEncodingStrategy = .convertToSnakeCase
    }
    switch dates {
    case .rfc3339: encoder.dateEncodingStrategy = .iso8601
    case .secondsSince1970: encoder.dateEncodingStrategy = .secondsSince1970
    case .millisecondsSince1970: encoder.dateEncodingStrategy = .millisecondsSince1970
    }
    return Array(try encoder.encode(value))
  }
}
