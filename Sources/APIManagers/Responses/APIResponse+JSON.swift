import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension APIResponse {
  /// Decodes the content from JSON, for use in reformers and validators.
  ///
  /// - Throws: A ``DecodingMismatchError`` that names the field and what was expected there. It never
  ///   includes a value.
  public func json<Value: Decodable>(
    as type: Value.Type = Value.self, format: JSONFormat = JSONFormat()
  ) throws(DecodingMismatchError) -> Value {
    guard !bytes.isEmpty else {
      throw DecodingMismatchError(
        "The response should be JSON, but it has no content (status \(status.code)).")
    }
    do {
      return try format.decoder().decode(type, from: Data(bytes))
    } catch {
      throw malformed(error)
    }
  }

  private func malformed(_ error: any Error) -> DecodingMismatchError {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      let field = FieldPath.text(context.codingPath + [key])
      return DecodingMismatchError(field: field, "`\(field ?? key.stringValue)` is required, but is missing.")
    case DecodingError.valueNotFound(let type, let context):
      return fault(at: context, "should be \(Self.name(of: type)), but is null")
    case DecodingError.typeMismatch(let type, let context):
      return fault(at: context, "should be \(Self.name(of: type)), but has another type")
    case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
      let contentType =
        headerFields[.contentType].map { "its Content-Type is \($0)" } ?? "it has no Content-Type"
      return DecodingMismatchError(
        "The response should be JSON, but its \(bytes.count) bytes cannot be parsed; \(contentType).")
    case DecodingError.dataCorrupted(let context):
      return fault(at: context, "has a value that its type does not allow")
    default: return DecodingMismatchError("\(error)")
    }
  }

  private func fault(at context: DecodingError.Context, _ problem: String) -> DecodingMismatchError {
    let field = FieldPath.text(context.codingPath)
    return DecodingMismatchError(field: field, "\(field.map { "`\($0)`" } ?? "The content") \(problem).")
  }

  private static func name(of type: Any.Type) -> String {
    switch type {
    case is [String: Any].Type: "an object"
    case is [Any].Type: "an array"
    default: "\(type)"
    }
  }
}
