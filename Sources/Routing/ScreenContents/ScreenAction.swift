/// Something the user can do: a route, and the fields of its query that the user fills in.
public struct ScreenAction: Sendable, Equatable {
  /// The name of the action, such as `Try again`.
  public var label: String
  /// The URL of its route, without the fields.
  public var route: String
  /// Whether the route opens a screen; otherwise it changes something.
  public var opensScreen: Bool
  /// The name of a sign that hosts may draw instead of the label; hosts ignore a name that they do not know.
  public var sign: String?
  /// The fields that the user fills in.
  public var fields: [ScreenField]

  /// Returns an action that opens a screen.
  public static func show(_ label: String, _ route: String, fields: [ScreenField] = []) -> ScreenAction {
    ScreenAction(label: label, route: route, opensScreen: true, fields: fields)
  }

  /// Returns an action that changes something.
  public static func perform(
    _ label: String, _ route: String, sign: String? = nil, fields: [ScreenField] = []
  ) -> ScreenAction {
    ScreenAction(label: label, route: route, opensScreen: false, sign: sign, fields: fields)
  }
}

/// A field of an action; its name is a key in the query of the action's route.
public enum ScreenField: Sendable, Equatable {
  /// A line of text, for which values may be suggested.
  case text(String, label: String, value: String = "", suggestions: [Fact] = [])
  /// Several lines of text.
  case paragraph(String, label: String, value: String = "")
  /// A whole number.
  case number(String, label: String, value: String = "")
  /// One of some values.
  case choice(String, label: String, value: String = "", options: [Fact])

  /// The key in the query.
  public var name: String {
    switch self {
    case .text(let name, _, _, _), .paragraph(let name, _, _), .number(let name, _, _),
      .choice(let name, _, _, _):
      name
    }
  }
}
