/// A navigation to be stored and brought back: the URLs of its screens, their tabs and presented stacks.
///
/// It holds no screen and no result: `Navigator.restore` asks the mediator for each URL anew, so guards
/// decide again. An entry that no URL leads to, or whose caller waits for its result, is kept by its name
/// alone, so that a restoration can report it.
///
/// It can be encoded and decoded, and its form has a version. Decoding takes at most 1,000 entries, 100 tabs
/// and presented stacks, and 8 KiB for each text, and throws `NavigationSnapshotError` or `DecodingError` for
/// anything else; how large the encoded bytes may be is up to who reads them. URLs are whole, query included:
/// store the value where only the app can read and write.
public struct NavigationSnapshot: Sendable, Hashable {
  /// One screen.
  public struct Entry: Sendable, Hashable {
    /// The URL that led to it, or the name of its route.
    public let name: String
    /// The URL to ask for; nil if the screen cannot be brought back.
    public let url: String?

    /// Describes a screen.
    public init(name: String, url: String?) {
      self.name = name
      self.url = url
    }
  }

  /// One tab.
  public struct Tab: Sendable, Hashable {
    /// The tab's name; empty if the navigation has no tabs.
    public let name: String
    /// The screens, the top last.
    public let stack: [Entry]

    /// Describes a tab.
    public init(name: String, stack: [Entry]) {
      self.name = name
      self.stack = stack
    }
  }

  /// The version that this code writes, and the only one that it reads.
  public static let version = 1
  static let entryLimit = 1_000
  static let stackLimit = 100
  static let textLimit = 8 * 1024

  /// The tabs in their order.
  public let tabs: [Tab]
  /// The tab that was shown; nil if the navigation had no tabs.
  public let selectedTab: String?
  /// The presented stacks, the topmost last.
  public let modals: [[Entry]]

  /// Checks and keeps a navigation.
  ///
  /// - Throws: `NavigationSnapshotError` if a name is used twice or a limit is passed.
  public init(tabs: [Tab], selectedTab: String?, modals: [[Entry]]) throws(NavigationSnapshotError) {
    self.tabs = tabs
    self.selectedTab = selectedTab
    self.modals = modals
    try check()
  }

  /// Takes what can be brought back of a state; what cannot is kept by its name.
  ///
  /// - Parameter awaited: The entries whose callers wait for a result.
  init(_ state: NavigationState, awaited: Set<EntryID>) {
    func saved(_ entry: NavigationEntry) -> Entry {
      let url = entry.url.flatMap { $0.utf8.count <= Self.textLimit ? $0 : nil }
      let name = entry.name.utf8.count <= Self.textLimit ? entry.name : String(entry.name.prefix(200))
      return Entry(name: name, url: awaited.contains(entry.id) ? nil : url)
    }
    tabs = state.tabs.map { Tab(name: $0.name, stack: $0.stack.map(saved)) }
    selectedTab = state.selectedTab
    modals = state.modals.map { $0.map(saved) }
  }

  private func check() throws(NavigationSnapshotError) {
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
