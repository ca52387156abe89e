/// One page of the homes that match a query.
public struct ListingPage: Sendable, Equatable {
  /// The page's number, from 1.
  public let number: Int
  /// The number of homes on a full page.
  public let size: Int
  /// The number of matching homes on all pages.
  public let total: Int
  /// The homes of this page; none on a page after the last one.
  public let homes: [Home]

  /// The number of pages; 0 if no home matches.
  public var pages: Int { (total + size - 1) / size }
}
