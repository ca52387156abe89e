import Foundation

/// Plans the operations of a document, and the types that they need.
struct OperationPlanner {
  let document: SourceDocument
  var schemas: SchemaPlanner
  private(set) var operations: [OperationPlan] = []
  let examples: ExampleMaker
  private var ids: NameScope
  private(set) var tags: Set<String> = []
  private(set) var count = 0

  /// The maximum number of operations of a document.
  static let maximumCount = 20_000

  static let methods: Set<String> = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

  init(_ document: SourceDocument, namespace: String) {
    self.document = document
    schemas = SchemaPlanner(document, namespace: namespace)
    examples = ExampleMaker(document: document)
    ids = NameScope()
  }

  mutating func note(_ text: String, _ line: Int) { schemas.notes.add(text, line) }

  /// Plans all operations, or those of some tags.
  mutating func plan(only: Set<String>) throws(DocumentError) {
    if let hooks = document.root["webhooks"] { note("webhooks are not generated", hooks.line) }
    for path in document.root["paths"]?.entries ?? [] {
      let (item, _) = try document.resolved(path.value)
      for entry in item.entries where Self.methods.contains(entry.key) {
        count += 1
        guard count <= Self.maximumCount else {
          throw DocumentError(
            entry.line, "The document has more than \(Self.maximumCount) operations; split it by tags.")
        }
        let tags = Set(entry.value["tags"]?.strings ?? [])
        self.tags.formUnion(tags)
        guard only.isEmpty || !only.isDisjoint(with: tags) else { continue }
        try plan(entry, path, item)
      }
    }
  }

  private mutating func plan(
    _ entry: DocumentNode.Entry, _ path: DocumentNode.Entry, _ item: DocumentNode
  ) throws(DocumentError) {
    let operation = entry.value
    noteUnsupported(operation, item)
    let (fixed, isFixed) = Self.constants(of: path.key)
    guard path.key.hasPrefix("/"), isFixed else {
      return note(
        "an operation whose path doesn't begin with a slash, or has a query with placeholders, is not generated",
        path.line)
    }
    if path.key.contains("#") { note("the fragment of a path is not sent", path.line) }
    let given = operation["operationId"]?.text
    let proposed = SwiftName.type(given ?? "\(entry.key) \(path.key)")
    let name = schemas.names.unique(proposed, suffix: "Operation")
    var scope = NameScope(reserved: ["body"])
    var params = try params(of: operation, item, name, &scope)
    let pieces = try pieces(of: path, &params, &scope)
    let body = try body(of: operation, name, &params, &scope)
    let outcomes = try outcomes(of: operation, name)
    var doc = DocComment.lines(operation["summary"]?.text)
    let details = DocComment.lines(operation["description"]?.text)
    if details != doc { doc += (doc.isEmpty || details.isEmpty ? [] : [""]) + details }
    doc += (doc.isEmpty ? [] : [""]) + ["`\(entry.key.uppercased()) \(path.key)`"]
    if operation["deprecated"]?.isTrue == true { doc = DocComment.deprecated(doc) }
    var pages: OperationPlan.Paging?
    if let rule = operation[Self.pagingKey] { pages = try paging(by: rule, params, outcomes.successes) }
    operations.append(
      OperationPlan(
        name: name, id: ids.unique(given ?? SwiftName.member("\(entry.key) \(path.key)")),
        method: entry.key, path: pieces, constants: fixed, doc: doc, params: params, body: body,
        successes: outcomes.successes, failures: outcomes.failures, isAnonymous: isAnonymous(operation),
        paging: pages, stub: outcomes.stub))
  }

