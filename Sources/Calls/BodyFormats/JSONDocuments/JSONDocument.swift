/// A JSON text that is read where its bytes are: the whole document, or one value within it.
///
/// Use it to read a few fields of a large document, a document whose form is known only at run time, or the
/// documents of several APIs by one reformer. To read all of a document as a type, ``JSONCoding`` needs less
/// code.
///
/// ```
/// let price = JSONField<Int>("asking_price")
/// let document = try JSONDocument(bytes)
/// let third = try document["houses"][3][price]
/// ```
///
/// The text is parsed once, into a flat list of offsets with 12 bytes for each key and value; strings and
/// numbers are converted when they are read. A value within a document keeps the whole document in memory. A
/// key or an index is found in time proportional to the number of members before it.
package struct JSONDocument: Sendable {
  /// The type of a JSON value.
  package enum Kind: Sendable, Hashable {
    /// An object, `{}`.
    case object
    /// An array, `[]`.
    case array
    /// A string.
    case string
    /// A number.
    case number
    /// `true` or `false`.
    case boolean
    /// `null`.
    case null
  }

  let table: JSONTable
  let node: Int

  /// Parses a document.
  ///
  /// The text must be JSON by RFC 8259 from its first to its last byte. Unlike some parsers, this one also
  /// refuses half of a surrogate pair, which no string can represent.
  ///
  /// - Parameters:
  ///   - bytes: The text, in UTF-8.
  ///   - acceptsDuplicateKeys: Whether an object may have the same key more than once; then the first of the
  ///     values is read.
  ///   - maximumDepth: The maximum number of arrays and objects nested within each other; 128 by default, and
  ///     clamped to 1 to 512.
  ///   - maximumLength: The maximum number of bytes, 16 MiB by default and at most 4 GiB. The list of offsets
  ///     takes up to 6 times the length of a text, and up to twice that while it grows, if the text has
  ///     hardly anything but brackets and digits.
  /// - Throws: A ``BodyDecodingError`` of the kind `empty`, `tooLarge`, `malformed`, `tooDeep` or
  ///   `duplicateKey`, the last two with the path.
  package init(
    _ bytes: [UInt8], acceptsDuplicateKeys: Bool = false, maximumDepth: Int = 128,
    maximumLength: Int = 16 << 20
  ) throws(BodyDecodingError) {
    guard !bytes.isEmpty else {
      throw BodyDecodingError(.empty, "The content should be JSON, but is empty.")
    }
    let maximumLength = min(maximumLength, Int(UInt32.max) - 1)
    guard bytes.count <= maximumLength else {
      throw BodyDecodingError(
        .tooLarge(limit: maximumLength),
        "The content is longer than the \(maximumLength) bytes allowed; raise the limit, or request less at a time."
      )
    }
    let maximumDepth = min(max(maximumDepth, 1), JSONCoding.greatestDepth)
    var builder = JSONTableBuilder(maximumDepth: maximumDepth, findsDuplicates: !acceptsDuplicateKeys)
    let slice = bytes[...]
    do throws(JSONScan.Fault) {
      try builder.build(slice.span)
    } catch {
      throw error.error(in: bytes, maximumDepth: maximumDepth)
    }
    self.init(table: JSONTable(bytes: bytes, nodes: builder.nodes), node: 0)
  }

  init(table: JSONTable, node: Int) {
    self.table = table
    self.node = node
  }

  /// The type of the value.
  package var kind: Kind { table.nodes[node].kind }
  /// The offset of the value's first byte in the document; of a string, of the byte after its quotation mark.
  package var offset: Int { Int(table.nodes[node].start) }
}

extension JSONDocument {
  /// Returns the value of a key.
  ///
  /// - Throws: A ``BodyDecodingError`` with the path: `missing` if the object doesn't have the key, and
  ///   `mismatch` if this value is no object.
  package subscript(key: String) -> JSONDocument {
    get throws(BodyDecodingError) { try required(Array(key.utf8)) }
  }

  /// Returns an element of an array; the index is counted from 0.
  ///
  /// To read all elements, read the value as an array, which takes time proportional to their number: `for
  /// house in try [JSONDocument](json: document["houses"])`.
  ///
  /// - Throws: A ``BodyDecodingError`` with the path: `missing` if the array is shorter, and `mismatch` if
  ///   this value is no array.
  package subscript(index: Int) -> JSONDocument {
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
  package subscript<Value: JSONReadable>(field: JSONField<Value>) -> Value {
    get throws { try Value(json: required(field.utf8)) }
  }

  /// Returns the value of a field as its type, or nil if it is missing or null.
  ///
  /// - Throws: A ``BodyDecodingError`` of the kind `mismatch` with the path, if the value is of another type.
  package subscript<Value: JSONReadable>(field: JSONField<Value?>) -> Value? {
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
  package func mismatch(_ problem: String) -> BodyDecodingError {
    let field = FieldPath.text(table.path(to: node))
    return BodyDecodingError(
      .mismatch, field: field, "\(field.map { "`\($0)`" } ?? "The content") \(problem).", at: offset)
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
    return BodyDecodingError(.missing, field: field, "`\(field)` is required, but is missing.", at: offset)
  }
}

extension JSONDocument {
  /// The text of the value, as it stands in the document.
  package var text: ArraySlice<UInt8> { table.bytes[table.range(of: node)] }

  /// Returns the number of the line, from 1, that an offset of a text is in.
  package static func line(at offset: Int, in bytes: [UInt8]) -> Int {
    bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
  }
}
