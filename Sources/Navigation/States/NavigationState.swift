/// Which screens are shown, as a value: a stack for each tab and presented stacks over them.
///
/// Commands change it and say what changed; it does no input or output, so a test needs no host.
public struct NavigationState: Sendable, Hashable {
  /// A tab with its stack.
  public struct Tab: Sendable, Hashable {
    /// The tab's name; empty if the navigation has no tabs.
    public let name: String
    /// The entries, the top last.
    public internal(set) var stack: [NavigationEntry] = []
  }

  /// The tabs; one without a name if the navigation has none.
  public internal(set) var tabs: [Tab]
  /// The index of the tab that is shown.
  public internal(set) var selectedIndex = 0
  /// The presented stacks, the topmost last; none is empty.
  public internal(set) var modals: [[NavigationEntry]] = []

  /// Shows nothing and has no tabs.
  public init() { tabs = [Tab(name: "")] }

  /// Shows nothing, with the first tab selected; without names it has no tabs.
  ///
  /// - Throws: `NavigationError.repeatedTab`.
  public init(tabs names: [String]) throws(NavigationError) {
    self.init()
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

  var hasTabs: Bool { tabs.count > 1 || !tabs[0].name.isEmpty }

  var currentLayer: [NavigationEntry] {
    get { currentStack }
    set {
      if modals.isEmpty { tabs[selectedIndex].stack = newValue } else { modals[modals.count - 1] = newValue }
    }
  }
}
