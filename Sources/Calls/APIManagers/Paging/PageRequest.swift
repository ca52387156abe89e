public import HTTPTypes
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
  public let isReload: Bool
  /// Distinguishes the pages before a refresh from those after it.
  var generation: UInt64 = 0

  /// The number of the page, for servers that count pages from 1.
  public var number: Int { index + 1 }

  /// Creates a request, for example to test a loader.
  public init(index: Int = 0, offset: Int = 0, size: Int = 20, cursor: String? = nil, isReload: Bool = false)
  {
    self.index = index
    self.offset = offset
    self.size = size
    self.cursor = cursor
    self.isReload = isReload
  }
}

/// The content of a page: its items, and what the server reported about the next page.
public struct PageContent<Item: Sendable>: Sendable {
  /// The items, in order.
  public var items: [Item]
  /// Whether there is a next page, and how it is requested.
  public var next: NextPage

  /// Creates the content of a page.
  public init(_ items: [Item], next: NextPage) {
    self.items = items
    self.next = next
  }
}

/// What a page reports about the page after it.
public struct NextPage: Sendable, Hashable {
  enum Rule: Sendable, Hashable {
    case whileFull
    case total(Int)
    case exists(Bool)
    case cursor(String?)
    /// The server named a next page, but not in the parameter that it should be in.
    case missingParameter(String)
  }

  let rule: Rule

  /// There is a next page if this one has at least as many items as were requested, for a server that doesn't
  /// limit the size of pages further.
  public static let whileFull = NextPage(rule: .whileFull)

  /// There is a next page until the number of received items is that of all items of the list.
  ///
  /// With a total of 0 the page is the last one, as is every page without items.
  public static func total(_ count: Int) -> NextPage { NextPage(rule: .total(count)) }

  /// There is a next page if the server says so.
  public static func exists(_ exists: Bool) -> NextPage { NextPage(rule: .exists(exists)) }

  /// The next page is requested with a cursor; the page is the last one if it is nil or empty.
  public static func cursor(_ cursor: String?) -> NextPage {
    NextPage(rule: .cursor(cursor?.isEmpty == true ? nil : cursor))
  }

  /// The next page's cursor is the target of the link of relation `next` (RFC 8288); without one, the page is
  /// the last one.
  ///
  /// The target is a URL or a relative reference, as the server wrote it. Compare its origin with the
  /// server's before requesting it with credentials.
  public static func link(in fields: HTTPFields) -> NextPage {
    .cursor(LinkTarget.next(in: fields))
  }

  /// The next page's cursor is the value of a query parameter of the link of relation `next` (RFC 8288).
  ///
  /// Only the parameter's value is used, so that a link can't lead to another server. Without such a link,
  /// the page is the last one. A link that doesn't have the parameter is reported as
  /// ``PagingError/missingParameter(_:)``.
  ///
  /// - Parameter parameter: The name of the parameter, such as `page` or `after`.
  public static func link(in fields: HTTPFields, query parameter: String) -> NextPage {
    guard let target = LinkTarget.next(in: fields) else { return .cursor(nil) }
    guard let value = LinkTarget.value(of: parameter, in: target), !value.isEmpty else {
      return NextPage(rule: .missingParameter(parameter))
    }
    return .cursor(value)
  }
}

/// The bounds of a list that is loaded page by page, so that a faulty server can't make it grow without end.
public struct PageLimits: Sendable, Hashable {
  /// The maximum number of pages; 1,000 by default.
  public var pages: Int
  /// The maximum number of items; 50,000 by default.
  public var items: Int
  /// The maximum length of a cursor in bytes; 8,192 by default.
  public var cursorLength: Int

  /// Creates limits; a limit below 1 is raised to 1.
  public init(pages: Int = 1_000, items: Int = 50_000, cursorLength: Int = 8_192) {
    self.pages = max(1, pages)
    self.items = max(1, items)
    self.cursorLength = max(1, cursorLength)
  }
}
