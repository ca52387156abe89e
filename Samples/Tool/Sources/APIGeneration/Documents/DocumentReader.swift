import Yams

/// Reads a document in YAML or JSON, with limits.
enum DocumentReader {
  /// The maximum size in bytes.
  static let maximumSize = 32 << 20
  /// The maximum number of values, those that aliases repeat included.
  static let maximumCount = 1_000_000
  /// The maximum number of lists and objects within each other.
  static let maximumDepth = 200

  /// Returns the root of a document.
  static func node(of bytes: [UInt8]) throws(DocumentError) -> DocumentNode {
    guard bytes.count <= maximumSize else {
      throw DocumentError(1, "The document has more than \(maximumSize >> 20) MiB; split it.")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw DocumentError(1, "The document is not text in UTF-8; convert it.")
    }
    if text.utf8.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") {
      var reader = JSONNodeReader(bytes)
      return try reader.document()
    }
    // libyaml refuses more than 1000 levels, so that the recursion of Yams is bounded.
    let node: Yams.Node?
    do {
      node = try Yams.compose(yaml: text)
    } catch let error as YamlError {
      throw explained(error)
    } catch {
      throw DocumentError(1, "The document is no YAML; correct it.")
    }
    guard let node else { throw DocumentError(1, "The document is empty; name an OpenAPI document.") }
    var count = 0
    return try converted(node, depth: 0, &count)
  }

  static func tooDeep(_ line: Int) -> DocumentError {
    DocumentError(
      line, "Lists and objects are nested more than \(maximumDepth) deep; move inner ones to components.")
  }

  static func tooMany(_ line: Int) -> DocumentError {
    DocumentError(
      line, "The document has more than \(maximumCount) values, those repeated by aliases included; split it."
    )
  }

  private static func explained(_ error: YamlError) -> DocumentError {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      DocumentError(mark.line, "The document is no YAML: \(problem); correct it.")
    case .duplicatedKeysInMapping(let duplicates, let context):
      DocumentError(
        context.mark.line,
        "A key occurs twice in an object: \(duplicates.sorted().joined(separator: ", ")); remove one."
      )
    case .reader: DocumentError(1, "The document has a character that YAML does not permit; remove it.")
    default: DocumentError(1, "The document is no YAML; correct it.")
    }
  }

  private static func converted(
    _ node: Yams.Node, depth: Int, _ count: inout Int
  ) throws(DocumentError) -> DocumentNode {
    let line = node.mark?.line ?? 1
    count += 1
    guard count <= maximumCount else { throw tooMany(line) }
    guard depth <= maximumDepth else { throw tooDeep(line) }
    switch node {
    case .scalar(let scalar):
      return DocumentNode(scalar.style == .plain ? .plain(scalar.string) : .text(scalar.string), line: line)
    case .sequence(let elements):
      var list: [DocumentNode] = []
      for element in elements { list.append(try converted(element, depth: depth + 1, &count)) }
      return DocumentNode(.list(list), line: line)
    case .mapping(let mapping):
      var entries: [DocumentNode.Entry] = []
      for (key, value) in mapping {
        guard case .scalar(let name) = key else {
          throw DocumentError(key.mark?.line ?? line, "A key is no text; write a text.")
        }
        entries.append(
          DocumentNode.Entry(
            key: name.string, line: name.mark?.line ?? line,
            value: try converted(value, depth: depth + 1, &count)))
      }
      return DocumentNode(.object(entries), line: line)
    case .alias:
      throw DocumentError(line, "The alias has no value; write the value.")
    }
  }
}
