/// A shown screen in the state: its identity and its origin, not the screen itself.
///
/// Its name and its URL are the text by which it was opened, to be shown and restored; the navigator compares
/// screens by the routes and values that they stand for.
public struct NavigationEntry: Sendable, Hashable {
  /// The identity of the screen.
  public let id: EntryID
  /// The URL that the screen was opened with, or the name of its route.
  public let name: String
  /// The URL that shows the screen again; nil if there is none, as for a native route.
  public let url: String?
  /// The URL or the route name of the caller, if known.
  public let opener: String?

  /// Creates an entry.
  package init(id: EntryID, name: String, url: String? = nil, opener: String? = nil) {
    self.id = id
    self.name = name
    self.url = url
    self.opener = opener
  }
}
