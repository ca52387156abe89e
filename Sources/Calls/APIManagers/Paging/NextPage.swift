public import HTTPTypes
import Interception

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

  /// There is a next page if this one has at least as many items as were requested.
  ///
  /// Use it if the server fills each page but the last as requested.
  public static let whileFull = NextPage(rule: .whileFull)

  /// There is a next page until all items of the list have been received.
  ///
  /// A page is the last one if the total is 0, or if the page has no items.
  public static func total(_ count: Int) -> NextPage { NextPage(rule: .total(count)) }

  /// There is a next page if the server says so.
  public static func exists(_ exists: Bool) -> NextPage { NextPage(rule: .exists(exists)) }

  /// The next page is requested with a cursor; the page is the last one if it is nil or empty.
  public static func cursor(_ cursor: String?) -> NextPage {
    NextPage(rule: .cursor(cursor?.isEmpty == true ? nil : cursor))
  }

  /// The next page's cursor is in the link of relation `next` (RFC 8288); without one, the page is the last
  /// one.
  ///
  /// - Parameter parameter: The name of the query parameter whose value is the cursor, such as `page` or
  ///   `after`. Only the value is used, so that a link can't lead to another server; a link without the
  ///   parameter ends the list with a ``PagingError``.
  ///
  ///   By default the cursor is the link's target: a URL or a relative reference, as the server wrote it.
  ///   Compare its origin with the server's before requesting it with credentials.
  public static func link(in fields: HTTPFields, query parameter: String? = nil) -> NextPage {
    guard let target = LinkTarget.next(in: fields) else { return .cursor(nil) }
    guard let parameter else { return .cursor(target) }
    guard let value = LinkTarget.value(of: parameter, in: target), !value.isEmpty else {
      return NextPage(rule: .missingParameter(parameter))
    }
    return .cursor(value)
  }
}
