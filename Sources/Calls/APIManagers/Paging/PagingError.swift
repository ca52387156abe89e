public import Interception

/// The error of a list whose pages don't lead to an end.
///
/// The list keeps the pages before the one at fault. The page can be requested again, and a refresh starts
/// over.
public enum PagingError: Error, LoggableError, Sendable, Hashable {
  /// The page has only items of earlier pages, like those before it, but the server reports a next one;
  /// `number` is counted from 1. A list that grows at its head is not at fault.
  case repeatedPage(number: Int)
  /// The page names a cursor that was already used, so that the pages form a loop; `number` is that of the
  /// page that names it, counted from 1.
  case repeatedCursor(number: Int)
  /// The cursor is longer than ``PageLimits/cursorLength``.
  case cursorTooLong(limit: Int)
  /// The server reported a negative number of items.
  case invalidTotal(Int)
  /// The link to the next page doesn't have the query parameter that should be its cursor.
  case missingParameter(String)
  /// The list has more pages than ``PageLimits/pages``.
  case tooManyPages(limit: Int)
  /// The list has more items than ``PageLimits/items``.
  case tooManyItems(limit: Int)
}

extension PagingError: CustomStringConvertible {
  /// A sentence that says what is wrong and what to do; it contains no cursor, which may be a secret.
  public var description: String {
    switch self {
    case .repeatedPage(let number):
      "Page \(number) has only items of earlier pages again; check that the request names the page as the server expects it."
    case .repeatedCursor(let number):
      "Page \(number) names a cursor that was already used; report it to the server's operator, or refresh the list."
    case .cursorTooLong(let limit):
      "The cursor of the next page is longer than \(limit) bytes; raise PageLimits.cursorLength if it is legitimate."
    case .invalidTotal(let total):
      "The server reported a total of \(total) items; a total is at least 0."
    case .missingParameter(let name):
      "The link to the next page has no query parameter \"\(name)\"; pass the name that the server uses."
    case .tooManyPages(let limit):
      "The list has more than \(limit) pages; narrow the search, or raise PageLimits.pages."
    case .tooManyItems(let limit):
      "The list has more than \(limit) items; narrow the search, or raise PageLimits.items."
    }
  }
}
