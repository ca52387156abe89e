/// A navigation that can be stored and restored: its tabs, its presented stacks, and the URLs of its screens.
///
/// It contains no screens and no results: `Navigator.restore` opens each URL through the mediator again, so
/// that guards decide anew. An entry that has no URL, or whose caller is waiting for its result, is saved by
/// name only, so that restoring can report it.
///
/// It can be encoded and decoded, and its format is versioned. Decoding accepts at most 1,000 entries, 100
/// tabs, 100 presented stacks and 8 KiB per text, and throws ``FormatError`` or `DecodingError`
/// otherwise; limiting the size of the encoded data is up to its reader. URLs are saved whole, including
/// their queries, so store the value where only the app can read and write it.
public struct NavigationSnapshot: Sendable, Hashable {
  /// One screen.
  public struct Entry: Sendable, Hashable {
    /// The URL that the screen was opened with, or the name of its route.
    public let name: String
    /// The URL to open; nil if the screen cannot be restored.
    public let url: String?

    /// Creates an entry.
    package init(name: String, url: String?) {
      self.name = name
      self.url = url
    }
  }

  /// One tab.
  public struct Tab: Sendable, Hashable {
    /// The tab's name; empty if the navigation has no tabs.
    public let name: String
    /// The screens; the top is last.
    public let stack: [Entry]

    /// Creates a tab.
    package init(name: String, stack: [Entry]) {
      self.name = name
      self.stack = stack
    }
  }

  /// The version that this code writes, and the only one that it reads.
  public static let version = 1
  static let entryLimit = 1_000
  static let stackLimit = 100
  static let textLimit = 8 * 1024

  /// The tabs in order.
  public let tabs: [Tab]
  /// The selected tab; nil if the navigation had no tabs.
  public let selectedTab: String?
  /// The presented stacks; the topmost is last.
  public let modals: [[Entry]]

  /// Creates a snapshot after checking it.
  ///
  /// - Throws: ``FormatError`` if a tab's name is repeated or a limit is exceeded.
  package init(tabs: [Tab], selectedTab: String?, modals: [[Entry]]) throws(FormatError) {
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
      let name = entry.name.utf8.count <= Self.textLimit ? entry.name : String(entry.name.prefix(200))
      return Entry(name: name, url: awaited.contains(entry.id) ? nil : url)
    }
    tabs = state.tabs.map { Tab(name: $0.name, stack: $0.stack.map(saved)) }
    selectedTab = state.selectedTab
    modals = state.modals.map { $0.map(saved) }
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
