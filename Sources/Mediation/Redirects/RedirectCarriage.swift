/// Checks that every value of a rule's target comes from somewhere and fits.
enum RedirectCarriage {
  /// What a pattern says of one placeholder.
  private enum Slot {
    case segment(ValueKind)
    case rest
    case field(ValueKind, isOptional: Bool)

    var kind: ValueKind {
      switch self {
      case .segment(let kind), .field(let kind, _): kind
      case .rest: .text
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
      } else if case .field(_, isOptional: true) = slot {
        continue
      } else {
        faults.append(.missing(name: name))
      }
    }
    return faults
  }

  private static func slots(of pattern: RoutePattern) -> [String: Slot] {
    var slots: [String: Slot] = [:]
    for segment in pattern.segments {
      switch segment {
      case .literal: continue
      case .value(let name, let kind): slots[name] = .segment(kind)
      case .rest(let name): slots[name] = .rest
      }
    }
    for field in pattern.fields { slots[field.name] = .field(field.kind, isOptional: field.isOptional) }
    return slots
  }

  /// Whether every value of one placeholder can stand in another.
  private static func fits(_ source: Slot, _ target: Slot) -> Bool {
    switch (source, target) {
    case (.rest, .rest), (.segment, .rest): true
    case (.rest, _), (.field, .rest): false
    case (.field(_, isOptional: true), .segment), (.field(_, isOptional: true), .field(_, isOptional: false)):
      false
    default: source.kind.isIncluded(in: target.kind)
    }
  }

  private static func fits(_ value: String, _ target: Slot) -> Bool {
    let bytes = Array(value.utf8)
    if bytes.contains(0) || bytes.count > URLLimits.parameter { return false }
    switch target {
    case .rest: return false
    case .segment(let kind): return !RouteURL.isDots(bytes[...]) && kind.matches(bytes[...])
    case .field(let kind, _): return kind == .text || kind.matches(bytes[...])
    }
  }
}
