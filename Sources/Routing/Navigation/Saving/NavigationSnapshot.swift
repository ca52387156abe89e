/// A navigation that an app stores and restores: its tabs, its presented stacks, and the URLs of its screens.
///
/// A snapshot contains no screens and no results: `Navigator.restore` opens each URL through the mediator
/// again, so that guards decide anew. A screen without a URL, or with a caller that waits for its result, is
/// saved by name only, so that restoring can report it.
///
/// Its encoded format is versioned. A snapshot has at most 1,000 screens, 100 tabs, 100 presented stacks and
/// 8 KiB per text; the snapshot of a larger navigation leaves out the rest, and decoding throws beyond these
/// limits. Limit the size of the encoded data before you decode it. URLs are saved with their queries, so
/// store a snapshot where only the app can read and write it.
public struct NavigationSnapshot: Sendable, Hashable {
  /// One screen.
  package struct Entry: Sendable, Hashable {
    /// The URL that the screen was opened with, or the name of its route.
    package let name: String
    /// The URL to open; nil if the screen cannot be restored.
    package let url: String?

    /// Creates an entry.
    package init(name: String, url: String?) {
      self.name = name
      self.url = url
    }
  }

  /// One tab.
  package struct Tab: Sendable, Hashable {
    /// The tab's name; empty if the navigation has no tabs.
    package let name: String
    /// The screens; the top is last.
    package let stack: [Entry]

    /// Creates a tab.
    package init(name: String, stack: [Entry]) {
      self.name = name
      self.stack = stack
    }
  }

  /// The version that this code writes, and the only one that it reads.
  package static let version = 1
  static let entryLimit = 1_000
  static let stackLimit = 100
  static let textLimit = 8 * 1024

  /// The tabs in order.
  package let tabs: [Tab]
  /// The selected tab; nil if the navigation had no tabs.
  public let selectedTab: String?
  /// The presented stacks; the topmost is last.
  package let modals: [[Entry]]

  /// The number of saved screens.
  public var count: Int { (tabs.map(\.stack) + modals).reduce(0) { $0 + $1.count } }

  /// Creates a snapshot after checking it.
  ///
  /// - Throws: ``FormatError`` if a tab's name is repeated or a limit is exceeded.
  package init(
    tabs: [Tab], selectedTab: String?, modals: [[Entry]]
  ) throws(FormatError) {
    self.tabs = tabs
    self.selectedTab = selectedTab
    self.modals = modals
    try check()
  }

  /// Creates a snapshot of a state; entries that cannot be restored are saved by name only.
  ///
  /// - Parameter awaited: The entries whose callers wait for a result.
  init(_ state: NavigationState, awaited: Set<EntryID>) {
    func saved(_ entry: NavigationEntry) -> Entry {
      let url = entry.url.flatMap { $0.utf8.count <= Self.textLimit ? $0 : nil }
      let isShort = entry.name.utf8.count <= Self.textLimit
      // By scalars: a character can have any number of bytes.
      let name =
        isShort ? entry.name : String(String.UnicodeScalarView(entry.name.unicodeScalars.prefix(200)))
      return Entry(name: name, url: awaited.contains(entry.id) ? nil : url)
    }
    let named = state.tabs.filter { $0.name.utf8.count <= Self.textLimit }
    let selected = named.firstIndex { $0.name == state.selectedTab }
    // The first tabs; the selected one replaces the last of them if it is not among them.
    var kept = Array(named.indices.prefix(Self.stackLimit))
    if let selected, !kept.contains(selected) { kept[kept.count - 1] = selected }
    let shown = state.modals.suffix(Self.stackLimit)
    let stacks = kept.map { named[$0].stack } + shown
    let counts = Self.counts(stacks.map(\.count), limit: Self.entryLimit)
    let fitting = zip(stacks, counts).map { stack, count in
      count == stack.count ? stack.map(saved) : (stack.prefix(1) + stack.suffix(count - 1)).map(saved)
    }
    tabs = zip(kept, fitting).map { Tab(name: named[$0].name, stack: $1) }
    selectedTab = selected.map { named[$0].name }
    modals = Array(fitting.dropFirst(kept.count))
  }

  /// Returns how many entries of each stack are kept: those that have the most lose some first.
  private static func counts(_ counts: [Int], limit: Int) -> [Int] {
    var counts = counts
    var excess = counts.reduce(0, +) - limit
    while excess > 0, let longest = counts.indices.max(by: { counts[$0] < counts[$1] }) {
      counts[longest] -= 1
      excess -= 1
    }
    return counts
  }

  private func check() throws(FormatError) {
    var names: Set<String> = []
    for tab in tabs where !names.insert(tab.name).inserted { throw .repeatedTab(tab.name) }
    if tabs.count > Self.stackLimit || modals.count > Self.stackLimit {
      throw .tooMany("stacks", limit: Self.stackLimit)
    }
    let entries = tabs.flatMap(\.stack) + modals.flatMap(\.self)
    if entries.count > Self.entryLimit { throw .tooMany("entries", limit: Self.entryLimit) }
    let texts = entries.flatMap { [$0.name, $0.url ?? ""] } + tabs.map(\.name) + [selectedTab ?? ""]
    for text in texts where text.utf8.count > Self.textLimit { throw .tooLong(limit: Self.textLimit) }
  }
}

extension NavigationSnapshot: Codable {
  private enum Key: String, CodingKey {
    case version
    case tabs
    case selectedTab
    case modals
  }

  /// Decodes a snapshot; refuses an unknown version and anything beyond the limits.
  ///
  /// - Throws: An error with its remedy, or `DecodingError`.
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
  package init(from decoder: any Decoder) throws {
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
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(url, forKey: .url)
    // By bytes: equal strings can differ in how their characters are composed.
    if url.map({ name.utf8.elementsEqual($0.utf8) }) != true { try container.encode(name, forKey: .name) }
  }
}

extension NavigationSnapshot.Tab: Codable {
  private enum Key: String, CodingKey {
    case name
    case stack
  }

  /// Decodes a tab.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    name = try container.decode(String.self, forKey: .name)
    stack = try NavigationSnapshot.entries(container.nestedUnkeyedContainer(forKey: .stack))
  }

  /// Encodes a tab.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .name)
    try container.encode(stack, forKey: .stack)
  }
}

extension NavigationSnapshot {
  /// The reason that a value is not a valid navigation snapshot.
  package enum FormatError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The snapshot was written in another version of the format.
    case version(Int, known: Int)
    /// The snapshot exceeds the maximum number of entries or stacks.
    case tooMany(String, limit: Int)
    /// A name or a URL exceeds the maximum number of bytes.
    case tooLong(limit: Int)
    /// Two tabs have this name.
    case repeatedTab(String)

    /// The problem and its remedy.
    package var description: String {
      switch self {
      case .version(let version, let known):
        "The saved navigation has version \(version) and this code reads version \(known); discard it."
      case .tooMany(let what, let limit):
        "The saved navigation has more than \(limit) \(what); it was not written by this code; discard it."
      case .tooLong(let limit):
        "A text in the saved navigation is longer than \(limit) bytes; it was not written by this code; discard it."
      case .repeatedTab(let name):
        "The saved navigation has two tabs named \"\(name)\"; it was not written by this code; discard it."
      }
    }
  }
}
