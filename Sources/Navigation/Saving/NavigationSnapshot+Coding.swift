extension NavigationSnapshot: Codable {
  private enum Key: String, CodingKey {
    case version
    case tabs
    case selectedTab
    case modals
  }

  /// Decodes a snapshot; refuses an unknown version and anything beyond the limits.
  ///
  /// - Throws: ``FormatError`` or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let version = try container.decode(Int.self, forKey: .version)
    guard version == Self.version else { throw FormatError.version(version, known: Self.version) }
    try self.init(
      tabs: Self.list(container.nestedUnkeyedContainer(forKey: .tabs), Self.stackLimit, "stacks") {
        try $0.decode(Tab.self)
      },
      selectedTab: container.decodeIfPresent(String.self, forKey: .selectedTab),
      modals: Self.list(container.nestedUnkeyedContainer(forKey: .modals), Self.stackLimit, "stacks") {
        try Self.entries($0.nestedUnkeyedContainer())
      })
  }

  /// Encodes the snapshot with its version.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(Self.version, forKey: .version)
    try container.encode(tabs, forKey: .tabs)
    try container.encodeIfPresent(selectedTab, forKey: .selectedTab)
    try container.encode(modals, forKey: .modals)
  }

  fileprivate static func entries(_ container: any UnkeyedDecodingContainer) throws -> [Entry] {
    try list(container, entryLimit, "entries") { try $0.decode(Entry.self) }
  }

  /// Decodes a list, at most to its limit.
  private static func list<Element>(
    _ container: any UnkeyedDecodingContainer, _ limit: Int, _ what: String,
    _ read: (inout any UnkeyedDecodingContainer) throws -> Element
  ) throws -> [Element] {
    var container = container
    var elements: [Element] = []
    while !container.isAtEnd {
      if elements.count == limit { throw FormatError.tooMany(what, limit: limit) }
      elements.append(try read(&container))
    }
    return elements
  }
}

extension NavigationSnapshot.Entry: Codable {
  private enum Key: String, CodingKey {
    case name
    case url
  }

  /// Decodes an entry; its name defaults to its URL.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    url = try container.decodeIfPresent(String.self, forKey: .url)
    let name = try container.decodeIfPresent(String.self, forKey: .name)
    guard let name = name ?? url else {
      throw DecodingError.keyNotFound(
        Key.name,
        DecodingError.Context(
          codingPath: container.codingPath, debugDescription: "An entry must have a URL or a name."))
    }
    self.name = name
  }

  /// Encodes an entry.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(url, forKey: .url)
    if name != url { try container.encode(name, forKey: .name) }
  }
}

extension NavigationSnapshot.Tab: Codable {
  private enum Key: String, CodingKey {
    case name
    case stack
  }

  /// Decodes a tab.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    name = try container.decode(String.self, forKey: .name)
    stack = try NavigationSnapshot.entries(container.nestedUnkeyedContainer(forKey: .stack))
  }

  /// Encodes a tab.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .name)
    try container.encode(stack, forKey: .stack)
  }
}
