/// The bounds of a list that is loaded page by page, so that a faulty server can't make it grow without end.
public struct PageLimits: Sendable, Hashable {
  /// The maximum number of pages; 1,000 by default.
  package var pages: Int
  /// The maximum number of items; 50,000 by default.
  package var items: Int
  /// The maximum length of a cursor in bytes; 8,192 by default.
  package var cursorLength: Int

  /// Creates limits; a limit below 1 is raised to 1.
  public init(pages: Int = 1_000, items: Int = 50_000, cursorLength: Int = 8_192) {
    self.pages = max(1, pages)
    self.items = max(1, items)
    self.cursorLength = max(1, cursorLength)
  }
}