  /// Returns the fields of a query in a path, and whether it has no placeholders.
  private static func constants(of path: String) -> ([OperationPlan.Constant], Bool) {
    guard let mark = path.firstIndex(of: "?") else { return ([], true) }
    let query = path[path.index(after: mark)...].prefix { $0 != "#" }
    let constants = query.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
        String(part).removingPercentEncoding ?? String(part)
      }
      return OperationPlan.Constant(key: parts[0], value: parts.count > 1 ? parts[1] : "")
    }
    return (constants, !query.contains("{"))
  }

  private func isAnonymous(_ operation: DocumentNode) -> Bool {
    guard let security = operation["security"] else { return false }
    return security.elements.isEmpty || security.elements.allSatisfy { $0.entries.isEmpty }
  }

  private mutating func noteUnsupported(_ operation: DocumentNode, _ item: DocumentNode) {
    if let node = operation["callbacks"] { note("callbacks are not generated", node.line) }
    if let node = operation["servers"] ?? item["servers"] {
      note("the servers of one operation are not used, only those of the document", node.line)
    }
    if let node = operation["security"], !node.elements.isEmpty,
      node.json != document.root["security"]?.json, !isAnonymous(operation)
    {
      note(
        "the security of one operation is not told apart; the interceptor sends the same credentials",
        node.line)
    }
  }

  // MARK: Params

  private mutating func params(
    of operation: DocumentNode, _ item: DocumentNode, _ name: String, _ scope: inout NameScope
  ) throws(DocumentError) -> [OperationPlan.Param] {
    var nodes: [DocumentNode] = []
    var seen: Set<[String]> = []
    for node in (operation["parameters"]?.elements ?? []) + (item["parameters"]?.elements ?? []) {
      let (param, _) = try document.resolved(node)
      guard let key = param["name"]?.text, let place = param["in"]?.text else {
        throw DocumentError(param.line, "A parameter needs \"name\" and \"in\"; add them.")
      }
      if seen.insert([key, place]).inserted { nodes.append(param) }
    }
    var params: [OperationPlan.Param] = []
    for node in nodes {
      let place: OperationPlan.Place
      switch node["in"]?.text {
      case "path": place = .path
      case "query": place = .query
      case "header": place = .header
      case "cookie":
        note("parameters in cookies are not generated; the cookie store sends cookies", node.line)
        continue
      default:
        throw DocumentError(node.line, "The \"in\" of a parameter is path, query, header or cookie; use one.")
      }
      if let param = try param(node, place, name, &scope) { params.append(param) }
    }
    return params
  }

  private mutating func param(
    _ node: DocumentNode, _ place: OperationPlan.Place, _ name: String, _ scope: inout NameScope
  ) throws(DocumentError) -> OperationPlan.Param? {
    let key = node["name"]?.text ?? ""
    if place == .header {
      guard !key.isEmpty, key.utf8.allSatisfy({ Self.isToken($0) }) else {
        throw DocumentError(node.line, "The header \"\(key.prefix(60))\" is no field name; correct it.")
      }
      // The document can't describe these (OpenAPI, Parameter Object).
      if ["accept", "content-type", "authorization"].contains(key.lowercased()) {
        note("a header parameter \(key) is ignored, as OpenAPI requires", node.line)
        return nil
      }
    }
    let content = node["content"]?.entries.first
    let schema = node["schema"] ?? content?.value["schema"] ?? DocumentNode(.object([]), line: node.line)
    var type = try schemas.type(of: schema, named: name + SwiftName.type(key)).type
    var style = style(of: node, type, place, isJSON: content != nil)
    if place == .path, !isSingle(type) {
      note("a path parameter that is no text, number or enumeration is generated as a text", node.line)
      (type, style) = (.text, .single)
    }
    return OperationPlan.Param(
      key: key, name: scope.unique(SwiftName.member(key)), place: place, style: style, type: type,
      isRequired: place == .path || node["required"]?.isTrue == true,
      doc: DocComment.lines(node["description"]?.text),
      example: place == .path && type == .text
        ? "\"text\"" : try examples.json(beside: node, of: schema))
  }

  static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private func isEnumeration(_ type: SwiftType) -> Bool {
    if case .model(let name) = type, case .enumeration? = schemas.declarations[name]?.kind {
      true
    } else {
      false
    }
  }

  /// Whether a param of a type is one text, as a path can hold it.
  private func isSingle(_ type: SwiftType) -> Bool {
    switch type {
    case .text, .integer, .number, .boolean: true
    default: isEnumeration(type)
    }
  }

  private func style(
    of node: DocumentNode, _ type: SwiftType, _ place: OperationPlan.Place, isJSON: Bool
  ) -> OperationPlan.Style {
    if isJSON { return .json }
    let given = node["style"]?.text ?? (place == .query || place == .field ? "form" : "simple")
    let explodes = node["explode"].map(\.isTrue) ?? (given == "form" || given == "deepObject")
    if isSingle(type) || type == .date || type == .data { return .single }
    if case .array(let element) = type, isSingle(element) || element == .date || element == .data {
      switch given {
      case "spaceDelimited": return .joined(" ")
      case "pipeDelimited": return .joined("|")
      default: return explodes && place != .header ? .repeated : .joined(",")
      }
    }
    return .composed(isDeep: given == "deepObject", explodes: explodes)
  }

  /// Returns the pieces of a path; a placeholder without a parameter becomes a text.
  private mutating func pieces(
    of path: DocumentNode.Entry, _ params: inout [OperationPlan.Param], _ scope: inout NameScope
  ) throws(DocumentError) -> [OperationPlan.PathPiece] {
    var pieces: [OperationPlan.PathPiece] = []
    var rest = path.key.prefix { $0 != "#" && $0 != "?" }
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw DocumentError(
          path.line, "The path \"\(path.key.prefix(100))\" has a brace that is not closed; close it.")
      }
      let key = String(rest[rest.index(after: open)..<close])
      if open > rest.startIndex { pieces.append(.literal(String(rest[..<open]))) }
      if let param = params.first(where: { $0.place == .path && $0.key == key }) {
        pieces.append(.param(param.name))
      } else {
        note("a placeholder of the path has no parameter, and is generated as a text", path.line)
        let name = scope.unique(SwiftName.member(key))
        params.append(
          OperationPlan.Param(
            key: key, name: name, place: .path, style: .single, type: .text, isRequired: true, doc: [],
            example: "\"text\""))
        pieces.append(.param(name))
      }
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { pieces.append(.literal(String(rest))) }
    params.removeAll { param in
      guard param.place == .path else { return false }
      return !pieces.contains { if case .param(param.name) = $0 { true } else { false } }
    }
    return pieces
  }

  // MARK: Bodies

  private mutating func body(
    of operation: DocumentNode, _ name: String, _ params: inout [OperationPlan.Param],
    _ scope: inout NameScope
  ) throws(DocumentError) -> OperationPlan.Body? {
    guard let given = operation["requestBody"] else { return nil }
    let (node, _) = try document.resolved(given)
    let contents = node["content"]?.entries ?? []
    guard
      let content = contents.first(where: { MediaType.isJSON($0.key) })
        ?? contents.first(where: { MediaType.essence(of: $0.key) == MediaType.form })
        ?? contents.first(where: { MediaType.essence(of: $0.key) == MediaType.multipart }) ?? contents.first
    else { return nil }
    for other in contents where other.key != content.key {
      note(
        "another media type of a request's content, \(MediaType.essence(of: other.key)), is not generated",
        other.line)
    }
    let isRequired = node["required"]?.isTrue == true
    let doc = DocComment.lines(node["description"]?.text)
    let schema = content.value["schema"] ?? DocumentNode(.object([]), line: content.line)
    let essence = MediaType.essence(of: content.key)
    let raw = OperationPlan.Body(
      kind: .raw(contentType: MediaType.concrete(content.key)), isRequired: isRequired, doc: doc)
    switch essence {
    case MediaType.form, MediaType.multipart:
      guard let composition = try document.composition(of: schema, notes: &schemas.notes),
        !composition.properties.isEmpty
      else {
        note("a form whose schema is no object with properties is generated as raw content", content.line)
        return raw
      }
      if composition.alternatives != nil {
        note("the alternatives of a form are not generated", content.line)
      }
      let isMultipart = essence == MediaType.multipart
      for property in composition.properties {
        params.append(
          try part(
            property, of: composition, content.value["encoding"]?[property.key], name, isMultipart,
            isRequired, &scope))
      }
      return OperationPlan.Body(kind: isMultipart ? .multipart : .form, isRequired: isRequired, doc: doc)
    case _ where MediaType.isJSON(content.key):
      let planned = try schemas.type(of: schema, named: name + "Body")
      return OperationPlan.Body(
        kind: .json(planned.type, contentType: MediaType.concrete(content.key)),
        isRequired: isRequired, doc: doc,
        example: try examples.json(beside: content.value, of: schema))
    default: return raw
    }
  }

  private mutating func part(
    _ property: SchemaComposition.Property, of composition: SchemaComposition, _ encoding: DocumentNode?,
    _ name: String, _ isMultipart: Bool, _ isRequired: Bool, _ scope: inout NameScope
  ) throws(DocumentError) -> OperationPlan.Param {
    if let encoding, isMultipart {
      note("the encoding of a part, with its header fields and content type, is not generated", encoding.line)
    }
    let (node, _) = try document.resolved(property.schema)
    var items: DocumentNode?
    if let node = node["items"] { items = try document.resolved(node).node }
    let isFile = isMultipart && (Self.isBinary(node) || items.map { Self.isBinary($0) } == true)
    let planned =
      isFile
      ? PlannedType(type: .text)
      : try schemas.type(of: property.schema, named: name + SwiftName.type(property.key))
    var style: OperationPlan.Style = isFile ? (items == nil ? .file : .repeated) : .single
    if !isFile {
      style = self.style(of: encoding ?? node, planned.type, .field, isJSON: false)
      if isMultipart, case .composed = style { style = .json }
    }
    return OperationPlan.Param(
      key: property.key, name: scope.unique(SwiftName.member(property.key)),
      place: isMultipart ? .part : .field, style: style, type: planned.type, isFile: isFile,
      isRequired: isRequired && composition.required.contains(property.key) && !planned.isNullable,
      doc: DocComment.lines(node["description"]?.text),
      example: isFile ? nil : try examples.value(of: property.schema)?.json)
  }

  private static func isBinary(_ schema: DocumentNode) -> Bool {
    schema["format"]?.text == "binary" || schema["contentMediaType"] != nil
  }
}

/// Media types.
enum MediaType {
  static let form = "application/x-www-form-urlencoded"
  static let multipart = "multipart/form-data"

  /// The type without its parameters, in lowercase.
  static func essence(of text: String) -> String {
    text.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
  }

  static func isJSON(_ text: String) -> Bool {
    let essence = essence(of: text)
    return essence == "application/json" || essence.hasSuffix("+json") || essence == "*/*"
  }

  /// The type that is sent, which a range doesn't state.
  static func concrete(_ text: String) -> String {
    let essence = essence(of: text)
    if essence == "*/*" { return "application/json" }
    let parts = essence.split(separator: "/")
    guard parts.count == 2, parts[1] != "*",
      essence.utf8.allSatisfy({ OperationPlanner.isToken($0) || $0 == 0x2F })
    else { return "application/octet-stream" }
    return essence
  }
}
