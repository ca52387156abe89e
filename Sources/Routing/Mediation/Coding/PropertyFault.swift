/// A property and a placeholder that do not agree; nil stands for the one that is missing.
struct PropertyFault: Hashable {
  let property: String?
  let placeholder: String?
  let problem: String

  private init(_ property: String?, in pattern: RoutePattern, _ problem: String) {
    self.property = property
    placeholder = property.flatMap { pattern.kind(of: $0) == nil ? nil : $0 }
    self.problem = problem
  }

  private init(unread placeholder: String) {
    property = nil
    self.placeholder = placeholder
    problem = "no property is called \"\(placeholder)\"; add one, or remove the placeholder"
  }

  /// Reads a route from sample values of a pattern and compares what it has read with the pattern.
  static func all(
    in pattern: RoutePattern, _ read: (RouteInput) throws(RouteError) -> Void
  ) -> [PropertyFault] {
    guard let url = try? RouteURL(pattern.sampleURL(with: pattern)) else { return [] }
    let probe = RouteProbe(pattern)
    var faults: [PropertyFault] = []
    var failed: String?
    var isWhole = true
    do throws(RouteError) {
      try read(RouteInput(url: url, pattern: pattern, isFromOutside: false, probe: probe))
    } catch {
      // What follows the property in the route's type was not read.
      isWhole = false
      if error == probe.failure, case .parameter(let name, let reason, _) = error {
        failed = name
        faults.append(.init(name, in: pattern, Self.words(reason)))
      } else if probe.properties.isEmpty {
        faults.append(.init(nil, in: pattern, Self.undecodable(error)))
      }
      // Otherwise the route's own code rejects the samples.
    }
    if !probe.isUsed { return [] }
    for (name, property) in probe.properties where name != failed {
      guard let problem = property.problem(name, in: pattern) else { continue }
      faults.append(.init(name, in: pattern, problem))
    }
    if isWhole {
      let names = Set(probe.properties.map(\.name))
      faults += pattern.parameterNames.filter { !names.contains($0) }.map(PropertyFault.init(unread:))
    }
    return faults
  }

  private static func words(_ reason: RouteError.ParameterFault) -> String {
    reason.refusal ?? "it \(reason)"
  }

  private static func undecodable(_ error: RouteError) -> String {
    let cause = if case .failed(let cause, _) = error { "\(cause)" } else { "\(error)" }
    return "the route cannot be decoded from sample values: \(cause); write init(from:) and write(to:) for it"
  }
}

extension RouteProbe.Property {
  /// Returns what is wrong with the property and what to do, as a clause; nil if it agrees with the pattern.
  fileprivate func problem(_ name: String, in pattern: RoutePattern) -> String? {
    let wanted: RoutePattern.ValueKind? = if case .kind(let kind) = values { kind } else { nil }
    let notation = "{\(name)" + (wanted.map { ":\($0)" } ?? "") + (isOptional && !isList ? "?" : "") + "}"
    guard let kind = pattern.kind(of: name) else {
      return "there is no placeholder for it; add \(isList ? "{\(name)...} or a query field" : notation), or "
        + "remove the property"
    }
    let isTail = pattern.tailName == name
    if isList, isOptional {
      return "it is a list and optional; a list without elements is empty, so make it required"
    }
    if isList, !isTail, pattern.field(named: name) == nil {
      return "it is a list, and its placeholder is one segment; write the tail {\(name)...} or a query field"
    }
    if isTail, !isList || wanted != nil {
      return "its placeholder is a tail, whose segments are texts; make it an array of String"
    }
    if case .oneOf(let texts) = wanted, texts.count == 1 {
      return "its only value is \"\(texts[0])\"; write that in place of the placeholder, and remove the "
        + "property"
    }
    if let wanted, !Self.accepts(wanted, kind) {
      return "it does not accept every \(kind); write \(notation)"
    }
    if let refusedText {
      return "it does not accept the text \"\(refusedText)\" of its placeholder; remove the text, or add a "
        + "case"
    }
    let isRequired = pattern.requiredNames.contains(name)
    // A list is empty if there is no field.
    if !isRequired, !isOptional, !isList {
      return "its placeholder is optional; make the property optional, or remove the \"?\""
    }
    if isRequired, isOptional {
      return "it is optional, and its placeholder is not; write \(notation), or make the property required"
    }
    return nil
  }

  /// Returns whether a property of one kind can be read from and written to a placeholder of another.
  private static func accepts(_ wanted: RoutePattern.ValueKind, _ kind: RoutePattern.ValueKind) -> Bool {
    if case .oneOf = wanted { return wanted.isSame(as: kind) }
    return kind.isIncluded(in: wanted)
  }
}

extension RouteTableReview {
  /// Checks that the properties of a route that decodes itself agree with the placeholders of its patterns.
  mutating func checkProperties(of route: RouteDeclaration) {
    guard let read = route.probe else { return }
    // An alias repeats the faults of the route's own pattern.
    var known: Set<PropertyFault> = []
    for pattern in route.patterns where pattern.fault == nil && !route.readAliases.contains(pattern) {
      for fault in PropertyFault.all(in: pattern, read) where known.insert(fault).inserted {
        faults.append(
          .property(
            route.place(of: pattern), property: fault.property, placeholder: fault.placeholder,
            problem: fault.problem))
      }
    }
  }
}
