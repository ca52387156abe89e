public import HTTPTypes
public import Interception

/// A requirement for certain requests, beyond what every server requires.
///
/// Write a rule for a requirement of several APIs, or of an API with many callers. What only one manager
/// knows belongs in that manager's own validator.
public struct ValidationRule: Sendable {
  /// The name used in violations.
  public let name: String
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

/// A constraint on the text of a query parameter or a header field.
public struct ParameterConstraint: Sendable {
  /// Whether the parameter must be present, and not empty.
  let isRequired: Bool
  /// What the text must be, as the rest of a sentence that begins with the parameter.
  let clause: String
  private let admits: @Sendable (String) -> Bool

  private init(isRequired: Bool = false, _ clause: String, _ admits: @escaping @Sendable (String) -> Bool) {
    self.isRequired = isRequired
    self.clause = clause
    self.admits = admits
  }

  /// The parameter must be present, and not empty.
  ///
  /// Without this constraint an absent or empty parameter meets every other one.
  public static let required = ParameterConstraint(isRequired: true, "is required") { !$0.isEmpty }

  /// Requires a decimal integer without a plus sign or leading zeros, in a range if one is given.
  public static func integer(in range: ClosedRange<Int>? = nil) -> ParameterConstraint {
    let bounds = range.map { " from \($0.lowerBound) to \($0.upperBound)" } ?? ""
    return ParameterConstraint("must be an integer\(bounds)") { text in
      guard let value = Int(text), String(value) == text else { return false }
      return range?.contains(value) ?? true
    }
  }

  /// Requires a finite decimal number, in a range if one is given.
  public static func number(in range: ClosedRange<Double>? = nil) -> ParameterConstraint {
    let bounds = range.map { " from \($0.lowerBound) to \($0.upperBound)" } ?? ""
    return ParameterConstraint("must be a number\(bounds)") { text in
      // The initializer also accepts hexadecimal numbers and names such as "nan".
      guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let value = Double(text),
        value.isFinite
      else { return false }
      return range?.contains(value) ?? true
    }
  }

  /// Requires a number of characters.
  public static func length(_ range: ClosedRange<Int>) -> ParameterConstraint {
    ParameterConstraint("must have \(range.lowerBound) to \(range.upperBound) characters") {
      // Counting bytes first bounds the time for a text that is far too long.
      $0.utf8.count / 64 <= range.upperBound && range.contains($0.count)
    }
  }

  /// Requires one of some texts.
  public static func oneOf(_ texts: [String]) -> ParameterConstraint {
    let known = Set(texts)
    return ParameterConstraint("must be one of \(texts.joined(separator: ", "))") { known.contains($0) }
  }

  /// Requires that the whole text matches a regular expression.
  ///
  /// - Parameters:
  ///   - description: What the text must be, as in "a district code of four letters".
  ///   - makeRegex: Creates the expression for each check, because a `Regex` cannot be shared by threads.
  public static func matching<Output>(
    _ description: String, _ makeRegex: @escaping @Sendable () -> Regex<Output>
  ) -> ParameterConstraint {
    ParameterConstraint("must be \(description)") { (try? makeRegex().wholeMatch(in: $0)) != nil }
  }

  /// Requires what a closure decides.
  ///
  /// - Parameter description: What the text must be, as in "a date that is not in the past".
  public static func satisfying(
    _ description: String, _ admits: @escaping @Sendable (String) -> Bool
  ) -> ParameterConstraint {
    ParameterConstraint("must be \(description)", admits)
  }

  /// Whether the values of a parameter meet the constraint; empty ones count as absent, and nil stands
  /// for one that isn't text.
  func isMet(by values: [String?]) -> Bool {
    let values = values.filter { $0?.isEmpty != true }
    if values.isEmpty || isRequired { return values.isEmpty != isRequired }
    return values.allSatisfy { $0.map(admits) ?? false }
  }
}
