import Foundation

/// One test of http-cache-tests: the requests in order, the server's response to each, and what the client
/// must observe.
struct SemanticsTest: Decodable, Sendable {
  /// The meaning of a failure.
  enum Kind: String, Decodable, Sendable {
    /// The cache violates a requirement.
    case required
    /// The cache could be better.
    case optimal
    /// None; the test distinguishes two permitted behaviors.
    case check
  }

  /// The kind of cache that is tested.
  enum Audience: Sendable {
    /// The cache of a browser or another client.
    case privateCache
    /// A proxy between clients and server, with or without a cache.
    case proxy
  }

  let id: String
  let name: String
  let kind: Kind
  let steps: [SemanticsStep]
  /// The tests that must pass for this one to be conclusive.
  let dependencies: [String]
  /// The kinds of cache that the test is for.
  let audience: Set<Audience>

  private enum CodingKeys: String, CodingKey {
    case id
    case name
    case kind
    case requests
    case dependsOn = "depends_on"
    case isOnlyForCDN = "cdn_only"
    case isNotForBrowsers = "browser_skip"
    case isOnlyForBrowsers = "browser_only"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(String.self, forKey: .id)
    name = try values.decode(String.self, forKey: .name)
    kind = try values.decodeIfPresent(Kind.self, forKey: .kind) ?? .required
    steps = try values.decode([SemanticsStep].self, forKey: .requests)
    dependencies = try values.decodeIfPresent([String].self, forKey: .dependsOn) ?? []
    func flag(_ key: CodingKeys) throws -> Bool {
      try values.decodeIfPresent(Bool.self, forKey: key) ?? false
    }
    var audience: Set<Audience> = []
    if try !flag(.isOnlyForCDN), try !flag(.isNotForBrowsers) { audience.insert(.privateCache) }
    if try !flag(.isOnlyForBrowsers) { audience.insert(.proxy) }
    self.audience = audience
  }
}

/// A part of the file: tests of one subject.
struct SemanticsSuite: Decodable, Sendable {
  let id: String
  let tests: [SemanticsTest]
}
