/// Something the user can do on a screen: a route, and how it is offered.
public struct ScreenAction: Codable, Sendable, Equatable {
  /// What a route does, which decides how a host offers it.
  public enum Kind: String, Codable, Sendable {
    /// Opens a screen.
    case show
    /// Changes something.
    case perform
  }

  /// The meaning of an action that hosts draw with a sign instead of its label.
  public enum Sign: String, Codable, Sendable {
    /// Marks a home as a favourite.
    case favourite
    /// Takes back a favourite that waits for the network.
    case waitingFavourite
    /// Continues a list.
    case more
    /// Loads the content again.
    case refresh
  }

  /// The name of the action, such as `Try again`.
  public var label: String
  /// The URL of its route.
  public var route: String
  /// What the route does.
  public var kind: Kind
  /// The sign by which hosts may draw it.
  public var sign: Sign?

  /// Creates an action.
  public init(_ label: String, route: String, kind: Kind, sign: Sign? = nil) {
    self.label = label
    self.route = route
    self.kind = kind
    self.sign = sign
  }

  /// Creates an action that opens a screen.
  public static func show(_ label: String, _ route: String) -> ScreenAction {
    ScreenAction(label, route: route, kind: .show)
  }

  /// Creates an action that changes something.
  public static func perform(_ label: String, _ route: String, sign: Sign? = nil) -> ScreenAction {
    ScreenAction(label, route: route, kind: .perform, sign: sign)
  }
}

/// Options of which one is selected, each of which is a route.
public struct ChoiceGroup: Codable, Sendable, Equatable {
  /// An option of a group.
  public struct Option: Codable, Sendable, Equatable {
    /// The name of the option.
    public var label: String
    /// The URL of the route that selects it.
    public var route: String
    /// Whether it is the selected one.
    public var isSelected: Bool

    /// Creates an option.
    public init(_ label: String, route: String, isSelected: Bool) {
      self.label = label
      self.route = route
      self.isSelected = isSelected
    }
  }

  /// What is chosen, such as `Environment`.
  public var label: String
  /// What the selected option means at present.
  public var detail: String?
  /// The options.
  public var options: [Option]

  /// Creates a group.
  public init(_ label: String, detail: String? = nil, options: [Option]) {
    self.label = label
    self.detail = detail
    self.options = options
  }
}
