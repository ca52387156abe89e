import HTTPTypes
import Interception

/// A type that encodes values as the content of requests, such as ``JSONCoding``.
///
/// Conform to it to send another format:
///
/// ```swift
/// struct LinesEncoder: BodyEncoder {
///   let contentType = "text/plain; charset=utf-8"
///   func encode(_ value: some Encodable) throws -> [UInt8] { Array("\(value)\n".utf8) }
/// }
/// ```
public protocol BodyEncoder: Sendable {
  /// The value of the `Content-Type` field.
  var contentType: String { get }

  /// Returns a value as bytes.
  func encode(_ value: some Encodable) throws -> [UInt8]
}
