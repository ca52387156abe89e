/// Prints the type of an operation.
struct OperationPrinter {
  let access: String
  let namespace: String
  let declarations: [String: ModelDeclaration]
  /// Whether the document asks for credentials, which an operation can do without.
  let hasSecurity: Bool

  func print(_ operation: OperationPlan, to code: inout CodeWriter) {
    code.line()
    code.doc(operation.doc)
    code.block("\(access)struct \(operation.name): API") { code in
      printParams(operation, to: &code)
      printOutput(operation.successes, isFailure: false, to: &code)
      printOutput(operation.failures, isFailure: true, to: &code)
      printEndpoint(operation, to: &code)
      code.line()
      code.line("\(access)init() {}")
      printReading(operation.successes, isFailure: false, to: &code)
      printReading(operation.failures, isFailure: true, to: &code)
      if let paging = operation.paging { printPages(paging, operation.name, to: &code) }
    }
  }

  private func printPages(_ paging: OperationPlan.Paging, _ name: String, to code: inout CodeWriter) {
    code.line()
    code.doc(["Returns the items of all pages; `size` is the number of items of a page."])
    code.list(
      "\(access)static func pages", ["of params: Params", "size: Int = 20", "from client: APIClient"],
      end: " -> PagedItems<\(paging.itemType)> {")
    code.indented { code in
      code.line("client.items(of: \(name)(), size: size) { page in")
      code.indented { code in
        code.line("var params = params")
        let values = [
          (paging.cursorParam, "cursor"), (paging.pageParam, "number"), (paging.offsetParam, "offset"),
          (paging.sizeParam, "size"),
        ]
        for case (let param?, let value) in values {
          code.line("params.\(SwiftName.written(param)) = page.\(value)")
        }
        code.line("return params")
      }
      code.line("} content: { output in")
      let next =
        switch paging.next {
        case .whileFull: "whileFull"
        case .cursor(let name): "cursor(output.\(SwiftName.written(name)))"
        case .total(let name): "total(output.\(SwiftName.written(name)))"
        }
      let items = "output.\(SwiftName.written(paging.items))\(paging.areItemsOptional ? " ?? []" : "")"
      code.line("  PageContent(\(items), next: .\(next))")
      code.line("}")
    }
    code.line("}")
  }

  // MARK: Params

  private struct Field {
    /// The name without backticks.
    let name: String
    let type: String
    let isRequired: Bool
    let doc: [String]
  }

  private func fields(_ operation: OperationPlan) -> [Field] {
    var fields = operation.params.map {
      Field(name: $0.name, type: $0.typeCode, isRequired: $0.isRequired, doc: $0.doc)
    }
    if let body = operation.body, let type = bodyType(body) {
      fields.append(
        Field(
          name: "body", type: type + (body.isRequired ? "" : "?"), isRequired: body.isRequired,
          doc: body.doc.isEmpty ? ["The content of the request."] : body.doc))
    }
    return fields
  }

  private func bodyType(_ body: OperationPlan.Body) -> String? {
    switch body.kind {
    case .json(let type, _): type.code
    case .raw: "RequestBody"
    case .form, .multipart: nil
    }
  }

  private func printParams(_ operation: OperationPlan, to code: inout CodeWriter) {
    let fields = fields(operation)
    guard !fields.isEmpty else { return code.line("\(access)typealias Params = NoParams") }
    code.block("\(access)struct Params: Sendable") { code in
      for field in fields {
        code.doc(field.doc)
        code.line("\(access)var \(SwiftName.written(field.name)): \(field.type)")
      }
      code.line()
      let sorted = fields.filter(\.isRequired) + fields.filter { !$0.isRequired }
      code.list(
        "\(access)init",
        sorted.map { "\(SwiftName.label($0.name)): \($0.type)\($0.isRequired ? "" : " = nil")" }, end: " {")
      code.indented { code in
        for field in fields {
          let name = SwiftName.written(field.name)
          code.line("self.\(name) = \(name)")
        }
      }
      code.line("}")
    }
    code.line()
  }

  // MARK: Outputs

  /// Returns the one type of all responses; nil if the status decides.
  static func single(_ outcomes: [OperationPlan.Outcome]) -> OperationPlan.Outcome.Content? {
    let contents = Set(outcomes.map(\.content))
    return contents.count <= 1 ? contents.first ?? OperationPlan.Outcome.Content.none : nil
  }

  private func printOutput(_ outcomes: [OperationPlan.Outcome], isFailure: Bool, to code: inout CodeWriter) {
    let name = isFailure ? "Failure" : "Output"
    if let single = Self.single(outcomes) {
      // Neither a response without content nor raw content is decoded.
      if isFailure, single == .text || single == .bytes { return }
      if let type = single.code { code.line("\(access)typealias \(name) = \(type)") }
      return
    }
    code.doc([
      isFailure
        ? "The content of a rejected response, by its status." : "The content of a response, by its status."
    ])
    code.block("\(access)enum \(name): Sendable") { code in
      for outcome in outcomes {
        if outcome.content == .none { code.doc(["No content."]) }
        code.line(
          "case \(SwiftName.written(outcome.caseName))\(outcome.content.code.map { "(\($0))" } ?? "")")
      }
    }
    code.line()
  }

