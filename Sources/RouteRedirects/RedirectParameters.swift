import Mediation

/// Checks that every parameter of a rule's target gets a value, and that the value fits.
enum RedirectParameters {
  /// A placeholder as its pattern declares it.
  private struct Placeholder {
    let kind: RoutePattern.ValueKind
    /// Whether a URL may omit the value.
    let isOptional: Bool
    /// Whether it stands for the rest of the path.
    let isTail: Bool
    /// Whether it stands for the value of a query field.
    let isField: Bool
  }

  static func faults(
    from source: RoutePattern, to target: RoutePattern, values: [String: String]
  ) -> [RedirectFault.Reason] {
    let given = placeholders(of: source)
    let wanted = placeholders(of: target)
    var faults: [RedirectFault.Reason] = []
    for name in values.keys.sorted() {
      if wanted[name] == nil { faults.append(.undeclared(name: name)) }
      if given[name] != nil { faults.append(.twice(name: name)) }
    }
    for name in target.parameterNames {
      guard let placeholder = wanted[name] else { continue }
      if let value = values[name] {
        if !fits(value, placeholder) { faults.append(.unfit(name: name)) }
      } else if let origin = given[name] {
        if !fits(origin, placeholder) { faults.append(.unfit(name: name)) }
      } else if !placeholder.isOptional {
        faults.append(.missing(name: name))
      }
    }
    return faults
  }

  private static func placeholders(of pattern: RoutePattern) -> [String: Placeholder] {
    let required = Set(pattern.requiredNames)
    var placeholders: [String: Placeholder] = [:]
    for name in pattern.parameterNames {
      placeholders[name] = Placeholder(
        kind: pattern.kind(of: name) ?? .text, isOptional: !required.contains(name),
        isTail: pattern.tailName == name, isField: pattern.hasField(for: name))
    }
    return placeholders
  }

  /// Returns whether every value of one placeholder is valid for another.
  private static func fits(_ source: Placeholder, _ target: Placeholder) -> Bool {
    if source.isTail { return target.isTail }
    // A tail is at least one segment, and a query field may be empty.
    if target.isTail { return !source.isOptional && !source.isField }
    return (target.isOptional || !source.isOptional) && source.kind.isIncluded(in: target.kind)
  }

  private static func fits(_ value: String, _ target: Placeholder) -> Bool {
    if value.utf8.contains(0) || value.utf8.count > URLLimits.parameter || target.isTail { return false }
    if target.isField { return target.kind == .text || target.kind.matches(value) }
    return value != "." && value != ".." && target.kind.matches(value)
  }
}
