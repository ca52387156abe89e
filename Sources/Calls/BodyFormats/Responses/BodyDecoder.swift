import Interception

/// A type that decodes values from the content of responses, such as ``JSONCoding``.
///
/// Conform to it to read another format:
///
/// ```swift
/// struct NumberDecoder: BodyDecoder {
///   func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
///     guard let number = Int(String(decoding: bytes, as: UTF8.self)), let value = number as? Value else {
///       throw BodyDecodingError(.mismatch, "The content is not a decimal number.")
///     }
///     return value
///   }
/// }
/// ```
public protocol BodyDecoder: Sendable {
  /// Whether the decoder may be able to read content of a media type, `type/subtype` in lowercase; true by
  /// default.
  ///
  /// Called before the content is read. Be lenient, because servers often label content wrongly.
  func accepts(_ mediaType: String) -> Bool

  /// Decodes a value.
  ///
  /// - Throws: A ``BodyDecodingError``; another error is wrapped in one.
  func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value
}

extension BodyDecoder {
  /// True.
  public func accepts(_ mediaType: String) -> Bool { true }
}
