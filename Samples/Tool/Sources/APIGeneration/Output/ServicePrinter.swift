/// Prints the service of a document, and the ways to authenticate that it names.
struct ServicePrinter {
  let access: String
  let namespace: String
  let server: Server
  let schemes: [Scheme]

  /// The address of the first server.
  struct Server: Sendable {
    var scheme = "https"
    var authority = "localhost"
    var basePath = ""
  }

  /// A security scheme of the document.
  struct Scheme: Sendable {
    var name: String
    var doc: [String]
    /// The field of a key in a header; nil for the standard schemes.
    var keyField: String?
    /// The type of the library that authenticates.
    var libraryType: String
  }

  func print(title: String, doc: [String], to code: inout CodeWriter) {
    code.doc([title.isEmpty ? "The APIs of the document." : title] + (doc.isEmpty ? [] : [""] + doc))
    code.block("\(access)enum \(namespace)") { code in
      code.doc(["The service, which an `EnvironmentSwitch` can move to another address."])
      code.line("\(access)static let service = Service(")
      code.indented { code in
        var arguments = "authority: \(SwiftLiteral.text(server.authority))"
        if server.scheme != "https" {
          arguments = "scheme: \(SwiftLiteral.text(server.scheme)), " + arguments
        }
        if !server.basePath.isEmpty { arguments += ", basePath: \(SwiftLiteral.text(server.basePath))" }
        code.line("\(SwiftLiteral.text(serviceName)), at: ServiceAddress(\(arguments)))")
      }
      if !schemes.isEmpty { printAuthorization(to: &code) }
    }
    for scheme in schemes { if let field = scheme.keyField { printKey(scheme, field, to: &code) } }
  }

  private var serviceName: String { SwiftName.member(namespace) }

  private func printAuthorization(to code: inout CodeWriter) {
    code.line()
    code.doc(["Returns the interceptor that authenticates the requests to the service."])
    code.doc(["", "The document names these schemes:"])
    for scheme in schemes {
      let doc = scheme.doc.joined(separator: " ")
      code.doc(["- `\(scheme.name)`: `\(scheme.libraryType)`\(doc.isEmpty ? "" : ". " + doc)"])
    }
    code.block(
      "\(access)static func authorization(_ scheme: some AuthorizationScheme) throws -> AuthorizationInterceptor"
    ) {
      code in
      let origin = server.scheme == "https" ? server.authority : "\(server.scheme)://\(server.authority)"
      code.line("try AuthorizationInterceptor(scheme, for: [\(SwiftLiteral.text(origin))])")
    }
  }

  private func printKey(_ scheme: Scheme, _ field: String, to code: inout CodeWriter) {
    code.line()
    code.block("extension \(namespace)") { code in
      code.doc(["Sends a key in the field `\(field)`."])
      code.block("\(access)struct \(scheme.libraryType): AuthorizationScheme") { code in
        code.line("private let key: Credentials")
        code.line()
        code.doc(["Creates the scheme with a key, which is a secret."])
        code.block("\(access)init(key: String) throws(AuthorizationError)") { code in
          code.line(
            "self.key = try Credentials(key, in: HTTPField.Name(\(SwiftLiteral.text(field))) ?? .authorization)"
          )
        }
        code.line()
        code.line("\(access)func credentials(for request: Request) async throws -> Credentials? { key }")
        code.line()
        code.doc(["The key is the app's own, the same for every user."])
        code.line("\(access)func identity(for request: Request) -> Request.Identity? { .app }")
      }
    }
  }
}

extension OperationPlanner {
  /// Returns the address of the document's first server.
  mutating func server() -> ServicePrinter.Server {
    var server = ServicePrinter.Server()
    guard let node = document.root["servers"]?.elements.first, var url = node["url"]?.text else {
      note("the document has no server; move the service to an address by an EnvironmentSwitch", 1)
      return server
    }
    for entry in node["variables"]?.entries ?? [] {
      url = url.replacing("{\(entry.key)}", with: entry.value["default"]?.text ?? entry.key)
    }
    if let others = document.root["servers"]?.elements.dropFirst().first {
      note("only the first server is used; the others can be environments", others.line)
    }
    guard let colon = url.firstRange(of: "://") else {
      note("the server has no host; move the service to an address by an EnvironmentSwitch", node.line)
      server.basePath = url.hasPrefix("/") && url.count > 1 ? url : ""
      return server
    }
    let rest = url[colon.upperBound...]
    server.scheme = url[..<colon.lowerBound].lowercased()
    server.authority = String(rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" })
    let path = rest.dropFirst(server.authority.count).prefix { $0 != "?" && $0 != "#" }
    server.basePath = path.hasSuffix("/") ? String(path.dropLast()) : String(path)
    if server.authority.isEmpty { server.authority = "localhost" }
    return server
  }

  /// Returns the security schemes that the chain can serve.
  mutating func schemes() throws(DocumentError) -> [ServicePrinter.Scheme] {
    var schemes: [ServicePrinter.Scheme] = []
    for entry in document.root["components"]?["securitySchemes"]?.entries ?? [] {
      let (node, _) = try document.resolved(entry.value)
      var scheme = ServicePrinter.Scheme(
        name: entry.key, doc: DocComment.lines(node["description"]?.text), libraryType: "BearerAuthorization")
      switch (node["type"]?.text, node["scheme"]?.text?.lowercased(), node["in"]?.text) {
      case ("http", "bearer", _), ("oauth2", _, _), ("openIdConnect", _, _): break
      case ("http", "basic", _): scheme.libraryType = "BasicAuthorization"
      case ("http", "digest", _): scheme.libraryType = "DigestAuthorization"
      case ("apiKey", _, "header"):
        guard let field = node["name"]?.text, !field.isEmpty, field.utf8.allSatisfy({ Self.isToken($0) })
        else {
          throw DocumentError(node.line, "The key's \"name\" is no field name; correct it.")
        }
        scheme.keyField = field
        scheme.libraryType = schemas.names.unique(SwiftName.type(entry.key), suffix: "Authorization")
      default:
        note(
          "a key in a query or a cookie, and other schemes, are not generated; write an interceptor",
          entry.line)
        continue
      }
      schemes.append(scheme)
    }
    return schemes
  }
}
