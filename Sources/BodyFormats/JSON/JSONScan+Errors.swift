extension JSONScan.Fault {
  /// Returns the error for the caller, with the path to the place of the fault.
  func error(in bytes: [UInt8], maximumDepth: Int) -> BodyDecodingError {
    switch self {
    case .notUTF8:
      return BodyDecodingError(
        .malformed, "The content is UTF-16 or UTF-32; JSON must be UTF-8 (RFC 8259, section 8.1).")
    case .truncated:
      return BodyDecodingError(
        .malformed,
        "The content should be JSON, but ends within a string, an array or an object, after \(bytes.count) bytes."
      )
    case .unexpected(let offset):
      return BodyDecodingError(
        .malformed,
        "The content should be JSON, but its \(bytes.count) bytes cannot be parsed from offset \(offset) on.")
    case .tooDeep(let offset):
      return BodyDecodingError(
        .tooDeep(limit: maximumDepth), field: FieldPath.text(JSONPlace.path(to: offset, in: bytes.span)),
        "The content nests more than the \(maximumDepth) arrays and objects allowed; request another format.")
    case .duplicateKey(let offset):
      let field = FieldPath.text(JSONPlace.path(to: offset, in: bytes.span))
      return BodyDecodingError(
        .duplicateKey, field: field,
        "`\(field ?? "")` occurs more than once in its object; have the server send it once, or accept duplicate keys."
      )
    }
  }
}
