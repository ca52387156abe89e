/// One shown screen in the state: who it is and where it came from, not the screen itself.
public struct NavigationEntry: Sendable, Hashable {
  /// The screen's identity.
  public let id: EntryID
  /// The URL that led to it, or the name of its route.
  public let name: String
  /// The URL that leads to it again; nil if none does, as for a native route.
  public let url: String?
  /// The URL or the route name of who opened it, if that is known.
  public let opener: String?

  /// Describes a screen.
  public init(id: EntryID, name: String, url: String? = nil, opener: String? = nil) {
    self.id = id
    self.name = name
    self.url = url
    self.opener = opener
  }
}
