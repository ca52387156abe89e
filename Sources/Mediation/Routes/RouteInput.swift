/// What a URL gives to the route it matched: the values of the pattern's placeholders.
public struct RouteInput: Sendable {
  /// The URL that matched.
  public let url: RouteURL
  /// The pattern it matched.
  public let pattern: RoutePattern
  /// Whether the URL came from outside the app, where repeated fields are errors.
  let isFromOutside: Bool

  /// Reads the placeholder of a name, in the path or in the query.
  ///
  /// - Throws: `RouteError.parameter` if there is no value, it is repeated in a URL from outside, or it is
  ///   not of this type.
  public func value<T: RouteValue>(_ name: String, as type: T.Type = T.self) throws(RouteError) -> T {
    guard let value = try optional(name, as: type) else {
      throw .parameter(name: name, reason: .missing)
    }
    return value
  }

  /// Reads the placeholder of a name, or nil if its query field or its optional segment is absent.
  ///
  /// Natively the first of several equal fields counts; from outside they are an error.
  public func optional<T: RouteValue>(_ name: String, as type: T.Type = T.self) throws(RouteError) -> T? {
    let texts = try texts(name)
    if isFromOutside, texts.count > 1 { throw .parameter(name: name, reason: .repeated) }
    guard let text = texts.first else { return nil }
    return try convert(text, name)
  }

  /// Reads every field of a repeated query key, in order; empty if it is absent.
  public func all<T: RouteValue>(_ name: String, as type: T.Type = T.self) throws(RouteError) -> [T] {
    var values: [T] = []
    for text in try texts(name) { values.append(try convert(text, name)) }
    return values
  }

  /// Reads the decoded segments of the tail placeholder `{name...}`; there is at least one.
  public func rest(_ name: String) throws(RouteError) -> [String] {
    guard case .rest(name) = pattern.segments.last else {
      throw .parameter(name: name, reason: .undeclared)
    }
    return try texts(name)
  }

  /// Checks the declared kinds of the query fields that are there.
  func checkFields() throws(RouteError) {
    for field in pattern.fields {
      let texts = url.values(named: field.key)
      if texts.isEmpty, !field.isOptional { throw .parameter(name: field.name, reason: .missing) }
      if field.kind == .text { continue }
      for text in texts where !field.kind.matches(text) {
        throw .parameter(name: field.name, reason: .notOfKind(field.kind))
      }
    }
  }

  /// The first text of each placeholder that has one.
  func firstTexts() -> [String: String] {
    var texts: [String: String] = [:]
    for name in pattern.parameterNames {
      if let all = try? self.texts(name), let first = all.first { texts[name] = first }
    }
    return texts
  }

  private func texts(_ name: String) throws(RouteError) -> [String] {
    if let field = pattern.field(named: name) { return url.values(named: field.key) }
    for (index, segment) in pattern.segments.enumerated() {
      // A URL's first label is its scheme, its second the host, which is the pattern's first segment.
      switch segment {
      case .value(name, _): return index + 1 < url.labels.count ? [url.label(index + 1)] : []
      case .rest(name): return (index + 1..<url.labels.count).map(url.label)
      default: continue
      }
    }
    throw .parameter(name: name, reason: .undeclared)
  }

  private func convert<T: RouteValue>(_ text: String, _ name: String) throws(RouteError) -> T {
    guard let value = T(routeText: text) else {
      throw .parameter(name: name, reason: .unreadable(type: String(describing: T.self)))
    }
    return value
  }
}
