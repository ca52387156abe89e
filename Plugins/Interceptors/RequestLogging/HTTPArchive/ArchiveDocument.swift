package import Interception

/// A HAR 1.2 document of exchanges that another observer has recorded, redacted when it is written.
package struct ArchiveDocument {
  private let format: ArchiveFormat
  private let creator: JSONValue
  private var entries: [[UInt8]] = []

  /// Creates a document without entries.
  ///
  /// - Parameters:
  ///   - redaction: What may be shown; its mark is replaced by `REDACTED`, which is legal in a URL.
  ///   - application: The name and version of the app, which the document names as its creator.
  package init(redaction: Redaction, application: (name: String, version: String)) {
    format = ArchiveFormat(redaction: redaction, bodies: BodySampling(requestBytes: .max))
    creator = Self.creator(application)
  }

  /// Adds an exchange.
  ///
  /// - Parameters:
  ///   - request: The request as it was sent. Its body is shown as far as it is in memory.
  ///   - id: The ID that the entry's comment names.
  ///   - cache: How a cache responded, if nothing was sent.
  ///   - alterations: What interventions did to the call, which the entry has as `_alterations`.
  ///   - redact: Receives the texts of bodies, redacted by names, and returns what is shown.
  package mutating func add(
    _ request: Request, id: RequestID, _ result: ArchivedResult, cache: Exchange.CacheStatus? = nil,
    startedAt: WallTime, after duration: Duration, alterations: [String] = [],
    redacting redact: @escaping @Sendable (String) -> String
  ) {
    let bodies = BodySampling(requestBytes: .max, responseBytes: .max, redacting: redact)
    var entry = ArchiveEntry(
      request, id: id, result, cache: cache, startedAt: startedAt, after: duration,
      format: format.sampling(bodies))
    entry.alterations = alterations
    entries.append(entry.json.bytes)
  }

  /// Adds entries of another document, as ``entriesBytes`` has them.
  package mutating func add(_ written: [UInt8]) {
    if !written.isEmpty { entries.append(written) }
  }

  /// The entries: JSON objects in UTF-8, separated by commas.
  package var entriesBytes: [UInt8] { Array(entries.joined(separator: [UInt8(ascii: ",")])) }

  /// Returns the document: JSON in UTF-8.
  package func bytes(omittedCount: Int) -> [UInt8] {
    Self.bytes(of: entries, creator: creator, omittedCount: omittedCount)
  }

  /// The object that names what wrote a document.
  static func creator(_ application: (name: String, version: String)) -> JSONValue {
    .object([("name", .text(application.name)), ("version", .text(application.version))])
  }

  /// Writes a document around its entries.
  static func bytes(of entries: [[UInt8]], creator: JSONValue, omittedCount: Int) -> [UInt8] {
    var bytes = Array(#"{"log":{"version":"1.2","creator":"#.utf8) + creator.bytes
    bytes += #","entries":["#.utf8
    for (index, entry) in entries.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += entry
    }
    bytes.append(UInt8(ascii: "]"))
    if omittedCount > 0 {
      bytes += #","comment":"\#(omittedCount) earlier or larger entries were left out""#.utf8
    }
    return bytes + Array("}}".utf8)
  }
}
