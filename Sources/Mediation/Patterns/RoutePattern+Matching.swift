extension RoutePattern {
  /// Returns the kind of values that a placeholder takes; nil if there is no placeholder of this name.
  ///
  /// Each segment of a tail is a `text`.
  public func kind(of name: String) -> ValueKind? {
    for segment in segments {
      switch segment {
      case .value(name, let kind): return kind
      case .rest(name): return .text
      default: continue
      }
    }
    return field(named: name)?.kind
  }

  /// The name of the tail placeholder `{name...}`; nil if the pattern has none.
  public var tailName: String? {
    if case .rest(let name) = segments.last { name } else { nil }
  }

  /// Returns whether the pattern by itself matches a URL.
  ///
  /// In a table another pattern may match it too and be more specific; ``Mediator/lookUp(_:)`` finds the one
  /// that wins. A faulty pattern and a text that is no URL match nothing.
  public func matches(_ text: String) -> Bool {
    guard let url = try? RouteURL(text) else { return false }
    return matches(url)
  }

  /// Returns whether the pattern by itself matches a URL.
  public func matches(_ url: RouteURL) -> Bool {
    // The first label is the scheme, which is no segment.
    let count = url.labels.count - 1
    guard fault == nil, url.port == nil, scheme == url.scheme, count >= leastCount,
      hasRest || count <= segments.count
    else { return false }
    for (index, segment) in segments.prefix(count).enumerated() {
      let label = url.labelBytes(index + 1)
      switch segment {
      case .literal(let text): if !label.elementsEqual(text.utf8) { return false }
      case .value(_, let kind): if !kind.matches(label.span) { return false }
      case .rest: continue
      }
    }
    return fields.allSatisfy { $0.isOptional || url.hasField(named: $0.key) }
  }
}
