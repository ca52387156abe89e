/// Which screens are shown, as a value: a stack for each tab and presented stacks over them.
///
/// Commands change it and say what changed; it does no input or output, so a test needs no host. A menu with
/// sections, whose rows each have their own screens, is tabs named `section/row`.
///
/// The number of entries is bounded, since each link from outside can add one: 1,000 unless said otherwise.
/// What goes beyond is refused with `NavigationError.full`; nothing is dropped to make room. A command is
/// linear in the number of entries.
public struct NavigationState: Sendable, Hashable {
  /// A tab with its stack.
  public struct Tab: Sendable, Hashable {
    /// The tab's name; empty if the navigation has no tabs.
    public let name: String
    /// The entries, the top last.
    public internal(set) var stack: [NavigationEntry] = []
  }

  /// So many entries a state takes unless said otherwise.
  public static let standardLimit = 1_000

  /// The tabs; one without a name if the navigation has none.
  public internal(set) var tabs: [Tab]
  /// The index of the tab that is shown.
  public internal(set) var selectedIndex = 0
  /// The presented stacks, the topmost last; none is empty.
  public internal(set) var modals: [[NavigationEntry]] = []
  /// So many entries there can be at once.
  public let limit: Int

  /// Shows nothing and has no tabs.
  ///
  /// - Parameter limit: So many entries there can be at once, at least 1.
  public init(limit: Int = standardLimit) {
    tabs = [Tab(name: "")]
    self.limit = max(1, limit)
  }

  /// Shows nothing, with the first tab selected; without names it has no tabs.
  ///
  /// - Parameter limit: So many entries there can be at once, at least 1.
  /// - Throws: `NavigationError.repeatedTab`.
  public init(tabs names: [String], limit: Int = standardLimit) throws(NavigationError) {
    self.init(limit: limit)
    if names.isEmpty { return }
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted { throw .repeatedTab(name) }
    tabs = names.map { Tab(name: $0) }
  }

  /// The name of the tab that is shown; nil if the navigation has no tabs.
  public var selectedTab: String? { hasTabs ? tabs[selectedIndex].name : nil }

  /// The stack that the user sees: the topmost presented one, or else that of the selected tab.
  public var currentStack: [NavigationEntry] { modals.last ?? tabs[selectedIndex].stack }

  /// The entry that the user sees.
  public var top: NavigationEntry? { currentStack.last }

  /// Every entry, presented ones last.
  public var entries: [NavigationEntry] { tabs.flatMap(\.stack) + modals.flatMap(\.self) }

  /// The number of entries.
  public var count: Int { tabs.reduce(0) { $0 + $1.stack.count } + modals.reduce(0) { $0 + $1.count } }

  /// The entry of an identity, wherever it is.
  public func entry(_ id: EntryID) -> NavigationEntry? {
    for tab in tabs {
      if let entry = tab.stack.first(where: { $0.id == id }) { return entry }
    }
    for stack in modals {
      if let entry = stack.first(where: { $0.id == id }) { return entry }
    }
    return nil
  }

  var hasTabs: Bool { tabs.count > 1 || !tabs[0].name.isEmpty }

  var currentLayer: [NavigationEntry] {
    get { currentStack }
    set {
      if modals.isEmpty { tabs[selectedIndex].stack = newValue } else { modals[modals.count - 1] = newValue }
    }
  }
}
