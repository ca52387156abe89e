/// One shown screen in the state: who it is and where it came from, not the screen itself.
public struct NavigationEntry: Sendable, Hashable {
  /// The screen's identity.
  public let id: EntryID
  /// The URL that led to it, or the name of its route.
  public let name: String

  /// Pairs an identity with a name.
  public init(id: EntryID, name: String) {
    self.id = id
    self.name = name
  }
}