  private func printReading(_ outcomes: [OperationPlan.Outcome], isFailure: Bool, to code: inout CodeWriter) {
    let head =
      isFailure
      ? "\(access)func failure(from response: APIResponse) throws -> Failure"
      : "\(access)func output(from response: APIResponse) throws -> Output"
    if let single = Self.single(outcomes) {
      guard single == .text, !isFailure else { return }
      code.line()
      code.block(head) { code in code.line("response.text ?? \"\"") }
      return
    }
    code.line()
    code.block(head) { code in
      code.line("switch response.status.code {")
      // A status precedes its class, and that precedes the rest.
      for outcome in outcomes.sorted(by: { rank($0.status) < rank($1.status) }) {
        let value = SwiftName.written(outcome.caseName)
        let result: String =
          switch outcome.content {
          case .none: ".\(value)"
          case .text: ".\(value)(response.text ?? \"\")"
          case .bytes: ".\(value)(response)"
          case .json(let type, let isNullable):
            ".\(value)(try response.json(as: \(type.code)\(isNullable ? "?" : "").self))"
          }
        code.line("\(label(outcome.status)): \(result)")
      }
      if !outcomes.contains(where: { $0.status == "DEFAULT" }) {
        code.line("case let status:")
        code.indented { code in
          code.line(
            "throw DecodingMismatchError(\"The document describes no content for the status \\(status).\")")
        }
      }
      code.line("}")
    }
  }

  private func rank(_ status: String) -> Int { status == "DEFAULT" ? 2 : status.hasSuffix("XX") ? 1 : 0 }

  private func label(_ status: String) -> String {
    if status == "DEFAULT" { return "default" }
    guard status.hasSuffix("XX") else { return "case \(status)" }
    return "case \(status.prefix(1))00..<\((Int(status.prefix(1)) ?? 0) + 1)00"
  }

  // MARK: Endpoint

  private func printEndpoint(_ operation: OperationPlan, to code: inout CodeWriter) {
    let path = operation.path.map { piece in
      switch piece {
      case .literal(let text): String(SwiftLiteral.text(text).dropFirst().dropLast())
      case .param(let name): "\\(\\.\(SwiftName.written(name)))"
      }
    }.joined()
    let method = operation.method == "get" ? "" : "method: .\(operation.method), "
    let arguments = "\(namespace).service, \(SwiftLiteral.text(operation.id)), \(method)path: \"\(path)\","
    let needsEncoding =
      operation.body != nil || !operation.constants.isEmpty || operation.params.contains { $0.place != .path }
    let skipsCredentials = operation.isAnonymous && hasSecurity
    let variable =
      skipsCredentials
      ? "var endpoint = Endpoint<Params>(" : "\(access)static let endpoint = Endpoint<Params>("
    func body(_ code: inout CodeWriter) {
      code.line(variable)
      code.indented { code in
        code.line(arguments)
        guard needsEncoding else { return code.line("encoding: .pathOnly)") }
        code.line("encoding: .custom { params throws(ParamsError) in")
        code.indented { code in printEncoding(operation, to: &code) }
        code.line("})")
      }
    }
    guard skipsCredentials else { return body(&code) }
    code.block("\(access)static let endpoint: Endpoint<Params> =", end: "}()") { code in
      body(&code)
      code.line("// The document asks for no credentials.")
      code.line("endpoint.context.sendsCredentials = false")
      code.line("return endpoint")
    }
  }

  private func printEncoding(_ operation: OperationPlan, to code: inout CodeWriter) {
    var arguments: [String] = []
    let hasParams = operation.params.contains { $0.place == .query }
    if hasParams || !operation.constants.isEmpty {
      code.line("\(hasParams ? "var" : "let") query: FormFields = [\(constants(operation))]")
      for param in operation.params where param.place == .query { printField(param, "query", to: &code) }
      arguments.append("query: query")
    }
    if operation.params.contains(where: { $0.place == .header }) {
      code.line("var headerFields = HTTPFields()")
      for param in operation.params where param.place == .header { printHeader(param, to: &code) }
      arguments.append("headerFields: headerFields")
    }
    guard let body = operation.body else {
      return code.line("return .init(\(arguments.joined(separator: ", ")))")
    }
    let others = arguments.isEmpty ? "" : ", " + arguments.joined(separator: ", ")
    let query = arguments.contains("query: query") ? "query: query, " : ""
    let fields = arguments.contains("headerFields: headerFields") ? ", headerFields: headerFields" : ""
    switch body.kind {
    case .form:
      code.line("var form: FormFields = [:]")
      for param in operation.params where param.place == .field { printField(param, "form", to: &code) }
      code.line("return .init(.form(form)\(others))")
    case .multipart:
      code.line("var form = MultipartForm()")
      for param in operation.params where param.place == .part { printPart(param, to: &code) }
      code.line("return .init(.multipart(form)\(others))")
    case .raw(let type), .json(_, let type):
      let isJSON = if case .json = body.kind { true } else { false }
      if !body.isRequired {
        let rest = arguments.joined(separator: ", ")
        code.line("guard let body = params.body else { return .init(\(rest)) }")
      }
      let value = body.isRequired ? "params.body" : "body"
      code.list(
        "return .init",
        [
          "\(query)body: \(isJSON ? "try \(namespace).json(\(value))" : value)",
          "contentType: \(SwiftLiteral.text(type))\(fields)",
        ],
        end: "")
    }
  }

