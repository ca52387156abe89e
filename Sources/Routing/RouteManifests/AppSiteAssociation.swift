import Mediation

/// The `https` links of one host that open the app, in the format that Apple's systems read from the host.
///
/// The host serves the file at `/.well-known/apple-app-site-association`, and the app lists the host in its
/// entitlement `com.apple.developer.associated-domains` as `applinks:HOST`. The first component that matches
/// a link decides.
package struct AppSiteAssociation: Sendable, Hashable {
  /// The host.
  package let host: String
  /// The identifiers of the apps that the links open.
  package let appIDs: [String]
  /// The components that a link is compared with, in this order.
  package let components: [Component]

  /// A pattern for links.
  package struct Component: Sendable, Hashable, Encodable {
    /// The path; `*` matches any characters, including `/`, and `?` matches one.
    package let path: String
    /// The query fields that must match, by key.
    package let query: [String: String]
    /// Whether matching links stay in the browser.
    package let isExcluded: Bool
    /// The name of the route, for human readers of the file.
    package let comment: String

    private enum CodingKeys: String, CodingKey {
      case path = "/"
      case query = "?"
      case isExcluded = "exclude"
      case comment
    }

    /// Encodes the component with the keys of Apple's format.
    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(path, forKey: .path)
      if !query.isEmpty { try container.encode(query, forKey: .query) }
      if isExcluded { try container.encode(true, forKey: .isExcluded) }
      try container.encode(comment, forKey: .comment)
    }
  }

  /// Returns the text of the file as JSON.
  package func json() throws -> String {
    struct Detail: Encodable {
      let appIDs: [String]
      let components: [Component]
    }
    struct Links: Encodable {
      let details: [Detail]
    }
    struct File: Encodable {
      let applinks: Links
    }
    return try File(applinks: Links(details: [Detail(appIDs: appIDs, components: components)])).sortedJSON()
  }
}

extension RouteManifest {
  /// The associations of all hosts whose `https` links open a route, sorted by host.
  package var appSiteAssociations: [AppSiteAssociation] {
    let hosts = Set(sources.filter { $0.kind == "universal" }.compactMap(\.name))
    return hosts.sorted().compactMap { host in
      let components = AppSiteAssociation.components(of: links(to: host))
      guard !components.isEmpty else { return nil }
      return AppSiteAssociation(host: host, appIDs: appIDs, components: components)
    }
  }

  private func links(to host: String) -> [(pattern: LinkPattern, comment: String)] {
    routes.filter { $0.route.sources.contains { $0.kind == "universal" && $0.name == host } }
      .flatMap { module, route in
        route.patterns.flatMap(LinkPattern.forms).filter { $0.scheme == "https" && $0.host == host }
          .map { ($0, "\(route.name) of \(module)") }
      }
  }
}

extension AppSiteAssociation {
  /// Orders the patterns so that each matches links of its own depth only.
  ///
  /// The `*` of a component matches slashes, a placeholder does not. So tails come first, followed by the
  /// other patterns from the deepest path to the shortest; if there are placeholders at a depth, an exclusion
  /// of all deeper links precedes them.
  static func components(of links: [(pattern: LinkPattern, comment: String)]) -> [Component] {
    let tails = links.filter { $0.pattern.segments.last == .tail }
    var components = sorted(tails.flatMap(Self.components))
    let byDepth = Dictionary(grouping: links.filter { $0.pattern.segments.last != .tail }) {
      $0.pattern.segments.count
    }
    for depth in byDepth.keys.sorted(by: >) {
      let sameDepth = byDepth[depth] ?? []
      if sameDepth.contains(where: { $0.pattern.segments.contains(.placeholder) }) {
        components.append(
          Component(
            path: String(repeating: "/?*", count: depth + 1), query: [:], isExcluded: true,
            comment: "no route has more than \(depth) segments from here on"))
      }
      components += sorted(sameDepth.flatMap(Self.components))
    }
    return components
  }

  private static func components(for pattern: LinkPattern, _ comment: String) -> [Component] {
    // A missing field matches like an empty one, so only `?*` requires the field.
    let query = pattern.required.map { ($0.key, $0.canBeEmpty ? "*" : "?*") }
    return pattern.paths.map { path in
      Component(
        path: path, query: Dictionary(query) { first, _ in first }, isExcluded: false, comment: comment)
    }
  }

  /// Sorts literals before placeholders, for human readers only: all of them open the same app.
  private static func sorted(_ components: [Component]) -> [Component] {
    components.sorted { first, second in
      let (one, two) = (
        first.path.replacing("?*", with: "\u{10FFFF}"), second.path.replacing("?*", with: "\u{10FFFF}")
      )
      return one == two ? first.comment < second.comment : one < two
    }
  }
}
