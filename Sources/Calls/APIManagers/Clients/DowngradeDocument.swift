public import Interception

/// A list of switched-off APIs from the app's server, as JSON.
///
/// ```json
/// {"switchedOff": [{"service": "estate", "api": "houses.list", "reason": "Searching is paused until 9."}]}
/// ```
///
/// The app loads the document by any API, at startup and from time to time:
///
/// ```swift
/// func update(_ client: APIClient, from response: APIResponse) throws {
///   let document = try DowngradeDocument(response.bytes, knownAPIs: [HouseList.identity])
///   client.downgrades.apply(document)
/// }
/// ```
///
/// A document is valid as a whole or not at all. Entries for APIs that the app doesn't have are ignored, and
/// so are unknown fields. A document has at most 65,536 bytes and 1,000 entries, and a reason at most 500
/// characters.
public struct DowngradeDocument: Sendable, Hashable {
  static let maximumLength = 65_536
  static let maximumCount = 1_000
  static let maximumReasonLength = 500

  /// Why each API is switched off, in words for the user; of several entries for one API, the last one.
  package let reasons: [APIIdentity: String]
  /// The entries that were left out because the app has no such API.
  public let unknownAPIs: Set<APIIdentity>

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The JSON text.
  ///   - knownAPIs: The APIs of the app that may be switched off.
  /// - Throws: A ``DowngradeDocumentError`` if the document is malformed or exceeds a limit.
  public init(_ bytes: [UInt8], knownAPIs: Set<APIIdentity>) throws(DowngradeDocumentError) {
    guard bytes.count <= Self.maximumLength else { throw .tooLong(limit: Self.maximumLength) }
    let entries: [Entry]
    do {
      entries = try JSONCoding().decoded(Content.self, from: bytes).switchedOff
    } catch {
      // The other kinds of errors concern the document as a whole.
      throw .malformed(field: error.kind == .missing || error.kind == .mismatch ? error.field : nil)
    }
    guard entries.count <= Self.maximumCount else { throw .tooManyEntries(limit: Self.maximumCount) }
    var reasons: [APIIdentity: String] = [:]
    var unknownAPIs: Set<APIIdentity> = []
    for (index, entry) in entries.enumerated() {
      let api = APIIdentity(service: entry.service, name: entry.api)
      guard knownAPIs.contains(api) else {
        unknownAPIs.insert(api)
        continue
      }
      guard Self.isShowable(entry.reason) else { throw .invalidReason(index: index) }
      reasons[api] = entry.reason
    }
    self.reasons = reasons
    self.unknownAPIs = unknownAPIs
  }

  /// Whether a reason can be shown to a user: it is not empty, not long, and has no control character.
  private static func isShowable(_ reason: String) -> Bool {
    !reason.isEmpty && reason.count <= maximumReasonLength
      && !reason.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  private struct Content: Decodable {
    var switchedOff: [Entry]
  }

  private struct Entry: Decodable {
    var service: String
    var api: String
    var reason: String
  }
}
