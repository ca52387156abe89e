/// The values that a URL supplies for the placeholders of the pattern that it matched.
public struct RouteInput: Sendable {
  /// The URL that matched.
  public let url: RouteURL
  /// The pattern that the URL matched.
  package let pattern: RoutePattern
  /// Whether the URL is external; repeated query fields are then errors.
  let isFromOutside: Bool
  /// Records the properties of a route while the table is built; nil in a call.
  var probe: RouteProbe?

  /// Returns the value of a placeholder in the path or the query.
  ///
  /// - Throws: `RouteError.parameter` if there is no value, if it is repeated in an external URL, or if it
  ///   cannot be read as this type.
  public func value<T: RouteValue>(_ name: String, as type: T.Type = T.self) throws(RouteError) -> T {
    guard let value = try optional(name, as: type) else {
      throw .parameter(name: name, reason: .missing)
    }
    return value
  }

  /// Returns the value of a placeholder, or nil if its query field or optional segment is absent.
  ///
  /// An empty optional query field counts as absent if no value of the type has an empty text: a form sends
  /// an omitted number as `page=`. For a repeated query field, a call from within the app uses the first
  /// value; an external URL gets an error.
  public func optional<T: RouteValue>(_ name: String, as type: T.Type = T.self) throws(RouteError) -> T? {
    if let label = label(of: name) {
      return label < url.labels.count ? try convert(url.label(label), name) : nil
    }
    let texts = try texts(name)
    if isFromOutside, texts.count > 1 { throw .parameter(name: name, reason: .repeated) }
    guard let text = texts.first else { return nil }
    if text.isEmpty, isOptionalField(name) { return T(routeText: text) }
    return try convert(text, name)
  }

  /// Returns the values of all fields with a query key, in order; empty if there are none.
  public func all<T: RouteValue>(_ name: String, as type: T.Type = T.self) throws(RouteError) -> [T] {
    var values: [T] = []
    for text in try texts(name) {
      if text.isEmpty, T(routeText: text) == nil, isOptionalField(name) { continue }
      values.append(try convert(text, name))
    }
    return values
  }

  /// Returns the decoded segments of the tail placeholder `{name...}`; there is at least one.
  public func rest(_ name: String) throws(RouteError) -> [String] {
    guard case .rest(name) = pattern.segments.last else {
      throw .parameter(name: name, reason: .undeclared)
    }
    return try texts(name)
  }

  /// Checks the query fields that are present against their declared kinds.
  package func checkFields() throws(RouteError) {
    for field in pattern.fields {
      let texts = try texts(field.name)
      if texts.isEmpty, !field.isOptional { throw .parameter(name: field.name, reason: .missing) }
      if field.kind == .text { continue }
      for text in texts where !field.kind.matches(text) {
        throw .parameter(name: field.name, reason: .notOfKind(field.kind))
      }
    }
  }

  /// Returns the first text of each placeholder that has one.
  func firstTexts() -> [String: String] {
    var texts: [String: String] = [:]
    for name in pattern.parameterNames {
      if let all = try? self.texts(name), let first = all.first { texts[name] = first }
    }
    return texts
  }

  private func texts(_ name: String) throws(RouteError) -> [String] {
    if let label = label(of: name) { return label < url.labels.count ? [url.label(label)] : [] }
    if let field = pattern.field(named: name) {
      let texts = url.values(named: field.key)
      // Only a text can be empty, so an empty field of another kind is one that a form left out.
      return field.isOptional && field.kind != .text ? texts.filter { !$0.isEmpty } : texts
    }
    if case .rest(name) = pattern.segments.last {
      return (pattern.segments.count..<url.labels.count).map(url.label)
    }
    throw .parameter(name: name, reason: .undeclared)
  }

  /// Whether a placeholder stands for the value of a query field that a URL may omit.
  func isOptionalField(_ name: String) -> Bool { pattern.field(named: name)?.isOptional == true }

  /// The label of the URL that a placeholder for one segment stands for; the URL may end before it.
  private func label(of name: String) -> Int? {
    // The labels of a URL begin with the scheme; the host, label 1, is the pattern's first segment.
    for (index, segment) in pattern.segments.enumerated() {
      if case .value(name, _) = segment { return index + 1 }
    }
    return nil
  }

  private func convert<T: RouteValue>(_ text: String, _ name: String) throws(RouteError) -> T {
    guard let value = T(routeText: text) else {
      throw .parameter(name: name, reason: .unreadable(type: String(describing: T.self)))
    }
    return value
  }
}

extension RouteInput {
  /// The decoded fields of the query in order, including those that the pattern does not name.
  package var query: [RouteURL.QueryItem] { url.query }

  /// The first text of each placeholder that has a value in the path or the query.
  public var parameters: [String: String] { firstTexts() }

  /// Creates the values of a URL that is known to match a pattern, for a call from within the app.
  package init(_ url: RouteURL, matching pattern: RoutePattern) {
    self.init(url: url, pattern: pattern, isFromOutside: false)
  }
}
