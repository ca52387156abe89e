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

  /// A document that switches nothing off.
  package static let empty = DowngradeDocument(reasons: [:], unknownAPIs: [])

  private init(reasons: [APIIdentity: String], unknownAPIs: Set<APIIdentity>) {
    self.reasons = reasons
    self.unknownAPIs = unknownAPIs
  }

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
      let list: JSONDocument = try JSONDocument(bytes)["switchedOff"]
      entries = try [Entry](json: list)
    } catch {
      let error = error as? BodyDecodingError
      // The other kinds of errors concern the document as a whole.
      let field = error?.kind == .missing || error?.kind == .mismatch ? error?.field : nil
      throw .malformed(field: field, at: error?.offset)
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
      guard Self.isShowable(entry.reason) else { throw .invalidReason(index: index, at: entry.offset) }
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

  private struct Entry: JSONReadable {
    private static let fields = (
      service: JSONField<String>("service"), api: JSONField<String>("api"),
      reason: JSONField<String>("reason")
    )

    let service: String
    let api: String
    let reason: String
    let offset: Int

    init(json: JSONDocument) throws {
      service = try json[Self.fields.service]
      api = try json[Self.fields.api]
      reason = try json[Self.fields.reason]
      offset = json.offset
    }
  }
}
