/// One page of the homes that match a query.
package struct ListingPage: Sendable, Equatable {
  /// The page's number, from 1.
  package let number: Int
  package let size: Int
  /// The number of matching homes on all pages.
  package let total: Int
  /// The homes of this page; none on a page after the last one.
  package let homes: [Home]

  /// The number of pages; 0 if no home matches.
  package var pages: Int { (total + size - 1) / size }
}
