public import Interception

/// The error of a list whose pages don't lead to an end, or break a limit.
///
/// The list keeps the pages before the faulty one. You can request that page again, or refresh the list.
public struct PagingError: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// A sentence that says what is wrong and what to do; it contains no cursor, which may be a secret.
  public let description: String

  private init(_ description: String) { self.description = description }

  /// The server reports a next page, but this page, like those before it, has only items of earlier pages.
  ///
  /// - Parameter number: The page's number, counted from 1.
  package static func repeatedPage(number: Int) -> PagingError {
    PagingError(
      "Page \(number) has only items of earlier pages again; check that the request names the page as the server "
        + "expects it.")
  }

  /// The page names a cursor that was already used, so that the pages form a loop.
  ///
  /// - Parameter number: The page's number, counted from 1.
  package static func repeatedCursor(number: Int) -> PagingError {
    PagingError(
      "Page \(number) names a cursor that was already used; report it to the server's operator, or refresh the list."
    )
  }

  /// The cursor is longer than ``PageLimits`` allows.
  package static func cursorTooLong(limit: Int) -> PagingError {
    PagingError(
      "The cursor of the next page is longer than \(limit) bytes; raise PageLimits(cursorLength:) if it is legitimate."
    )
  }

  /// The server reported a negative number of items.
  package static func invalidTotal(_ total: Int) -> PagingError {
    PagingError("The server reported a total of \(total) items; a total is at least 0.")
  }

  /// The link to the next page lacks the query parameter that carries its cursor.
  package static func missingParameter(_ name: String) -> PagingError {
    PagingError(
      "The link to the next page has no query parameter \"\(name)\"; pass the name that the server uses.")
  }

  /// The list has more pages than ``PageLimits`` allows.
  package static func tooManyPages(limit: Int) -> PagingError {
    PagingError("The list has more than \(limit) pages; narrow the search, or raise PageLimits(pages:).")
  }

  /// The list has more items than ``PageLimits`` allows.
  package static func tooManyItems(limit: Int) -> PagingError {
    PagingError("The list has more than \(limit) items; narrow the search, or raise PageLimits(items:).")
  }
}
