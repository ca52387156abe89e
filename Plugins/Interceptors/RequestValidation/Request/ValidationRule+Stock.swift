public import HTTPTypes
public import Interception

extension ValidationRule {
  /// Requires query parameters, of one API or of all by default; a parameter without a value counts as
  /// absent.
  public static func requiringQuery(_ names: [String], of api: APIIdentity? = nil) -> ValidationRule {
    ValidationRule(name: "query", api: api) { request in
      let items = QueryItems(request.head.path ?? "").items.filter { !$0.value.isEmpty }
      let present = Set(items.map(\.name))
      return sentence(names.filter { !present.contains(Array($0.utf8)) }, "query parameter", in: request)
    }
  }

  /// Requires header fields, of one API or of all by default; an empty field counts as absent.
  public static func requiringFields(_ names: [HTTPField.Name], of api: APIIdentity? = nil) -> ValidationRule
  {
    ValidationRule(name: "required fields", api: api) { request in
      let absent = names.filter { request.head.headerFields[$0]?.isEmpty ?? true }
      return sentence(absent.map(\.rawName), "header field", in: request)
    }
  }

  /// Requires a body with a `Content-Type`, of one API or of all by default.
  public static func requiringBody(of api: APIIdentity? = nil) -> ValidationRule {
    ValidationRule(name: "required body", api: api) { request in
      if request.body.isEmpty { return ["Give \(subject(request)) a body; it has none."] }
      guard request.head.headerFields.contains(.contentType) else {
        return ["Set the Content-Type of the body of \(subject(request))."]
      }
      return []
    }
  }

  private static func sentence(_ absent: [String], _ kind: String, in request: Request) -> [String] {
    guard !absent.isEmpty else { return [] }
    let plural = absent.count == 1 ? kind : kind + "s"
    return ["Add the \(plural) \(absent.joined(separator: ", ")) to \(subject(request))."]
  }

  /// The request in a sentence, by its API if it has one.
  static func subject(_ request: Request) -> String {
    request.context.api.map { "the request of \($0)" } ?? "the request"
  }
}
