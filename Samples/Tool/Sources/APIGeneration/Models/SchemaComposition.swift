/// The properties of an object's schema together with those of the schemas that it is composed of.
struct SchemaComposition {
  struct Property {
    let key: String
    var schema: DocumentNode
  }

  var properties: [Property] = []
  var required: Set<String> = []
  /// The schema of other keys; nil if the document doesn't ask for them.
  var additional: DocumentNode?
  /// The alternatives of the one `oneOf` or `anyOf` among the parts.
  var alternatives: DocumentNode?
  var isNullable = false

  /// The keys by which a schema states something about its values, not only about itself.
  static let statements: Set<String> = [
    "$ref", "type", "properties", "items", "allOf", "oneOf", "anyOf", "enum", "const", "additionalProperties",
    "format",
  ]

  /// Whether a schema has nothing but annotations and names of required properties.
  static func isAnnotation(_ schema: DocumentNode) -> Bool {
    schema.isObject && !schema.entries.contains { statements.contains($0.key) }
  }

  mutating func add(_ key: String, _ schema: DocumentNode) {
    if let index = properties.firstIndex(where: { $0.key == key }) {
      // A later part that only describes a property keeps its type.
      if !Self.isAnnotation(schema) || Self.isAnnotation(properties[index].schema) {
        properties[index].schema = schema
      }
    } else {
      properties.append(Property(key: key, schema: schema))
    }
  }
}

extension SourceDocument {
  /// Returns the composition of an object's schema; nil if the schema is not that of an object.
  func composition(
    of schema: DocumentNode, visiting: Set<String> = [], notes: inout NoteList
  ) throws(DocumentError) -> SchemaComposition? {
    var composition = SchemaComposition()
    let isObject = try collect(schema, into: &composition, visiting: visiting, notes: &notes)
    return isObject ? composition : nil
  }

  private func collect(
    _ schema: DocumentNode, into composition: inout SchemaComposition, visiting: Set<String>,
    notes: inout NoteList
  ) throws(DocumentError) -> Bool {
    var visiting = visiting
    let (node, reference) = try resolved(schema)
    if let reference, !visiting.insert(reference).inserted {
      throw DocumentError(schema.line, "The schema \"\(reference)\" is composed of itself; break the cycle.")
    }
    guard visiting.count <= 64 else {
      throw DocumentError(schema.line, "Schemas are composed of one another more than 64 deep; merge some.")
    }
    var isObject = node["properties"] != nil || node["type"]?.text == "object"
    if let types = node["type"]?.strings, types.contains("object") { isObject = true }
    if node["type"]?.strings.contains("null") == true || node["nullable"]?.isTrue == true {
      composition.isNullable = true
    }
    // Parts come first, so that what the schema itself states is later and wins.
    for part in node["allOf"]?.elements ?? [] {
      if try collect(part, into: &composition, visiting: visiting, notes: &notes) { isObject = true }
    }
    for entry in node["properties"]?.entries ?? [] { composition.add(entry.key, entry.value) }
    composition.required.formUnion(node["required"]?.strings ?? [])
    if let additional = node["additionalProperties"], !additional.isFalse {
      composition.additional = additional
    }
    for key in ["oneOf", "anyOf"] {
      guard let list = node[key], list.elements.contains(where: { !SchemaComposition.isAnnotation($0) })
      else {
        if let list = node[key] {
          notes.add("alternatives that only require properties are not checked", list.line)
        }
        continue
      }
      // The base of a family of types lists the types that are composed of it.
      if list.elements.contains(where: { $0["$ref"]?.text.map(visiting.contains) == true }) { continue }
      if composition.alternatives != nil {
        notes.add("a second list of alternatives in one schema is ignored", list.line)
      } else {
        composition.alternatives = list
      }
    }
    return isObject
  }
}

extension DocumentNode {
  var isFalse: Bool { if case .plain("false") = content { true } else { false } }
}
