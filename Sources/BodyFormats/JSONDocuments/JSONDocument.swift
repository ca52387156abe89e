/// A JSON text that is read where its bytes are: the whole document, or one value within it.
///
/// Use it where a few fields of a large document are needed, where its form is known only at run time, or
/// where one reformer reads the documents of several APIs, by typed keys instead of types. To read all of a
/// document as a type, ``JSONCoding`` needs less code.
///
/// ```swift
/// let price = JSONField<Int>("asking_price")
/// let document = try JSONDocument(bytes)
/// let third = try document["houses"][3][price]
/// ```
///
/// The text is parsed once, into a flat list of offsets with 12 bytes for each key and value; strings and
/// numbers are converted when they are read. A value within a document refers to the whole of it, and keeps
/// its bytes in memory. Looking a key or index up takes time in proportion to the number of members before
/// it.
public struct JSONDocument: Sendable {
  /// The type of a JSON value.
  public enum Kind: Sendable, Hashable {
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
  ///   - duplicateKeys: How an object that has the same key more than once is treated; refused by default. If
  ///     accepted, the first of the values is read.
  ///   - maximumDepth: The maximum number of arrays and objects nested within each other; 128 by default, and
  ///     clamped to 1 to ``JSONCoding/greatestDepth``.
  ///   - maximumLength: The maximum number of bytes, 16 MiB by default and at most 4 GiB. The list of offsets
  ///     takes up to 6 times the length of a text, and up to twice that while it grows, if the text has
  ///     hardly anything but brackets and digits.
  /// - Throws: A ``BodyDecodingError`` of the kind `empty`, `tooLarge`, `malformed`, `tooDeep` or
  ///   `duplicateKey`, the last two with the path.
  public init(
    _ bytes: [UInt8], duplicateKeys: JSONCoding.DuplicateKeys = .refused, maximumDepth: Int = 128,
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
    var builder = JSONTableBuilder(maximumDepth: maximumDepth, findsDuplicates: duplicateKeys == .refused)
    do throws(JSONScan.Fault) {
      try builder.build(bytes.span)
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
  public var kind: Kind { table.nodes[node].kind }
}
