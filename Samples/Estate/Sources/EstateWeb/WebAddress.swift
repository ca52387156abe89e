import Foundation
import HTTPServing

/// The path of a page and the URL of the route that it shows.
///
/// `/home/42` is the page of `estate://home/42`, so that a page can be reloaded, kept and passed on.
enum WebAddress {
  private static let scheme = "estate://"

  /// Returns the path of a URL; `nil` if it is not one of the app's own.
  static func path(of url: String) -> String? {
    guard url.hasPrefix(scheme) else { return nil }
    let rest = url.utf8.dropFirst(scheme.utf8.count)
    // A browser reads two slashes as the beginning of another site's address.
    guard let first = rest.first, first != UInt8(ascii: "/"), first != UInt8(ascii: "\\") else { return nil }
    return "/" + String(Substring(rest))
  }

  /// Returns the URL of a request's path and query; `nil` without a path.
  static func url(of request: ReceivedRequest) -> String? {
    let path = request.path.drop { $0 == "/" }
    guard !path.isEmpty else { return nil }
    let query = request.query.map(cleared) ?? ""
    return scheme + path + (query.isEmpty ? "" : "?\(query)")
  }

  /// The fields of a query that have a value, because a form also sends its empty ones.
  private static func cleared(_ query: Substring) -> String {
    query.split(separator: "&").filter { !$0.hasSuffix("=") }.joined(separator: "&")
      .replacing("+", with: "%20")
  }

  /// Returns the URL of a route with the fields of a form added to its query; empty ones are left out.
  static func url(of route: String, fields: [(name: String, value: String)]) -> String {
    let unreserved = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
    let query = fields.filter { !$0.value.isEmpty }.map { name, value in
      name + "=" + (value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")
    }.joined(separator: "&")
    return query.isEmpty ? route : route + (route.contains("?") ? "&" : "?") + query
  }
}
