import HTTPTypes
import Interception
import Synchronization

/// The rules by which a request matches a recorded one.
///
/// Header fields are never compared: the requests of an API differ in method, URL and content.
package struct CassetteMatching: Sendable, Hashable {
  /// Whether scheme and authority must be equal.
  let comparesAuthority: Bool
  /// Whether path and query must be equal.
  let comparesPath: Bool
  /// The lowercase names of query items to ignore; the others must be equal, in the same order.
  let volatileQueryNames: Set<String>
  /// Whether the content must be equal.
  let comparesContent: Bool

  /// Creates rules that compare everything except time stamps and nonces by default.
  ///
  /// - Parameters:
  ///   - comparesAuthority: Whether scheme and authority must be equal.
  ///   - comparesPath: Whether path and query must be equal.
  ///   - volatileQueryNames: The names of query items to ignore. The others must be equal, in the same order.
  ///   - comparesContent: Whether the content must be equal.
  package init(
    comparesAuthority: Bool = true, comparesPath: Bool = true,
    volatileQueryNames: Set<String> = ["nonce", "timestamp", "ts", "_"], comparesContent: Bool = true
  ) {
    self.comparesAuthority = comparesAuthority
    self.comparesPath = comparesPath
    self.volatileQueryNames = Set(volatileQueryNames.map { $0.lowercased() })
    self.comparesContent = comparesContent
  }

  /// Returns the difference between two requests; nil if they match.
  func difference(_ request: Cassette.RecordedRequest, _ recorded: Cassette.RecordedRequest) -> String? {
    if request.method != recorded.method { return "the method is \(recorded.method)" }
    if comparesAuthority, (request.scheme, request.authority) != (recorded.scheme, recorded.authority) {
      return "the origin is \(recorded.scheme)://\(recorded.authority)"
    }
    if comparesPath, steady(request.path) != steady(recorded.path) { return "the path is \(recorded.path)" }
    if comparesContent, request.body?.bytes != recorded.body?.bytes {
      return "the content has a different hash (\(recorded.body?.sha256.prefix(12) ?? "none"))"
    }
    return nil
  }

  /// Returns the path without the ignored query items.
  private func steady(_ path: String) -> String {
    guard let mark = path.firstIndex(of: "?") else { return path }
    let items = path[path.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
      .filter { item in
        let name = CassetteRedaction.decoded(item.prefix { $0 != "=" }).lowercased()
        return !volatileQueryNames.contains(name)
      }
    return items.isEmpty ? String(path[..<mark]) : path[...mark] + items.joined(separator: "&")
  }
}
