import Interception

/// The content of a page: its items, and what the server reported about the next page.
public struct PageContent<Item: Sendable>: Sendable {
  /// The items, in order.
  package var items: [Item]
  /// Whether there is a next page, and how it is requested.
  package var next: NextPage
  /// How current the response was, if the page was made of one.
  var currency = ResponseCurrency()

  /// Creates the content of a page.
  public init(_ items: [Item], next: NextPage) {
    self.items = items
    self.next = next
  }
}
