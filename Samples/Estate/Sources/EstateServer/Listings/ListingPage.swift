/// One page of the homes that match a query.
public struct ListingPage: Sendable, Equatable {
  /// The page's number, from 1.
  public let number: Int
  /// How many homes a full page has.
  public let size: Int
  /// How many homes match, on all pages together.
  public let total: Int
  /// The homes of this page; empty behind the last one.
  public let homes: [Home]

  /// How many pages hold the matching homes; 0 when nothing matches.
  public var pages: Int { (total + size - 1) / size }
}
