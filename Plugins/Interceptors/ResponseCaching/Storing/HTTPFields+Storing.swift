import HTTPTypes
import Interception

extension HTTPFields {
  private static let connectionOwned: Set<String> = [
    "connection", "proxy-connection", "keep-alive", "te", "transfer-encoding", "upgrade",
    "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
  ]
  private static let ofTheStoredContent: Set<String> = [
    "content-length", "content-encoding", "content-type", "content-range",
  ]

  /// Returns the fields that may be stored, without those of the connection and those listed in `Connection`
  /// (RFC 9111, section 3.1).
  ///
  /// - Parameter excluded: The names of further fields to leave out, in lower case.
  func storable(without excluded: [String] = []) -> HTTPFields {
    let listed = (self[.connection] ?? "").split(separator: ",").map { $0.trimmingWhitespace().lowercased() }
    return HTTPFields(
      filter { field in
        let name = field.name.canonicalName
        return !Self.connectionOwned.contains(name) && !listed.contains(name) && !excluded.contains(name)
      })
  }

  /// Returns stored fields updated by those of a 304 (RFC 9111, section 3.2).
  ///
  /// The fields that describe the stored content are kept, and a stored `Age` is removed. A 304 without a
  /// `Date` was created when it was received (RFC 9110, section 6.6.1).
  func updated(by confirmation: HTTPFields, received: WallTime) -> HTTPFields {
    let news = confirmation.storable().filter { !Self.ofTheStoredContent.contains($0.name.canonicalName) }
    let replaced = Set(news.map(\.name.canonicalName)).union(["age"])
    var fields = HTTPFields(filter { !replaced.contains($0.name.canonicalName) } + news)
    if !replaced.contains("date"), fields.contains(.date) { fields[.date] = HTTPDate.format(received) }
    return fields
  }
}
