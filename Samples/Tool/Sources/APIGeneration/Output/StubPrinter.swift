/// Prints the stub of a service: a dispatcher that responds with the document's examples.
struct StubPrinter {
  let namespace: String
  let module: String?
  let isPublic: Bool
  let operations: [OperationPlan]
  /// The examples of models: the type, and its value in JSON.
  let examples: [(type: String, json: String)]
  let basePath: String

  private var name: String { namespace + "Stub" }

  func print(to code: inout CodeWriter) {
    for name in ["APIManagers", "HTTPTypes", "Interception"] { code.line("import \(name)") }
    if let module { code.line("\(isPublic ? "" : "@testable ")import \(module)") }
    code.line()
    code.doc([
      "Responds to the requests of ``\(namespace)`` with the examples of the document, without a network.",
      "",
      "An operation without an example gets a value that the document permits.",
    ])
    code.block("struct \(name): Dispatcher") { code in
      code.doc(["Responses that replace those of the document, by the names of the endpoints."])
      code.line("var responses: [String: Response] = [:]")
      code.line()
      code.block("func dispatch(_ request: Request) async throws(NetworkError) -> Response") { code in
        code.line("let path = (request.head.path ?? \"\").prefix { $0 != \"?\" }")
        code.line(
          "let segments = path.dropFirst(\(basePath.count)).split(separator: \"/\", omittingEmptySubsequences: false)"
        )
        code.block(
          "guard path.hasPrefix(\(SwiftLiteral.text(basePath))), let route = Self.routes.first(where: { $0.matches(request.head.method, segments) }) else"
        ) { code in
          code.line("throw NetworkError(")
          code.line("  .rejected, \"The document has no \\(request.head.method) \\(path); check the path.\")")
        }
        code.line("if let response = responses[route.id] { return response }")
        code.line("var fields = HTTPFields()")
        code.line("if !route.contentType.isEmpty { fields[.contentType] = route.contentType }")
        code.line("return Response(")
        code.line("  status: HTTPResponse.Status(code: route.status), headerFields: fields,")
        code.line("  bytes: Array(route.content.utf8))")
      }
      code.line()
      printRoutes(to: &code)
    }
    printCalls(to: &code)
    printExamples(to: &code)
  }

  private func printRoutes(to code: inout CodeWriter) {
    code.block("private struct Route") { code in
      code.line("let id: String")
      code.line("let method: HTTPRequest.Method")
      code.line("let path: [String]")
      code.line("let status: Int")
      code.line("let contentType: String")
      code.line("let content: String")
      code.line()
      code.block("func matches(_ method: HTTPRequest.Method, _ segments: [Substring]) -> Bool") { code in
        code.line("method == self.method && segments.count == path.count")
        code.line("  && zip(path, segments).allSatisfy { $0.contains(\"{\") || $0 == $1 }")
      }
    }
    code.line()
    code.line("private static let routes: [Route] = [")
    // A path without placeholders precedes those that it could match.
    let order = operations.enumerated().sorted {
      (placeholders($0.element), $0.offset) < (placeholders($1.element), $1.offset)
    }
    for (_, operation) in order {
      let path = operation.path.map { piece in
        switch piece {
        case .literal(let text): text
        case .param: "{}"
        }
      }.joined()
      let segments = path.split(separator: "/", omittingEmptySubsequences: false).map {
        SwiftLiteral.text(String($0))
      }
      code.indented { code in
        code.line("Route(")
        code.line(
          "  id: \(SwiftLiteral.text(operation.id)), method: .\(operation.method), path: [\(segments.joined(separator: ", "))],"
        )
        code.line(
          "  status: \(operation.stub.status), contentType: \(SwiftLiteral.text(operation.stub.contentType ?? "")),"
        )
        code.line("  content: \(SwiftLiteral.text(operation.stub.content))),")
      }
    }
    code.line("]")
  }

  private func placeholders(_ operation: OperationPlan) -> Int {
    operation.path.count { if case .param = $0 { true } else { false } }
  }

