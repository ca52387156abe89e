public import HTTPTypes
public import Interception

/// A requirement for certain responses, regardless of how their API interprets them.
///
/// A rule sees the head and a body in memory, but no bytes of a stream. A response that violates a rule never
/// reaches the caller, so don't write rules about status codes that callers handle.
public struct ResponseRule: Sendable {
  /// The name used in violations.
  package let name: String
  /// The only API whose responses the rule is about; nil if `applies` alone decides.
  let api: APIIdentity?
  private let applies: @Sendable (Request, Response) -> Bool
  private let check: @Sendable (Request, Response) -> String?

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - applies: Whether the rule applies to a response; to successful ones by default.
  ///   - check: Returns nil, or a sentence that says what to do. It must not contain secrets, because it is
  ///     logged.
  public init(
    _ name: String,
    appliesTo applies: @escaping @Sendable (Request, Response) -> Bool = { _, response in
      (200..<300).contains(response.status.code)
    },
    check: @escaping @Sendable (Request, Response) -> String?
  ) {
    self.init(name: name, api: nil, appliesTo: applies, check: check)
  }

  /// Creates a rule about the responses of one API, or of all if it is nil.
  init(
    name: String, api: APIIdentity?,
    appliesTo applies: @escaping @Sendable (Request, Response) -> Bool = { _, _ in true },
    check: @escaping @Sendable (Request, Response) -> String?
  ) {
    self.name = name
    self.api = api
    self.applies = applies
    self.check = check
  }

  /// Returns the violation by a response, which is one of the rule's API.
  func violation(by response: Response, to request: Request) -> RuleViolation? {
    guard applies(request, response) else { return nil }
    return check(request, response).map { RuleViolation(rule: name, sentence: $0) }
  }
}

extension ResponseRule {
  /// Requires JSON in successful responses with content, of one API or of all by default.
  ///
  /// It checks `Content-Type`: `application/json` and anything that ends in `+json` (RFC 6839). This detects
  /// a captive portal that responds with 200 and a web page.
  public static func requiringJSON(of api: APIIdentity? = nil) -> ResponseRule {
    ResponseRule(name: "JSON", api: api, appliesTo: isSuccessWithContent) { _, response in
      guard response.body.length != 0 else { return nil }
      guard let type = response.head.headerFields.mediaType else {
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
  package static func requiringBody(of api: APIIdentity? = nil) -> ResponseRule {
    ResponseRule(name: "body", api: api, appliesTo: isSuccessWithContent) { _, response in
      response.body.length == 0 ? "Have the server send content; the response is empty." : nil
    }
  }

  /// Requires one of some statuses, of one API or of all by default.
  ///
  /// Use it for an API whose other statuses no caller can handle: any other response, a 304 and an error
  /// included, becomes an error of the request.
  package static func requiringStatus(
    _ codes: Set<Int>, of api: APIIdentity? = nil
  ) -> ResponseRule {
    ResponseRule(name: "status", api: api) { _, response in
      guard !codes.contains(response.status.code) else { return nil }
      let expected = codes.sorted().map(String.init).joined(separator: ", ")
      return
        "Check the request and the server; it responded with \(response.status.code) instead of \(expected)."
    }
  }

  /// Requires a media type in successful responses with content, of one API or of all by default.
  ///
  /// - Parameter types: Media types in lower case without parameters, such as `image/png`, or `image/*` for
  ///   all subtypes.
  package static func requiringContentType(
    _ types: [String], of api: APIIdentity? = nil
  ) -> ResponseRule {
    ResponseRule(name: "content type", api: api, appliesTo: isSuccessWithContent) { _, response in
      guard response.body.length != 0 else { return nil }
      let essence = response.head.headerFields.mediaType.map { MediaTypeSyntax.essence(of: $0) } ?? ""
      let isExpected = types.contains { type in
        type.hasSuffix("/*") ? essence.hasPrefix(type.dropLast()) : essence == type
      }
      guard !isExpected else { return nil }
      let found = essence.isEmpty ? "none" : RequestCheck.quoted(essence)
      return "Have the server set the content type to \(types.joined(separator: " or ")); it is \(found)."
    }
  }

  /// Requires header fields in successful responses, of one API or of all by default; an empty field counts
  /// as absent.
  package static func requiringFields(
    _ names: [HTTPField.Name], of api: APIIdentity? = nil
  ) -> ResponseRule {
    ResponseRule(name: "response fields", api: api, appliesTo: isSuccess) { _, response in
      let absent = names.filter { response.head.headerFields[$0]?.isEmpty ?? true }.map(\.rawName)
      return absent.isEmpty
        ? nil : "Have the server send the header fields \(absent.joined(separator: ", "))."
    }
  }

  private static let isSuccess: @Sendable (Request, Response) -> Bool = { _, response in
    (200..<300).contains(response.status.code)
  }

  private static let isSuccessWithContent: @Sendable (Request, Response) -> Bool = { request, response in
    (200..<300).contains(response.status.code) && ![204, 205].contains(response.status.code)
      && request.head.method != .head
  }
}
