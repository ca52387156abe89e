public import HTTPTypes
public import Interception

extension ValidationRule {
  /// Constrains a query parameter, of one API or of all by default.
  ///
  /// ```swift
  /// ValidationRule.query("page", .required, .integer(in: 1...500), of: houses)
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