  /// The elements of the literal with the fields that are always sent.
  private func constants(_ operation: OperationPlan) -> String {
    guard !operation.constants.isEmpty else { return ":" }
    return operation.constants.map { "\(SwiftLiteral.text($0.key)): \(SwiftLiteral.text($0.value))" }
      .joined(separator: ", ")
  }

  /// Returns the expression that turns a value of a type into text; nil if none does.
  func text(_ type: SwiftType, _ value: String) -> String? {
    switch type {
    case .text: return value
    case .integer, .number, .boolean: return "String(\(value))"
    case .date: return "\(namespace).text(\(value))"
    case .data: return "\(value).base64EncodedString()"
    case .model(let name):
      guard case .enumeration(let enumeration)? = declarations[name]?.kind else { return nil }
      return enumeration.isInteger ? "String(\(value).rawValue)" : "\(value).rawValue"
    case .array, .dictionary, .optional, .json: return nil
    }
  }

  /// Writes lines that use a param, if it is given.
  private func printUse(
    _ param: OperationPlan.Param, to code: inout CodeWriter, _ line: (_ value: String) -> String
  ) {
    let value = "params.\(SwiftName.written(param.name))"
    if param.isRequired {
      code.line(line(value))
    } else {
      code.line("if let value = \(value) { \(line("value")) }")
    }
  }

  private func printField(_ param: OperationPlan.Param, _ fields: String, to code: inout CodeWriter) {
    let key = SwiftLiteral.text(param.key)
    printUse(param, to: &code) { value in
      switch param.style {
      case .repeated:
        "for element in \(value) { \(fields).append(\(key), \(elementText(param, "element"))) }"
      case .joined(let separator):
        "\(fields).append(\(key), \(value).map { \(elementText(param, "$0")) }.joined(separator: \(SwiftLiteral.text(separator))))"
      case .composed(let isDeep, let explodes):
        "for (name, text) in try \(namespace).fields(\(value), \(key), isDeep: \(isDeep), explodes: \(explodes)) { \(fields).append(name, text) }"
      case .single: "\(fields).append(\(key), \(text(param.type, value) ?? "\(value)"))"
      case .json, .file: "\(fields).append(\(key), try \(namespace).jsonText(\(value)))"
      }
    }
  }

  private func elementText(_ param: OperationPlan.Param, _ value: String) -> String {
    guard case .array(let element) = param.type else { return value }
    return text(element, value) ?? value
  }

  private func printHeader(_ param: OperationPlan.Param, to code: inout CodeWriter) {
    let key = SwiftLiteral.text(param.key)
    printUse(param, to: &code) { value in
      let content =
        switch param.style {
        case .single: text(param.type, value) ?? value
        case .joined, .repeated: "\(value).map { \(elementText(param, "$0")) }.joined(separator: \",\")"
        case .composed, .json, .file: "try \(namespace).jsonText(\(value))"
        }
      return "try \(namespace).set(\(key), to: \(content), in: &headerFields)"
    }
  }

  private func printPart(_ param: OperationPlan.Param, to code: inout CodeWriter) {
    let key = SwiftLiteral.text(param.key)
    printUse(param, to: &code) { value in
      if param.isFile {
        return param.style == .repeated
          ? "for element in \(value) { try element.append(to: &form, named: \(key)) }"
          : "try \(value).append(to: &form, named: \(key))"
      }
      switch param.style {
      case .repeated:
        return "for element in \(value) { form.append(\(elementText(param, "element")), named: \(key)) }"
      case .joined(let separator):
        return
          "form.append(\(value).map { \(elementText(param, "$0")) }.joined(separator: \(SwiftLiteral.text(separator))), named: \(key))"
      case .single: return "form.append(\(text(param.type, value) ?? value), named: \(key))"
      case .composed, .json, .file: return "form.append(try \(namespace).jsonText(\(value)), named: \(key))"
      }
    }
  }
}
