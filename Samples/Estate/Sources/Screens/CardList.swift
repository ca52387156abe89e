/// Things in a list, each of which opens a screen.
public struct CardList: Codable, Sendable, Equatable {
  /// The cards.
  public var cards: [Card]
  /// The action that adds the cards after the last one; `nil` if there are none.
  public var more: ScreenAction?
  /// What can be done with several cards that the user picks; `nil` if nothing can.
  public var selection: CardSelection?

  /// Creates a list of cards.
  public init(_ cards: [Card], more: ScreenAction? = nil, selection: CardSelection? = nil) {
    self.cards = cards
    self.more = more
    self.selection = selection
  }
}

/// An action on several cards of a list: a route that takes their numbers.
public struct CardSelection: Codable, Sendable, Equatable {
  /// The name of the action, such as `Compare`.
  public var label: String
  /// The URL of the route, without the query.
  public var route: String
  /// The parameter for the numbers, which are separated by commas.
  public var parameter: String
  /// The maximum number of cards.
  public var maximum: Int

  /// Creates an action.
  public init(_ label: String, route: String, parameter: String, maximum: Int) {
    self.label = label
    self.route = route
    self.parameter = parameter
    self.maximum = maximum
  }
}

/// A thing in a list, such as a home.
public struct Card: Codable, Sendable, Equatable, Identifiable {
  /// The thing's number, by which a map refers to it.
  public var id: Int
  /// A word before the title, such as the kind of home.
  public var badge: String?
  /// The title, such as a city and a postal code.
  public var title: String
  /// The properties in a few words.
  public var facts: [Fact]
  /// The price.
  public var price: String?
  /// What is particular about it at present, such as that it waits for the network.
  public var note: String?
  /// The drawing.
  public var picture: HomePicture?
  /// The URL of its screen.
  public var route: String
  /// What can be done with it without opening its screen.
  public var actions: [ScreenAction]
  /// Whether the user has marked it.
  public var isMarked: Bool

  /// Creates a card.
  public init(
    id: Int, badge: String? = nil, title: String, facts: [Fact] = [], price: String? = nil,
    note: String? = nil, picture: HomePicture? = nil, route: String, actions: [ScreenAction] = [],
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
