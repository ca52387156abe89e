/// What a screen holds, as a value that any host can render: without markup, lines or layout.
///
/// A module returns it, and a host turns it into lines of a terminal, a page of HTML or JSON.
public struct ScreenContent: Codable, Sendable, Equatable {
  /// The title.
  public var title: String
  /// The URL that shows this content again, if it is not the one that opened the screen.
  public var address: String?
  /// What the screen shows, from top to bottom.
  public var blocks: [ContentBlock]
  /// What the user can do here, by route.
  public var actions: [ScreenAction]
  /// Whether a part of the content is being loaded.
  public var isLoading: Bool
  /// Why the content may be out of date; `nil` if it is the server's.
  public var staleness: Staleness?

  /// Creates content.
  public init(
    title: String, address: String? = nil, blocks: [ContentBlock] = [], actions: [ScreenAction] = [],
    isLoading: Bool = false, staleness: Staleness? = nil
  ) {
    self.title = title
    self.address = address
    self.blocks = blocks
    self.actions = actions
    self.isLoading = isLoading
    self.staleness = staleness
  }
}

/// A part of a screen's content.
public enum ContentBlock: Codable, Sendable, Equatable {
  /// The heading of the blocks that follow it.
  case heading(String)
  /// A paragraph; a URL in it is a link with the permissions of the screen that shows it.
  case text(String)
  /// Properties with their values.
  case facts(FactList)
  /// A drawing of a home.
  case picture(HomePicture)
  /// Things in a list, each of which opens a screen.
  case cards(CardList)
  /// Rows and columns.
  case table(ContentTable)
  /// Several things, property by property.
  case comparison(Comparison)
  /// Fields for the user's input.
  case form(ContentForm)
  /// One of several options, each of which is a route.
  case choices(ChoiceGroup)
  /// Curves over a common axis.
  case plot(Plot)
  /// Places by latitude and longitude.
  case map(PlaceMap)
  /// Something that the user should notice.
  case notice(Notice)
}

/// A sentence that stands out.
public struct Notice: Codable, Sendable, Equatable {
  /// How important a notice is.
  public enum Level: String, Codable, Sendable {
    /// For information.
    case information
    /// Something is not as usual.
    case warning
    /// Something failed.
    case failure
  }

  /// The importance.
  public var level: Level
  /// What happened.
  public var text: String
  /// What the user can do about it.
  public var action: ScreenAction?

  /// Creates a notice.
  public init(_ level: Level, _ text: String, action: ScreenAction? = nil) {
    self.level = level
    self.text = text
    self.action = action
  }
}

/// Why content may be out of date.
public struct Staleness: Codable, Sendable, Equatable {
  /// A sentence for the user.
  public var sentence: String
  /// The age in seconds; `nil` if it is not known.
  public var age: Int?

  /// Creates a statement about stale content.
  public init(_ sentence: String, age: Int?) {
    self.sentence = sentence
    self.age = age
  }
}
