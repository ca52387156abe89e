/// The `https` links of one host that open the app, in the format that Apple's systems read from the host.
///
/// The host serves the file at `/.well-known/apple-app-site-association`, and the app lists the host in its
/// entitlement `com.apple.developer.associated-domains` as `applinks:HOST`. The first component that matches
/// a link decides.
public struct AppSiteAssociation: Sendable, Hashable {
  /// The host.
  public let host: String
  /// The identifiers of the apps that the links open.
  public let appIDs: [String]
  /// The components that a link is compared with, in this order.
  public let components: [Component]

  /// A pattern for links.
  public struct Component: Sendable, Hashable, Encodable {
    /// The path; `*` matches any characters, including `/`, and `?` matches one.
    public let path: String
    /// The query fields that must match, by key.
    public let query: [String: String]
    /// Whether matching links stay in the browser.
    public let isExcluded: Bool
    /// The name of the route, for human readers of the file.
    public let comment: String

    private enum CodingKeys: String, CodingKey {
      case path = "/"
      case query = "?"
      case isExcluded = "exclude"
      case comment
    }

    /// Encodes the component with the keys of Apple's format.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(path, forKey: .path)
      if !query.isEmpty { try container.encode(query, forKey: .query) }
      if isExcluded { try container.encode(true, forKey: .isExcluded) }
      try container.encode(comment, forKey: .comment)
    }
  }

  /// Returns the text of the file as JSON.
  public func json() throws -> String {
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
