/// What a URL stands for, however it is written: a route and the URL of its value.
///
/// Entries, parents and detours are compared by it, because one route value has many URLs: aliases, letter
/// case, percent-encoding, a trailing slash, fields in another order, and fields that the route does not
/// read.
package struct RouteIdentity: Sendable, Hashable {
  private enum Owner: Sendable, Hashable {
    case type(ObjectIdentifier)
    case pattern(RoutePattern)
    case unrouted
  }

  private let owner: Owner
  private let url: String

  /// Creates the identity of a route's value; nil if no URL can carry the value.
  package init?<R: Route>(_ route: R) {
    var output = RouteOutput(R.pattern)
    route.write(to: &output)
    guard let url = try? output.withoutEmptyFields.url() else { return nil }
    owner = .type(ObjectIdentifier(R.self))
    self.url = url.text
  }

  /// Creates the identity of a URL of a route that was declared by its pattern alone.
  package init?(_ input: RouteInput) {
    guard let url = try? input.output.withoutEmptyFields.url() else { return nil }
    owner = .pattern(input.pattern)
    self.url = url.text
  }

  /// Creates the identity of a URL that no route matches.
  package init(unrouted url: String) {
    owner = .unrouted
    self.url = (try? RouteURL(url))?.textWithLowercaseHead ?? url
  }
}

extension Mediator {
  /// Returns the identity of a URL by the route that matches it, regardless of its exposure.
  package func identity(of url: String) -> RouteIdentity {
    guard let read = try? RouteURL(url), let match = registry.match(read),
      let value = try? match.route.declaration.decode(RouteInput(read, matching: match.pattern)),
      let identity = match.route.declaration.identify(value)
    else { return RouteIdentity(unrouted: url) }
    return identity
  }
}

extension RouteInput {
  /// The values of all placeholders, each in the text by which equal values of its kind are written.
  fileprivate var output: RouteOutput {
    var output = RouteOutput(pattern)
    for name in pattern.parameterNames {
      let kind = pattern.kind(of: name) ?? .text
      output.set(name, toRest: ((try? all(name)) ?? []).map(kind.canonicalText))
    }
    return output
  }
}

extension RoutePattern.ValueKind {
  /// Returns the text by which a value of the kind is compared: `7` for `007`.
  fileprivate func canonicalText(of text: String) -> String {
    switch self {
    case .int: Int(text)?.description ?? text
    case .double: Double(text)?.description ?? text
    case .uuid: String(decoding: text.utf8.map(URLHead.lowercase), as: UTF8.self)
    case .bool, .text, .oneOf: text
    }
  }
}
