/// Plans the types of schemas: which Swift type a schema has, and which types have to be declared for it.
struct SchemaPlanner {
  let document: SourceDocument
  var notes = NoteList()
  private(set) var declarations: [String: ModelDeclaration] = [:]
  var names: NameScope
  private var componentNames: [String: String] = [:]
  private var planned: [String: PlannedType] = [:]
  private var inProgress: Set<String> = []
  private var recursed: Set<String> = []
  /// Objects that were referred to and have to be declared.
  ///
  /// They wait, so that long chains of references need no recursion.
  private var waiting: [(reference: String, node: DocumentNode)] = []
  private var depth = 0

  /// The name of a type that is declared.
  enum ModelName {
    case exact(String)
    case proposed(String)

    var text: String {
      switch self {
      case .exact(let text), .proposed(let text): text
      }
    }

    func inner(_ text: String) -> ModelName { .proposed(self.text + SwiftName.type(text)) }
  }

  /// Names that generated code uses, or that Swift doesn't permit for a type within a type.
  static let reserved: Set<String> = [
    "APIClient", "AuthorizationError", "CaseIterable", "Identifiable", "JSONCoding", "PageContent", "UTF8",
    "API", "APIError", "APIResponse", "Any", "Array", "AuthorizationInterceptor", "AuthorizationScheme",
    "Bool",
    "Codable", "CodingKey", "CodingKeys", "Credentials", "Data", "Date", "Decodable", "Decoder", "Dictionary",
    "Double", "Encodable", "Encoder", "Endpoint", "Error", "Failure", "FileContent", "FormFields",
    "HTTPField",
    "HTTPFields", "Hashable", "Int", "JSON", "JSONKey", "Keys", "MultipartForm", "Never", "NoParams",
    "Optional", "Output", "Params", "ParamsEncoding", "ParamsError", "Protocol", "Request", "RequestBody",
    "RequestContent", "RawRepresentable", "Result", "Self", "Sendable", "Service", "ServiceAddress", "Set",
    "String", "Type", "NetworkError", "DecodingMismatchError", "PagedItems",
  ]

  init(_ document: SourceDocument, namespace: String) {
    self.document = document
    names = NameScope(reserved: Self.reserved.union([namespace]))
    // In the order of the document, so that a name doesn't depend on what is generated.
    for entry in document.root["components"]?["schemas"]?.entries ?? [] {
      let pointer = entry.key.replacing("~", with: "~0").replacing("/", with: "~1")
      componentNames["#/components/schemas/\(pointer)"] = names.unique(
        SwiftName.type(entry.key), suffix: "Model")
    }
  }

  /// Returns the type of a schema, and plans the declarations that it needs.
  mutating func type(of schema: DocumentNode, named name: String) throws(DocumentError) -> PlannedType {
    let type = try plan(schema, .proposed(name))
    while let next = waiting.popLast() { try declareObject(next.reference, next.node) }
    return type
  }

  /// The name of the type of a schema among the components, if it is declared.
  func name(of reference: String) -> String? { componentNames[reference] }

  // MARK: References

  private mutating func planReference(_ schema: DocumentNode) throws(DocumentError) -> PlannedType {
    let (node, reference) = try document.resolved(schema)
    guard let reference else { return try plan(node, .proposed("Model")) }
    if let type = planned[reference] { return type }
    let name: String
    if let known = componentNames[reference] {
      name = known
    } else {
      name = names.unique(SwiftName.type(Self.lastPart(of: reference)), suffix: "Model")
      componentNames[reference] = name
    }
    guard inProgress.insert(reference).inserted else {
      recursed.insert(reference)
      return PlannedType(type: .model(name))
    }
    defer { inProgress.remove(reference) }
    if node["properties"]?.entries.isEmpty == false,
      !node.entries.contains(where: { ["allOf", "oneOf", "anyOf", "enum", "const"].contains($0.key) }),
      !Self.hasSeveralTypes(node)
    {
      let type = PlannedType(type: .model(name), isNullable: Self.isNullable(node))
      planned[reference] = type
      waiting.append((reference, node))
      return type
    }
    var type = try plan(node, .exact(name), reference: reference)
    if recursed.contains(reference), type.type != .model(name) {
      notes.add("a schema that contains itself without an object is generated as any JSON", node.line)
      declarations[name] = ModelDeclaration(name: name, doc: Self.doc(of: node), kind: .alias(.json))
      type.type = .model(name)
    }
    planned[reference] = type
    return type
  }

