import HTTPTypes
public import Interception

extension ResponseRule {
  /// Requires JSON in successful responses with content, of one API or of all by default.
  ///
  /// It checks `Content-Type`: `application/json` and anything that ends in `+json` (RFC 6839). This detects
  /// a captive portal that responds with 200 and a web page.
  public static func requiringJSON(of api: APIIdentity? = nil) -> ResponseRule {
    ResponseRule("JSON", appliesTo: isAbout(api)) { _, response in
      guard response.body.length != 0 else { return nil }
      guard let type = response.head.headerFields[.contentType] else {
        return "Have the server set the content type; JSON was expected, but there is none."
      }
      let essence = MediaTypeSyntax.essence(of: type)
      guard essence == "application/json" || essence.hasSuffix("+json") else {
        return
          "Check whether a portal or proxy responds instead of the server; expected JSON, got \(RequestCheck.quoted(essence))."
      }
      return nil
    }
  }

  /// Requires content in successful responses, of one API or of all by default.
  ///
  /// Responses to HEAD and those with 204, 205 or 304 never have content and are accepted, as is a stream of
  /// unknown length.
  public static func requiringBody(of api: APIIdentity? = nil) -> ResponseRule {
    ResponseRule("body", appliesTo: isAbout(api)) { _, response in
      response.body.length == 0 ? "Have the server send content; the response is empty." : nil
    }
  }

  private static func isAbout(_ api: APIIdentity?) -> @Sendable (Request, Response) -> Bool {
    { request, response in
      (200..<300).contains(response.status.code) && ![204, 205].contains(response.status.code)
        && request.head.method != .head && (api == nil || request.context.api == api)
    }
  }
}
