public import HTTPTypes
public import Interception

/// A requirement for certain requests, beyond what every server requires.
///
/// Write a rule for a requirement of several APIs, or of an API with many callers. What only one manager
/// knows belongs in that manager's own validator.
public struct ValidationRule: Sendable {
  /// The name used in violations.
  package let name: String
  /// The only API whose requests the rule is about; nil if `applies` alone decides.
  let api: APIIdentity?
  private let applies: @Sendable (Request) -> Bool
  private let check: @Sendable (Request) -> [String]

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - applies: Whether the rule applies to a request; to every request by default.
  ///   - check: Returns nil, or a sentence that says what to do. It must not contain secrets, because it is
  ///     logged.
  public init(
    _ name: String, appliesTo applies: @escaping @Sendable (Request) -> Bool = { _ in true },
    check: @escaping @Sendable (Request) -> String?
  ) {
    self.name = name
    api = nil
    self.applies = applies
    self.check = { request in check(request).map { [$0] } ?? [] }
  }

  /// Creates a rule about the requests of one API, or of all if it is nil.
  init(name: String, api: APIIdentity?, check: @escaping @Sendable (Request) -> [String]) {
    self.name = name
    self.api = api
    applies = { _ in true }
    self.check = check
  }

  /// Returns the violations by a request, which is one of the rule's API.
  func violations(by request: Request) -> [RuleViolation] {
    applies(request) ? check(request).map { RuleViolation(rule: name, sentence: $0) } : []
  }
}

extension ValidationRule {
  /// Requires query parameters, of one API or of all by default; a parameter without a value counts as
  /// absent.
  package static func requiringQuery(_ names: [String], of api: APIIdentity? = nil) -> ValidationRule {
    ValidationRule(name: "query", api: api) { request in
      let items = QueryItems(request.head.path ?? "").items.filter { !$0.value.isEmpty }
      let present = Set(items.map(\.name))
      return sentence(names.filter { !present.contains(Array($0.utf8)) }, "query parameter", in: request)
    }
  }

  /// Requires header fields, of one API or of all by default; an empty field counts as absent.
  package static func requiringFields(_ names: [HTTPField.Name], of api: APIIdentity? = nil) -> ValidationRule
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

extension ValidationRule {
  /// Constrains a query parameter, of one API or of all by default.
  ///
  /// ```swift
  /// let rule = ValidationRule.query("page", .required, .integer(in: 1...500), of: houses)
  /// ```
  ///
  /// If the parameter occurs several times, each value must meet the constraints. Values that aren't
  /// percent-encoded UTF-8 meet none but ``ParameterConstraint/required``.
  public static func query(
    _ name: String, _ constraints: ParameterConstraint..., of api: APIIdentity? = nil
  ) -> ValidationRule {
    let bytes = Array(name.utf8)
    return ValidationRule(name: "query", api: api) { request in
      let items = QueryItems(request.head.path ?? "").items.filter { $0.name == bytes }
      return sentences(
        constraints, of: "query parameter \(name)", items.map { String(validating: $0.value, as: UTF8.self) },
        in: request)
    }
  }

  /// Constrains a header field, of one API or of all by default.
  public static func field(
    _ name: HTTPField.Name, _ constraints: ParameterConstraint..., of api: APIIdentity? = nil
  ) -> ValidationRule {
    ValidationRule(name: "fields", api: api) { request in
      let values = request.head.headerFields[values: name]
      return sentences(constraints, of: "header field \(name.rawName)", values, in: request)
    }
  }

  private static func sentences(
    _ constraints: [ParameterConstraint], of parameter: String, _ values: [String?], in request: Request
  ) -> [String] {
    constraints.filter { !$0.isMet(by: values) }.map { constraint in
      "Correct \(subject(request)): the \(parameter) \(constraint.clause)."
    }
  }
}
