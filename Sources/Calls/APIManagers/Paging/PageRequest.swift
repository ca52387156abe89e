import HTTPTypes
import Interception

/// The page that a loader is to load, in the forms in which servers count pages.
///
/// A loader uses the form that its server understands and ignores the others.
public struct PageRequest: Sendable, Hashable {
  /// The number of pages before this one, for servers that count pages from 0.
  public let index: Int
  /// The number of items that were received before this page, including duplicates.
  public let offset: Int
  /// The maximum number of items that the page should have.
  public let size: Int
  /// The cursor that the previous page named; nil for the first page.
  public let cursor: String?
  /// Whether stored responses must not be used, because the user refreshed the list.
  package let isReload: Bool
  /// Distinguishes the pages before a refresh from those after it.
  var generation: UInt64 = 0

  /// The number of the page, for servers that count pages from 1.
  public var number: Int { index + 1 }

  /// Creates a request, for example to test a loader.
  package init(index: Int = 0, offset: Int = 0, size: Int = 20, cursor: String? = nil, isReload: Bool = false)
  {
    self.index = index
    self.offset = offset
    self.size = size
    self.cursor = cursor
    self.isReload = isReload
  }
}
