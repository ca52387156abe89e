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
  func storable() -> HTTPFields {
    let listed = (self[.connection] ?? "").split(separator: ",").map { $0.trimmingWhitespace().lowercased() }
    return HTTPFields(
      filter { field in
        let name = field.name.canonicalName
        return !Self.connectionOwned.contains(name) && !listed.contains(name)
      })
  }

  /// Returns stored fields updated by those of a 304 (RFC 9111, section 3.2).
  ///
  /// The fields that describe the stored content are kept, and a stored `Age` is removed.
  func updated(by confirmation: HTTPFields) -> HTTPFields {
    let news = confirmation.storable().filter { !Self.ofTheStoredContent.contains($0.name.canonicalName) }
    let replaced = Set(news.map(\.name.canonicalName)).union(["age"])
    return HTTPFields(filter { !replaced.contains($0.name.canonicalName) } + news)
  }
}
