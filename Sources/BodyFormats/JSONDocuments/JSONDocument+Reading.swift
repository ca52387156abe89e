extension JSONDocument {
  /// Returns the value of a key.
  ///
  /// - Throws: A ``BodyDecodingError`` with the path: `missing` if the object doesn't have the key, and
  ///   `mismatch` if this value is no object.
  public subscript(key: String) -> JSONDocument {
    get throws(BodyDecodingError) { try required(Array(key.utf8)) }
  }

  /// Returns an element of an array; the index is counted from 0.
  ///
  /// To read all elements, read the value as an array, which takes time in proportion to their number:
  /// `for house in try [JSONDocument](json: document["houses"])`.
  ///
  /// - Throws: A ``BodyDecodingError`` with the path: `missing` if the array is shorter, and `mismatch` if
  ///   this value is no array.
  public subscript(index: Int) -> JSONDocument {
    get throws(BodyDecodingError) {
      guard kind == .array else { throw mismatch("should be an array, but is \(found)") }
      guard let element = table.element(index, of: node) else { throw missing(.index(index)) }
      return JSONDocument(table: table, node: element)
    }
  }

  /// Returns the value of a field as its type.
  ///
  /// - Throws: A ``BodyDecodingError`` with the path: `missing` if the object doesn't have the key, and
  ///   `mismatch` if the value is of another type. A type of an app's own may throw other errors.
  public subscript<Value: JSONReadable>(field: JSONField<Value>) -> Value {
    get throws { try Value(json: required(field.utf8)) }
  }

  /// Returns the value of a field as its type, or nil if it is missing or null.
  ///
  /// - Throws: A ``BodyDecodingError`` of the kind `mismatch` with the path, if the value is of another type.
  public subscript<Value: JSONReadable>(field: JSONField<Value?>) -> Value? {
    get throws {
      guard let value = try optional(field.utf8), value.kind != .null else { return nil }
      return try Value(json: value)
    }
  }

  /// Returns an error with the path to this value, for a type that reads it by ``JSONReadable``.
  ///
  /// A path to a value after more than 4,096 others, such as a late element of a long array, ends early, with
  /// "…".
  ///
  /// - Parameter problem: The rest of a sentence that begins with the path, such as "should be positive".
  public func mismatch(_ problem: String) -> BodyDecodingError {
    let field = FieldPath.text(table.path(to: node))
    return BodyDecodingError(
      .mismatch, field: field, "\(field.map { "`\($0)`" } ?? "The content") \(problem).")
  }

  /// The type of the value as a sentence shows it.
  var found: String {
    switch kind {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .boolean: "a Boolean"
    case .null: "null"
    }
  }

  private func required(_ key: [UInt8]) throws(BodyDecodingError) -> JSONDocument {
    guard let value = try optional(key) else { throw missing(.key(String(decoding: key, as: UTF8.self))) }
    return value
  }

  private func optional(_ key: [UInt8]) throws(BodyDecodingError) -> JSONDocument? {
    guard kind == .object else { throw mismatch("should be an object, but is \(found)") }
    return table.value(of: key, in: node).map { JSONDocument(table: table, node: $0) }
  }

  private func missing(_ component: FieldPath.Component) -> BodyDecodingError {
    let field = FieldPath.text(table.path(to: node) + [component]) ?? ""
    return BodyDecodingError(.missing, field: field, "`\(field)` is required, but is missing.")
  }
}
