#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension JSONCoding: BodyDecoder {
  /// Whether a media type may be that of JSON.
  ///
  /// Besides JSON's own types, those are the types of servers that label nothing in particular. Refused are
  /// the types of pages, images, sound, video, fonts and XML, such as the login page of a network.
  public func accepts(_ mediaType: String) -> Bool {
    if mediaType.hasSuffix("json") { return true }
    if mediaType.hasSuffix("/xml") || mediaType.hasSuffix("+xml") { return false }
    return switch mediaType.prefix(while: { $0 != "/" }) {
    case "text": mediaType == "text/plain" || mediaType == "text/javascript"
    case "image", "audio", "video", "font", "model", "multipart": false
    default: true
    }
  }

  /// Decodes a value from JSON.
  ///
  /// - Throws: A ``BodyDecodingError`` that names the field, and what was expected and found there.
  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    guard !bytes.isEmpty else {
      throw BodyDecodingError(.empty, "The content should be JSON, but is empty.")
    }
    var scan = JSONScan(maximumDepth: maximumDepth, findsDuplicates: !acceptsDuplicateKeys)
    // Before version 26 of Apple's platforms, slices have spans and arrays have none.
    let slice = bytes[...]
    do throws(JSONScan.Fault) {
      try scan.check(slice.span)
    } catch {
      throw error.error(in: bytes, maximumDepth: maximumDepth)
    }
    let decoder = decoder()
    let data = Data(bytes)
    do {
      return try decoder.decode(type, from: data)
    } catch {
      throw Self.error(for: Self.located(error, as: type, in: data, by: decoder), count: bytes.count)
    }
  }

  private func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    if usesSnakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
    switch dates {
    case .rfc3339: decoder.dateDecodingStrategy = .custom { try Self.date(from: $0) }
    case .secondsSince1970: decoder.dateDecodingStrategy = .secondsSince1970
    case .millisecondsSince1970: decoder.dateDecodingStrategy = .millisecondsSince1970
    }
    return decoder
  }

  private static func date(from decoder: any Decoder) throws -> Date {
    let container = try decoder.singleValueContainer()
    guard let date = date(rfc3339: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 date")
    }
    return date
  }

  /// Returns the date of an RFC 3339 text, with or without a fraction of a second; nil for any other text.
  package static func date(rfc3339 text: String) -> Date? {
    // A style reads texts with a fraction, or texts without one; which depends on the platform.
    (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
      ?? (try? Date.ISO8601FormatStyle().parse(text))
  }

  // MARK: Errors

  private static func error(for error: any Error, count: Int) -> any Error {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      let field = FieldPath.text(context.codingPath + [key]) ?? ""
      return BodyDecodingError(.missing, field: field, "`\(field)` is required, but is missing.")
    case DecodingError.valueNotFound(let type, let context):
      return mismatch(at: context, "should be \(name(of: type)), but is null")
    case DecodingError.typeMismatch(let type, let context):
      return mismatch(at: context, "should be \(name(of: type)), but is \(found(by: context))")
    case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
      return BodyDecodingError(
        .malformed, "The content should be JSON, but its \(count) bytes cannot be parsed.")
    case DecodingError.dataCorrupted(let context):
      return mismatch(at: context, "has a value that its type does not allow")
    default: return error
    }
  }

  private static func mismatch(at context: DecodingError.Context, _ problem: String) -> BodyDecodingError {
    let field = FieldPath.text(context.codingPath)
    return BodyDecodingError(
      .mismatch, field: field, "\(field.map { "`\($0)`" } ?? "The content") \(problem).")
  }

  private static func name(of type: Any.Type) -> String {
    switch type {
    case is [String: Any].Type: "an object"
    case is [Any].Type: "an array"
    default: "\(type)"
    }
  }

  /// Returns the type that was found, if the decoder's description ends in one; the rest of the description
  /// may repeat content.
  private static func found(by context: DecodingError.Context) -> String {
    let types = [
      "a string": "a string", "string": "a string", "number": "a number", "bool": "a Boolean",
      "a dictionary": "an object", "an array": "an array", "null": "null",
    ]
    let words = context.debugDescription.split(separator: " but found ").last?.split(separator: " instead")
    return words?.first.flatMap { types[String($0)] } ?? "of another type"
  }
}
