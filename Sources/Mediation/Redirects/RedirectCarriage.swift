/// Checks that every parameter of a rule's target gets a value, and that the value fits.
enum RedirectCarriage {
  /// A placeholder as its pattern declares it.
  private enum Slot {
    case segment(ValueKind, isOptional: Bool)
    case rest
    case field(ValueKind, isOptional: Bool)

    var kind: ValueKind {
      switch self {
      case .segment(let kind, _), .field(let kind, _): kind
      case .rest: .text
      }
    }

    var isOptional: Bool {
      switch self {
      case .segment(_, let isOptional), .field(_, let isOptional): isOptional
      case .rest: false
      }
    }
  }

  static func faults(
    from source: RoutePattern, to target: RoutePattern, values: [String: String]
  ) -> [RedirectFault.Reason] {
    let given = slots(of: source)
    let wanted = slots(of: target)
    var faults: [RedirectFault.Reason] = []
    for name in values.keys.sorted() {
      if wanted[name] == nil { faults.append(.undeclared(name: name)) }
      if given[name] != nil { faults.append(.twice(name: name)) }
    }
    for name in target.parameterNames {
      guard let slot = wanted[name] else { continue }
      if let value = values[name] {
        if !fits(value, slot) { faults.append(.unfit(name: name)) }
      } else if let origin = given[name] {
        if !fits(origin, slot) { faults.append(.unfit(name: name)) }
      } else if !slot.isOptional {
        faults.append(.missing(name: name))
      }
    }
    return faults
  }

  private static func slots(of pattern: RoutePattern) -> [String: Slot] {
    var slots: [String: Slot] = [:]
    for (index, segment) in pattern.segments.enumerated() {
      switch segment {
      case .literal: continue
      case .value(let name, let kind):
        slots[name] = .segment(kind, isOptional: index >= pattern.leastCount)
      case .rest(let name): slots[name] = .rest
      }
    }
    for field in pattern.fields { slots[field.name] = .field(field.kind, isOptional: field.isOptional) }
    return slots
  }

  /// Returns whether every value of one placeholder is valid for another.
  private static func fits(_ source: Slot, _ target: Slot) -> Bool {
    switch (source, target) {
    case (.rest, .rest), (.segment(_, isOptional: false), .rest): true
    case (.rest, _), (_, .rest): false
    default: (target.isOptional || !source.isOptional) && source.kind.isIncluded(in: target.kind)
    }
  }

  private static func fits(_ value: String, _ target: Slot) -> Bool {
    if value.utf8.contains(0) || value.utf8.count > URLLimits.parameter { return false }
    switch target {
    case .rest: return false
    case .segment(let kind, _): return value != "." && value != ".." && kind.matches(value)
    case .field(let kind, _): return kind == .text || kind.matches(value)
    }
  }
}
