/// The values that a route writes for the placeholders of its pattern, from which its URL is built.
public struct RouteOutput: Sendable {
  private let pattern: RoutePattern
  private var texts: [String: [String]] = [:]
  /// The reason why the route could not be written.
  var fault: RouteError?

  package init(_ pattern: RoutePattern) { self.pattern = pattern }

  /// Sets the value of a placeholder; of an optional one, nil omits it.
  public mutating func set(_ name: String, to value: (some RouteValue)?) {
    texts[name] = value.map { [$0.routeText] } ?? []
  }

  /// Sets the values of a repeated query field.
  public mutating func set(_ name: String, toAll values: [some RouteValue]) {
    texts[name] = values.map(\.routeText)
  }

  /// Sets the segments of the tail placeholder; at least one is required.
  public mutating func set(_ name: String, toRest segments: [String]) {
    texts[name] = segments
  }

  /// The values without the optional query fields that are empty, as a form sends those that were left out.
  var withoutEmptyFields: RouteOutput {
    var copy = self
    for field in pattern.fields where field.isOptional && texts[field.name]?.allSatisfy(\.isEmpty) == true {
      copy.texts[field.name] = []
    }
    return copy
  }

  /// Returns the URL; throws an error for the first parameter that a URL cannot carry.
  package func url() throws(RouteError) -> RouteURL {
    if let fault = pattern.fault { throw .failed(fault) }
    if let fault { throw fault }
    let names = pattern.parameterNames
    if let stranger = texts.keys.filter({ !names.contains($0) }).min() {
      throw .parameter(name: stranger, reason: .undeclared)
    }
    var path: [String] = []
    for (index, segment) in pattern.segments.enumerated() {
      switch segment {
      case .literal where index == 0: path.append(pattern.writtenHost)
      case .literal(let text): path.append(PercentEncoding.encode(text))
      case .value(let name, let kind):
        let values = texts[name] ?? []
        if values.isEmpty {
          if index >= pattern.leastCount { continue }
          throw .parameter(name: name, reason: .missing)
        }
        if values.count > 1 { throw .parameter(name: name, reason: .repeated) }
        path.append(try encode(values[0], name, kind, isPath: true))
      case .rest(let name):
        let values = texts[name] ?? []
        if values.isEmpty { throw .parameter(name: name, reason: .missing) }
        for value in values { path.append(try encode(value, name, .text, isPath: true)) }
      }
    }
    var query: [String] = []
    for field in pattern.fields {
      let values = texts[field.name] ?? []
      if values.isEmpty, !field.isOptional { throw .parameter(name: field.name, reason: .missing) }
      for value in values {
        query.append(
          PercentEncoding.encode(field.key) + "="
            + (try encode(value, field.name, field.kind, isPath: false)))
      }
    }
    let url =
      "\(pattern.scheme)://" + path.joined(separator: "/")
      + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    // Parse the result, so that every URL that is written can be read, overall limits included.
    do {
      return try RouteURL(url)
    } catch {
      throw .malformedURL(error)
    }
  }

  private func encode(
    _ text: String, _ name: String, _ kind: RoutePattern.ValueKind, isPath: Bool
  ) throws(RouteError) -> String {
    if text.utf8.count > URLLimits.parameter {
      throw .parameter(name: name, reason: .tooLong(limit: URLLimits.parameter))
    }
    if text.utf8.contains(0) || (isPath && (text.isEmpty || text == "." || text == "..")) {
      throw .parameter(name: name, reason: .unwritable)
    }
    if kind != .text, !kind.matches(text) {
      throw .parameter(name: name, reason: .notOfKind(kind))
    }
    return PercentEncoding.encode(text)
  }
}
