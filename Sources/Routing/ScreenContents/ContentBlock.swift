/// A part of a screen's content.
public enum ContentBlock: Sendable, Equatable {
  /// The heading of the blocks that follow it.
  case heading(String)
  /// A paragraph; a URL in it is a link, which is opened like the routes of the content.
  case text(String)
  /// Properties with their values.
  case facts([Fact])
  /// Things in a list.
  ///
  /// `more` adds the cards after the last one. `selection` takes the cards that the user picks, at most
  /// `maximum`: its only field receives their ``Card/id``s, separated by commas.
  case cards([Card], more: ScreenAction? = nil, selection: ScreenAction? = nil, maximum: Int = 0)
  /// Rows and columns.
  case table(String, header: [String], rows: [[String]])
  /// The fields of an action, and a button that performs it.
  case form(ScreenAction)
  /// The fields of an action that each change of a field performs; it supersedes the one before.
  case filters(ScreenAction)
  /// A setting with the actions that change it; `selected` is the index of the current one.
  case choices(String, detail: String? = nil, options: [ScreenAction], selected: Int? = nil)
  /// Something that the user should know, and what he can do about it.
  case information(String, action: ScreenAction? = nil)
  /// Something that is not as usual, and what the user can do about it.
  case warning(String, action: ScreenAction? = nil)
  /// Something that failed, and what the user can do about it.
  case failure(String, action: ScreenAction? = nil)
  /// A block of a kind that the app has added.
  case app(AppBlock)
}

/// A thing in a list, such as a home.
public struct Card: Sendable, Equatable, Identifiable {
  /// The text by which an action names the thing; unique within a list.
  public var id: String
  /// A word before the title, such as the kind of the thing.
  public var badge: String?
  /// The title.
  public var title: String
  /// Its properties in a few words.
  public var facts: [Fact]
  /// The price.
  public var price: String?
  /// What is particular about it at present, such as that it waits for the network.
  public var note: String?
  /// The picture; nil if it has none, or one of a kind that the app does not know.
  public var picture: AppBlock?
  /// The URL of its screen.
  public var route: String
  /// What the user can do with it without opening its screen.
  public var actions: [ScreenAction]
  /// Whether the user has marked it.
  public var isMarked: Bool

  /// Creates a card.
  public init(
    id: String, badge: String? = nil, title: String, facts: [Fact] = [], price: String? = nil,
    note: String? = nil, picture: AppBlock? = nil, route: String, actions: [ScreenAction] = [],
    isMarked: Bool = false
  ) {
    self.id = id
    self.badge = badge
    self.title = title
    self.facts = facts
    self.price = price
    self.note = note
    self.picture = picture
    self.route = route
    self.actions = actions
    self.isMarked = isMarked
  }
}