  private mutating func declareObject(_ reference: String, _ node: DocumentNode) throws(DocumentError) {
    guard let composition = try document.composition(of: node, visiting: [reference], notes: &notes),
      let name = componentNames[reference]
    else { return }
    noteUnsupported(node)
    try declare(composition, .exact(name), node)
  }

  static func lastPart(of reference: String) -> String {
    reference.split(separator: "/").last.map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    } ?? "Model"
  }

  // MARK: Schemas

  private static func hasSeveralTypes(_ node: DocumentNode) -> Bool {
    (node["type"]?.strings ?? []).count { $0 != "null" } > 1
  }

  static func isNullable(_ node: DocumentNode) -> Bool {
    node["nullable"]?.isTrue == true || node["type"]?.strings.contains("null") == true
      || node["type"]?.text == "null"
      || node["enum"]?.elements.contains { $0.isNull } == true
  }

  static func doc(of node: DocumentNode) -> [String] {
    DocComment.lines(node["description"]?.text ?? node["title"]?.text)
  }

  private mutating func plan(
    _ schema: DocumentNode, _ name: ModelName, reference: String? = nil
  ) throws(DocumentError) -> PlannedType {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 256 else {
      throw DocumentError(
        schema.line, "Schemas without a name are nested more than 256 deep; name some of them.")
    }
    guard schema.isObject else {
      guard schema.isTrue else {
        throw DocumentError(schema.line, "A schema is expected here; write an object.")
      }
      return PlannedType(type: .json)
    }
    if schema["$ref"] != nil { return try planReference(schema) }
    noteUnsupported(schema)
    let isNullable = Self.isNullable(schema)

    if let parts = schema["allOf"]?.elements {
      let others = schema.entries.filter {
        SchemaComposition.statements.contains($0.key) && $0.key != "allOf"
      }
      let real = parts.filter { !SchemaComposition.isAnnotation($0) }
      let onlyObject = others.allSatisfy { $0.key == "type" }
      if real.count == 1, let only = real.first, onlyObject, !Self.addsRequired(parts, schema) {
        var type = try plan(only, name)
        type.isNullable = type.isNullable || isNullable || parts.contains { Self.isNullable($0) }
        return type
      }
    }
    let visiting: Set<String> = reference.map { [$0] } ?? []
    if schema["allOf"] != nil || schema["properties"] != nil {
      if let composition = try document.composition(of: schema, visiting: visiting, notes: &notes) {
        if let list = composition.alternatives {
          return try planAlternatives(list, of: schema, composition, name, isNullable: isNullable)
        }
        if !composition.properties.isEmpty {
          return try declare(composition, name, schema, isNullable: isNullable || composition.isNullable)
        }
      } else if let list = try firstAlternatives(in: schema, visiting) {
        return try planUnion(
          list.elements, discriminator: schema["discriminator"], base: nil, name, schema,
          isNullable: isNullable)
      }
    }
    if let list = schema["oneOf"] ?? schema["anyOf"],
      list.elements.contains(where: { !SchemaComposition.isAnnotation($0) })
    {
      return try planUnion(
        list.elements, discriminator: schema["discriminator"], base: nil, name, schema, isNullable: isNullable
      )
    }
    var type = try planPlain(schema, name)
    type.isNullable = type.isNullable || isNullable
    return type
  }

  private static func addsRequired(_ parts: [DocumentNode], _ schema: DocumentNode) -> Bool {
    schema["required"] != nil
      || parts.contains { $0["$ref"] == nil && $0["required"] != nil && $0["properties"] == nil }
  }

  /// Returns the alternatives among the parts of a schema that is no object.
  private mutating func firstAlternatives(
    in schema: DocumentNode, _ visiting: Set<String>
  ) throws(DocumentError) -> DocumentNode? {
    for part in schema["allOf"]?.elements ?? [] {
      let (node, _) = try document.resolved(part)
      if let list = node["oneOf"] ?? node["anyOf"] {
        notes.add("parts beside the alternatives of an allOf are not checked", schema.line)
        return list
      }
    }
    return nil
  }

  private mutating func noteUnsupported(_ schema: DocumentNode) {
    for (key, text) in Self.unsupported {
      if let node = schema[key] { notes.add(text, node.line) }
    }
    if schema["discriminator"] != nil, schema["oneOf"] == nil, schema["anyOf"] == nil {
      notes.add("a discriminator without alternatives is not used; list them in a oneOf", schema.line)
    }
    if let node = schema["additionalProperties"], node.isFalse {
      notes.add("other properties than those of a schema are not refused", node.line)
    }
    for key in ["readOnly", "writeOnly"] {
      if let node = schema[key], node.isTrue {
        notes.add("\(key) is not told apart; one type serves both ways", node.line)
      }
    }
    if let node = Self.constraints.lazy.compactMap({ schema[$0] }).first {
      notes.add("limits of values, such as minimum and pattern, are not checked", node.line)
    }
  }

  private static let constraints = [
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
    "pattern",
    "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
  ]

  private static let unsupported = [
    ("default", "defaults are not generated; what is absent is nil"),
    ("not", "\"not\" is not checked"), ("if", "\"if\" is not checked"),
    ("patternProperties", "patternProperties are not distinguished from other properties"),
    ("prefixItems", "a list whose elements have different types is generated as a list of any JSON"),
    ("$dynamicRef", "$dynamicRef is generated as any JSON"),
  ]

  private mutating func planPlain(_ schema: DocumentNode, _ name: ModelName) throws(DocumentError)
    -> PlannedType
  {
    if let constant = schema["const"] { return try planValues([constant], schema, name) }
    if let values = schema["enum"]?.elements {
      return try planValues(values.filter { !$0.isNull }, schema, name)
    }
    let types = schema["type"].map { $0.text.map { [$0] } ?? $0.strings } ?? []
    let real = types.filter { $0 != "null" }
    guard real.count <= 1 else {
      let variants = real.map { type in
        DocumentNode(
          .object(
            [
              DocumentNode.Entry(
                key: "type", line: schema.line, value: DocumentNode(.text(type), line: schema.line))
            ]
              + schema.entries.filter { !["type", "nullable", "enum"].contains($0.key) }), line: schema.line)
      }
      return try planUnion(variants, discriminator: nil, base: nil, name, schema, isNullable: false)
    }
    switch real.first ?? Self.impliedType(schema) {
    case "string": return PlannedType(type: Self.textType(schema["format"]?.text))
    case "integer": return PlannedType(type: .integer)
    case "number": return PlannedType(type: .number)
    case "boolean": return PlannedType(type: .boolean)
    case "array":
      guard schema["prefixItems"] == nil, let items = schema["items"], items.isObject else {
        return PlannedType(type: .array(.json))
      }
      return PlannedType(type: .array(element(try plan(items, name.inner("item")))))
    case "object":
      if let additional = schema["additionalProperties"], additional.isObject, !additional.entries.isEmpty {
        return PlannedType(type: .dictionary(element(try plan(additional, name.inner("value")))))
      }
      return PlannedType(type: .dictionary(.json))
    case nil: return PlannedType(type: .json)
    case let type?:
      throw DocumentError(
        schema["type"]?.line ?? schema.line,
        "The type \"\(type.prefix(40))\" is not known; use string, number, integer, boolean, array or object."
      )
    }
  }

  private func element(_ planned: PlannedType) -> SwiftType {
    planned.isNullable ? .optional(planned.type) : planned.type
  }

  private static func impliedType(_ schema: DocumentNode) -> String? {
    if schema["items"] != nil { return "array" }
    if schema["additionalProperties"]?.isObject == true { return "object" }
    return nil
  }

  static func textType(_ format: String?) -> SwiftType {
    switch format {
    case "date-time": .date
    case "byte": .data
    default: .text
    }
  }

  // MARK: Values

  private mutating func planValues(
    _ values: [DocumentNode], _ schema: DocumentNode, _ name: ModelName
  ) throws(DocumentError) -> PlannedType {
    let isString = values.allSatisfy {
      $0.string != nil || schema["type"]?.text == "string" && $0.text != nil
    }
    if isString, !values.isEmpty {
      return declareValues(values.compactMap(\.text), isInteger: false, Self.doc(of: schema), name)
    }
    if values.allSatisfy({ $0.integer != nil }), !values.isEmpty {
      return declareValues(values.compactMap(\.text), isInteger: true, Self.doc(of: schema), name)
    }
    if values.allSatisfy({ $0.scalar == .number }), !values.isEmpty { return PlannedType(type: .number) }
    if values.allSatisfy({ $0.scalar == .boolean }), !values.isEmpty { return PlannedType(type: .boolean) }
    notes.add("an enumeration of values of different types is generated as any JSON", schema.line)
    return PlannedType(type: .json)
  }

  private mutating func declareValues(
    _ values: [String], isInteger: Bool, _ doc: [String], _ name: ModelName
  ) -> PlannedType {
    var scope = NameScope()
    var seen: Set<String> = []
    let named = values.filter { seen.insert($0).inserted }.map { value in
      (name: scope.unique(SwiftName.member(value)), value: value)
    }
    return declare(.enumeration(ModelDeclaration.Enumeration(isInteger: isInteger, values: named)), doc, name)
  }

  private mutating func declare(
    _ kind: ModelDeclaration.Kind, _ doc: [String], _ name: ModelName
  ) -> PlannedType {
    let unique: String
    switch name {
    case .exact(let text): unique = text
    case .proposed(let text): unique = names.unique(text, suffix: "Model")
    }
    declarations[unique] = ModelDeclaration(name: unique, doc: doc, kind: kind)
    return PlannedType(type: .model(unique))
  }

  // MARK: Objects

  @discardableResult private mutating func declare(
    _ composition: SchemaComposition, _ name: ModelName, _ schema: DocumentNode, isNullable: Bool = false
  ) throws(DocumentError) -> PlannedType {
    // The name is taken before those of the properties' types.
    let type = declare(
      .structure(ModelDeclaration.Structure(properties: [])), Self.doc(of: schema), name)
    guard case .model(let unique) = type.type else { return type }
    let inner = ModelName.exact(unique)
    var scope = NameScope(reserved: ["additionalProperties"])
    var properties: [ModelDeclaration.Property] = []
    for property in composition.properties {
      let planned = try plan(property.schema, inner.inner(property.key))
      var doc = DocComment.lines(property.schema["description"]?.text)
      if property.schema["deprecated"]?.isTrue == true { doc = DocComment.deprecated(doc) }
      properties.append(
        ModelDeclaration.Property(
          key: property.key, name: scope.unique(SwiftName.member(property.key)), doc: doc, type: planned.type,
          isRequired: composition.required.contains(property.key), isNullable: planned.isNullable))
      if planned.isNullable, !composition.required.contains(property.key) {
        notes.add(
          "a property that may be both absent and null is nil for both, and is left out when it is sent",
          property.schema.line)
      }
    }
    var additional: SwiftType?
    if let schema = composition.additional {
      additional =
        schema.isTrue || schema.entries.isEmpty ? .json : element(try plan(schema, inner.inner("value")))
    }
    declarations[unique]?.kind = .structure(
      ModelDeclaration.Structure(properties: properties, additional: additional))
    return PlannedType(type: type.type, isNullable: isNullable)
  }
}

extension SchemaPlanner {
  /// Declares a type that another part of the planner has made.
  mutating func declareUnion(
    _ union: ModelDeclaration.Union, _ doc: [String], _ name: ModelName
  ) -> PlannedType { declare(.union(union), doc, name) }

  mutating func declareTexts(_ values: [String], _ doc: [String], _ name: ModelName) -> PlannedType {
    declareValues(values, isInteger: false, doc, name)
  }

  mutating func planVariant(_ schema: DocumentNode, _ name: ModelName) throws(DocumentError) -> PlannedType {
    try plan(schema, name)
  }

  /// Reserves the name of a union before those of its variants are taken.
  mutating func taken(_ name: ModelName) -> String {
    switch name {
    case .exact(let text): text
    case .proposed(let text): names.unique(text, suffix: "Model")
    }
  }
}