  private func printCalls(to code: inout CodeWriter) {
    code.line()
    code.block("extension \(name)") { code in
      code.doc([
        "Calls every operation with the document's examples.", "",
        "- Returns: The errors, by the names of the endpoints.",
      ])
      code.block("static func callAll(_ client: APIClient) async -> [String: any Error]") { code in
        code.line("var errors: [String: any Error] = [:]")
        for operation in operations {
          code.line(
            "do { try await \(callName(operation))(client) } catch { errors[\(SwiftLiteral.text(operation.id))] = error }"
          )
        }
        code.line("return errors")
      }
      for operation in operations {
        code.line()
        code.block("private static func \(callName(operation))(_ client: APIClient) async throws") { code in
          printCall(operation, to: &code)
        }
      }
      code.line()
      code.doc(["Decodes a value of the document."])
      code.block("static func value<Value: Decodable>(_ json: String) throws -> Value") { code in
        code.line("try JSONCoding().decode(Value.self, from: Array(json.utf8))")
      }
    }
  }

  private func callName(_ operation: OperationPlan) -> String { "call\(operation.name)" }

  private func printCall(_ operation: OperationPlan, to code: inout CodeWriter) {
    var arguments: [String] = []
    for param in operation.params where param.isRequired || param.example != nil && !param.isFile {
      let name = SwiftName.label(param.name)
      if param.isFile {
        let file = "\(namespace).FileContent(.text(\"content\"), fileName: \"file\")"
        arguments.append("\(name): \(param.style == .repeated ? "[\(file)]" : file)")
      } else {
        arguments.append("\(name): try value(\(SwiftLiteral.text(param.example ?? "null")))")
      }
    }
    var order = arguments
    if let body = operation.body {
      var text: String?
      switch body.kind {
      case .json: text = body.example.map { "try value(\(SwiftLiteral.text($0)))" }
      case .raw: text = ".text(\"content\")"
      case .form, .multipart: break
      }
      if let text { order.append("body: \(text)") }
    }
    // The order of an initializer: what is required comes first.
    let required = Set(
      operation.params.filter(\.isRequired).map { SwiftName.label($0.name) }
        + (operation.body?.isRequired == true ? ["body"] : []))
    func isRequired(_ argument: String) -> Bool { required.contains(String(argument.prefix { $0 != ":" })) }
    order = order.filter(isRequired) + order.filter { !isRequired($0) }
    let hasParams =
      !operation.params.isEmpty
      || operation.body.map { body in
        switch body.kind {
        case .json, .raw: true
        case .form, .multipart: false
        }
      } == true
    guard hasParams else {
      return code.line("_ = try await client.load(\(namespace).\(operation.name)())")
    }
    code.list("let params = \(namespace).\(operation.name).Params", order, end: "")
    code.line("_ = try await client.load(\(namespace).\(operation.name)(), params)")
  }

  private func printExamples(to code: inout CodeWriter) {
    code.line()
    code.block("extension \(name)") { code in
      code.doc([
        "Decodes every example of the document's schemas, encodes it again, and returns what has changed."
      ])
      guard !examples.isEmpty else {
        return code.block("static func changedExamples() -> [String]") { code in code.line("[]") }
      }
      code.block("static func changedExamples() -> [String]") { code in
        code.line("var changed: [String] = []")
        for example in examples {
          code.line("check(\(namespace).\(example.type).self, \(SwiftLiteral.text(example.json)), &changed)")
        }
        code.line("return changed")
      }
      code.line()
      code.block(
        "private static func check<Value: Codable>(_ type: Value.Type, _ json: String, _ changed: inout [String])"
      ) { code in
        code.block("do") { code in
          code.line("let decoded: Value = try value(json)")
          code.line(
            "let again = try JSONCoding().decode(\(namespace).JSON.self, from: try JSONCoding().encode(decoded))"
          )
          code.line(
            "if again != (try value(json) as \(namespace).JSON) { changed.append(\"\\(type): \\(json)\") }")
        }
        code.block("catch") { code in code.line("changed.append(\"\\(type): \\(json): \\(error)\")") }
      }
    }
  }
}
