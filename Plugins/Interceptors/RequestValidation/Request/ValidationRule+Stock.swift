public import HTTPTypes
public import Interception

extension ValidationRule {
  /// Demands query parameters of an API, or of all where none is named; one without a value counts as absent.
  public static func requiringQuery(_ names: [String], of api: APIIdentity? = nil) -> ValidationRule {
    ValidationRule("query", appliesTo: isAbout(api)) { request in
      let items = QueryItems(request.head.path ?? "").items.filter { !$0.value.isEmpty }
      let present = Set(items.map(\.name))
      return sentence(names.filter { !present.contains(Array($0.utf8)) }, "query parameter", in: request)
    }
  }

  /// Demands header fields of an API, or of all where none is named; an empty one counts as absent.
  public static func requiringFields(_ names: [HTTPField.Name], of api: APIIdentity? = nil) -> ValidationRule
  {
    ValidationRule("required fields", appliesTo: isAbout(api)) { request in
      let absent = names.filter { request.head.headerFields[$0]?.isEmpty ?? true }
      return sentence(absent.map(\.rawName), "header field", in: request)
    }
  }

  /// Demands a body, and a `Content-Type` that says what it is, of an API, or of all where none is named.
  public static func requiringBody(of api: APIIdentity? = nil) -> ValidationRule {
    ValidationRule("required body", appliesTo: isAbout(api)) { request in
      if request.body.isEmpty { return "Give \(subject(request)) a body; it has none." }
      guard request.head.headerFields.contains(.contentType) else {
        return "Say in Content-Type what the body of \(subject(request)) is."
      }
      return nil
    }
  }

  private static func isAbout(_ api: APIIdentity?) -> @Sendable (Request) -> Bool {
    { request in api == nil || request.context.api == api }
  }

  private static func sentence(_ absent: [String], _ kind: String, in request: Request) -> String? {
    guard !absent.isEmpty else { return nil }
    let plural = absent.count == 1 ? kind : kind + "s"
    return "Add the \(plural) \(absent.joined(separator: ", ")) to \(subject(request))."
  }

  private static func subject(_ request: Request) -> String {
    request.context.api.map { "the request of \($0)" } ?? "the request"
  }
}
