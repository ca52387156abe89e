/// Makes a value of a schema: from the examples of the document, or else of what the schema says.
struct ExampleMaker {
  let document: SourceDocument
  private static let maximumDepth = 12

  /// Returns the example of a media type, a parameter or a header; nil if there is none.
  func example(beside node: DocumentNode) throws(DocumentError) -> DocumentNode? {
    if let example = node["example"] { return example }
    guard let first = node["examples"]?.entries.first else { return nil }
    return try document.resolved(first.value).node["value"]
  }

  /// Returns the example beside a schema, or else a value of the schema, as JSON.
  func json(beside node: DocumentNode, of schema: DocumentNode) throws(DocumentError) -> String? {
    if let example = try example(beside: node), fits(example, try document.resolved(schema).node) {
      return example.json
    }
    return try value(of: schema)?.json
  }

  /// Returns a value; nil if none of finite size is possible.
  func value(of schema: DocumentNode, depth: Int = 0) throws(DocumentError) -> DocumentNode? {
    guard depth <= Self.maximumDepth else { return nil }
    let (node, _) = try document.resolved(schema)
    if let given = node["example"] ?? node["examples"]?.elements.first ?? node["const"],
      fits(given, node)
    {
      return given
    }
    if let first = node["enum"]?.elements.first(where: { !$0.isNull }) { return first }
    if let list = node["oneOf"] ?? node["anyOf"] {
      let real = list.elements.filter { $0["type"]?.text != "null" }
      if let first = real.first(where: { !SchemaComposition.isAnnotation($0) }) {
        let base = DocumentNode(
          .object(node.entries.filter { $0.key != "oneOf" && $0.key != "anyOf" }), line: node.line)
        let variant = try value(of: first, depth: depth + 1)
        guard let variant, variant.isObject else { return variant }
        let own = try value(of: base, depth: depth + 1).map { $0.isObject ? $0.entries : [] } ?? []
        let names = Set(variant.entries.map(\.key))
        let merged = own.filter { !names.contains($0.key) } + variant.entries
        return discriminated(merged, node["discriminator"], first, node.line)
      }
    }
    return try made(of: node, depth: depth)
  }

  /// Sets the discriminator of an object to the value of the alternative.
  private func discriminated(
    _ entries: [DocumentNode.Entry], _ discriminator: DocumentNode?, _ variant: DocumentNode, _ line: Int
  ) -> DocumentNode {
    guard let property = discriminator?["propertyName"]?.text, let reference = variant["$ref"]?.text else {
      return DocumentNode(.object(entries), line: line)
    }
    let name = SchemaPlanner.lastPart(of: reference)
    let mapped =
      discriminator?["mapping"]?.entries.filter { $0.value.text == reference || $0.value.text == name } ?? []
    let old = entries.first { $0.key == property }?.value.text
    // The alternative's own property already has a value that it permits.
    if let old, mapped.isEmpty || mapped.contains(where: { $0.key == old }), old != "text" {
      return DocumentNode(.object(entries), line: line)
    }
    let value = DocumentNode(.text(mapped.first?.key ?? name), line: line)
    return DocumentNode(
      .object(
        entries.filter { $0.key != property } + [DocumentNode.Entry(key: property, line: line, value: value)]),
      line: line)
  }

  /// Whether an example has the type of its schema, which not every document's examples have.
  private func fits(_ example: DocumentNode, _ schema: DocumentNode) -> Bool {
    let type = schema["type"]?.text ?? schema["type"]?.strings.first { $0 != "null" }
    switch (type, example.content) {
    case ("object", .object): return true
    case ("array", .list(let elements)):
      guard let items = schema["items"], let items = try? document.resolved(items).node else { return true }
      return elements.allSatisfy { fits($0, items) }
    case ("string", .text(let text)): return schema["format"]?.text != "date-time" || text.contains("T")
    case ("string", .plain(let text)):
      return example.scalar == .string && schema["format"]?.text != "date-time" || text.contains("T")
    case ("integer", .plain(let text)): return Int(text) != nil
    case ("number", .plain): return example.scalar == .number
    case ("boolean", .plain): return example.scalar == .boolean
    case (nil, _): return true
    default: return false
    }
  }

  private func made(of node: DocumentNode, depth: Int) throws(DocumentError) -> DocumentNode? {
    var notes = NoteList()
    let type = node["type"]?.text ?? node["type"]?.strings.first { $0 != "null" }
    if let composition = try document.composition(of: node, notes: &notes), !composition.properties.isEmpty {
      var entries: [DocumentNode.Entry] = []
      for property in composition.properties {
        let isRequired = composition.required.contains(property.key)
        let hasExample = try hasExample(property.schema)
        guard isRequired || depth < 2 && hasExample else { continue }
        guard let value = try value(of: property.schema, depth: depth + 1) else {
          if isRequired { return nil }
          continue
        }
        entries.append(DocumentNode.Entry(key: property.key, line: node.line, value: value))
      }
      return DocumentNode(.object(entries), line: node.line)
    }
    // A part of a composition that is no object.
    for part in node["allOf"]?.elements ?? [] where !SchemaComposition.isAnnotation(part) {
      return try value(of: part, depth: depth + 1)
    }
    func plain(_ text: String) -> DocumentNode { DocumentNode(.plain(text), line: node.line) }
    switch type {
    case "string":
      return DocumentNode(.text(Self.texts[node["format"]?.text ?? ""] ?? "text"), line: node.line)
    case "integer": return plain(node["minimum"]?.integer.map(String.init) ?? "1")
    case "number": return plain("1.5")
    case "boolean": return plain("true")
    case "null": return plain("null")
    case "array":
      var element: DocumentNode?
      if let items = node["items"] { element = try value(of: items, depth: depth + 1) }
      return DocumentNode(.list(element.map { [$0] } ?? []), line: node.line)
    default:
      if node["items"] != nil { return DocumentNode(.list([]), line: node.line) }
      return DocumentNode(.object([]), line: node.line)
    }
  }

  private func hasExample(_ schema: DocumentNode) throws(DocumentError) -> Bool {
    let node = try document.resolved(schema).node
    return node["example"] != nil || node["examples"] != nil
  }

  private static let texts = [
    "date-time": "2025-03-01T12:00:00Z", "date": "2025-03-01", "byte": "AAEC", "email": "ada@example.com",
    "uri": "https://example.com/", "uuid": "123e4567-e89b-12d3-a456-426614174000",
  ]
}
