import HTTPTypes
public import Interception

extension ResponseRule {
  /// Demands JSON of an API's successful answers with content, or of all APIs' where none is named.
  ///
  /// It looks at `Content-Type`: `application/json` and everything that ends in `+json` (RFC 6839). A captive
  /// portal that answers 200 with a page is found out by it.
  public static func requiringJSON(of api: APIIdentity? = nil) -> ResponseRule {
    ResponseRule("JSON", appliesTo: isAbout(api)) { _, response in
      guard response.body.length != 0 else { return nil }
      guard let type = response.head.headerFields[.contentType] else {
        return "Have the server name the content type; JSON was expected, and there is none."
      }
      let essence = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
      guard essence == "application/json" || essence.hasSuffix("+json") else {
        return
          "Look at what answers in the server's place; JSON was expected, and the content type is \(RequestCheck.quoted(essence))."
      }
      return nil
    }
  }

  /// Demands content of an API's successful answers, or of all APIs' where none is named.
  ///
  /// Answers of HEAD and those with 204, 205 or 304 never have any, so they are let through, and so is a
  /// stream of unknown length.
  public static func requiringBody(of api: APIIdentity? = nil) -> ResponseRule {
    ResponseRule("body", appliesTo: isAbout(api)) { _, response in
      response.body.length == 0 ? "Have the server send content; the answer is empty." : nil
    }
  }

  private static func isAbout(_ api: APIIdentity?) -> @Sendable (Request, Response) -> Bool {
    { request, response in
      (200..<300).contains(response.status.code) && ![204, 205].contains(response.status.code)
        && request.head.method != .head && (api == nil || request.context.api == api)
    }
  }
}
