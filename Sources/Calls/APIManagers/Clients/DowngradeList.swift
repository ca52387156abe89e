import BodyFormats
public import Interception
import Synchronization

/// The APIs that are switched off temporarily, for example while the servers are overloaded.
///
/// The app switches APIs off one by one, or applies a ``DowngradeDocument`` of its server.
public final class DowngradeList: Sendable {
  private struct Reasons {
    var own: [APIIdentity: String] = [:]
    var remote: [APIIdentity: String] = [:]
  }

  private let reasons = Mutex(Reasons())

  /// Creates an empty list, with every API switched on.
  public init() {}

  /// Switches an API off, with a reason that can be shown to the user.
  public func switchOff(_ api: APIIdentity, because reason: String) {
    reasons.withLock { $0.own[api] = reason }
  }

  /// Switches an API on again, unless the applied document switches it off.
  public func switchOn(_ api: APIIdentity) { reasons.withLock { $0.own[api] = nil } }

  /// Switches the APIs of a document off, and those of the document applied before on, in one step.
  ///
  /// APIs that the app has switched off by ``switchOff(_:because:)`` stay off.
  public func apply(_ document: DowngradeDocument) {
    reasons.withLock { $0.remote = document.reasons }
  }

  /// Returns why an API is switched off, or nil if it isn't.
  func downgrade(of api: APIIdentity) -> String? { reasons.withLock { $0.own[api] ?? $0.remote[api] } }
}

/// A list of switched-off APIs from the app's server, as JSON.
///
/// ```json
/// {"switchedOff": [{"service": "estate", "api": "houses.list", "reason": "Searching is paused until 9."}]}
/// ```
///
/// The app loads it by any API, at startup and from time to time:
///
/// ```swift
/// func update(_ client: APIClient, from response: APIResponse) throws {
///   let document = try DowngradeDocument(response.bytes, knownAPIs: [HouseList.identity])
///   client.downgrades.apply(document)
/// }
/// ```
///
/// A document is valid as a whole or not at all. Entries for APIs that the app doesn't have are left out. An
/// object may have further fields. A document has at most 65,536 bytes and 1,000 entries, and a reason at
/// most 500 characters.
public struct DowngradeDocument: Sendable, Hashable {
  static let maximumLength = 65_536
  static let maximumCount = 1_000
  static let maximumReasonLength = 500

  /// Why each API is switched off, in words for the user; of several entries for one API, the last one.
  public let reasons: [APIIdentity: String]
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

/// The error of a ``DowngradeDocument`` that can't be applied.
public enum DowngradeDocumentError: Error, LoggableError, Sendable, Hashable {
  /// The document is longer than the limit in bytes.
  case tooLong(limit: Int)
  /// The document has more entries than allowed.
  case tooManyEntries(limit: Int)
  /// The document is not valid JSON, or not of the required form; `field` is the path to the field at fault,
  /// if known.
  case malformed(field: String?)
  /// The reason of an entry is empty, too long, or has a control character; the index is counted from 0.
  case invalidReason(index: Int)
}

extension DowngradeDocumentError: CustomStringConvertible {
  /// A sentence that says what is wrong and what to do.
  public var description: String {
    switch self {
    case .tooLong(let limit): "The document is longer than \(limit) bytes; list fewer APIs."
    case .tooManyEntries(let limit): "The document has more than \(limit) entries; list fewer APIs."
    case .malformed(let field?):
      "`\(field)` is missing or has another type; correct the document on the server."
    case .malformed(nil): "The document is not a valid JSON object; correct it on the server."
    case .invalidReason(let index):
      "`switchedOff[\(index)].reason` should be a text of 1 to \(DowngradeDocument.maximumReasonLength) characters without control characters."
    }
  }
}
