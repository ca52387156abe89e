/// The shown screens as a value: a stack for each tab, and stacks presented over them.
///
/// Commands change the state and return the changes. The state performs no input or output, so a test needs
/// no host. A menu with sections, whose rows each have their own screens, is modelled as tabs named
/// `section/row`.
///
/// The number of entries is limited, by default to 1,000, because each link from outside can add one. A
/// command beyond the limit throws; nothing is removed to make room. A command takes time linear in the
/// number of entries.
public struct NavigationState: Sendable, Hashable {
  /// A tab with its stack.
  public struct Tab: Sendable, Hashable {
    /// The tab's name; empty if the navigation has no tabs.
    public let name: String
    /// The entries; the top is last.
    public internal(set) var stack: [NavigationEntry] = []
  }

  /// The tabs; a single unnamed one if the navigation has no tabs.
  public internal(set) var tabs: [Tab]
  /// The index of the selected tab.
  public internal(set) var selectedIndex = 0
  /// The presented stacks, none of them empty; the topmost is last.
  public internal(set) var modals: [[NavigationEntry]] = []
  /// The maximum number of entries.
  package let limit: Int

  /// Creates an empty state without tabs.
  ///
  /// - Parameter limit: The maximum number of entries; at least 1.
  public init(limit: Int = 1_000) {
    tabs = [Tab(name: "")]
    self.limit = max(1, limit)
  }

  /// Creates an empty state whose first tab is selected.
  ///
  /// Without names, the state has no tabs.
  ///
  /// - Parameter limit: The maximum number of entries; at least 1.
  /// - Throws: ``NavigationError`` if two names are equal.
  public init(tabs names: [String], limit: Int = 1_000) throws(NavigationError) {
    self.init(limit: limit)
    if names.isEmpty { return }
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted { throw .repeatedTab(name) }
    tabs = names.map { Tab(name: $0) }
  }

  /// The name of the selected tab; nil if the navigation has no tabs.
  public var selectedTab: String? { hasTabs ? tabs[selectedIndex].name : nil }

  /// The stack that the user sees: the topmost presented stack, or else that of the selected tab.
  public var currentStack: [NavigationEntry] { modals.last ?? tabs[selectedIndex].stack }

  /// The entry that the user sees.
  public var top: NavigationEntry? { currentStack.last }

  /// All entries, presented ones last.
  public var entries: [NavigationEntry] { tabs.flatMap(\.stack) + modals.flatMap(\.self) }

  /// The number of entries.
  public var count: Int { tabs.reduce(0) { $0 + $1.stack.count } + modals.reduce(0) { $0 + $1.count } }

  /// Returns the entry with an identity, in any stack.
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

extension NavigationState {
  /// The stacks of a saved state.
  package struct RestoredStacks: Sendable {
    /// The entries of each tab, by the tab's index.
    package var tabs: [Int: [NavigationEntry]] = [:]
    /// The index of the tab to select, if there is one.
    package var selectedIndex: Int?
    /// The presented stacks, none of them empty; the topmost is last.
    package var modals: [[NavigationEntry]] = []

    /// Creates an empty value.
    package init() {}
  }

  /// Inserts stacks beneath what is shown; returns the changes, and the entries of presented stacks that
  /// are not inserted.
  ///
  /// What was shown in the meantime stays on top and its tab stays selected. Presented stacks are restored
  /// only if nothing is shown, because they would cover it.
  package mutating func insertRestored(_ stacks: RestoredStacks) -> (
    changes: [NavigationChange], covered: [NavigationEntry]
  ) {
    let isFree = count == 0
    var restored: [NavigationEntry] = []
    for index in tabs.indices {
      guard let entries = stacks.tabs[index], !entries.isEmpty else { continue }
      tabs[index].stack.insert(contentsOf: entries, at: 0)
      restored += entries
    }
    var changes: [NavigationChange] = []
    if isFree {
      modals = stacks.modals
      restored += modals.flatMap(\.self)
      if let index = stacks.selectedIndex, index != selectedIndex {
        selectedIndex = index
        changes.append(.selected(tab: tabs[index].name))
      }
    }
    if !restored.isEmpty { changes.append(.restored(restored)) }
    return (changes, isFree ? [] : stacks.modals.flatMap(\.self))
  }
}
