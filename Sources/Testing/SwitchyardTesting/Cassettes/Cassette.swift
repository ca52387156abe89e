import Foundation
import Interception

/// Recorded exchanges, stored as a file that people can read and review.
///
/// The file is JSON with sorted keys. The exchanges are in dispatch order, so an unchanged recording produces
/// an identical file. ``RecordingDispatcher`` writes it.
public struct Cassette: Sendable, Hashable {
  /// The version of the format that this library reads and writes.
  private static let currentVersion = 1

  /// The exchanges in dispatch order.
  package var interactions: [Interaction]

  package init(interactions: [Interaction] = []) { self.interactions = interactions }

  /// Reads a cassette from a file.
  ///
  /// - Throws: ``CassetteError`` if the file cannot be read, is not a cassette, or has another version.
  public init(path: String) throws(CassetteError) {
    try Self.check(path)
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw CassetteError("The cassette \(path) cannot be read; record it, or correct the path.")
    }
    struct Header: Decodable { let version: Int }
    guard let header = try? JSONDecoder().decode(Header.self, from: data) else {
      throw CassetteError("The file \(path) is not a cassette; it must be JSON with a version.")
    }
    guard header.version == Self.currentVersion else {
      throw CassetteError(
        "The cassette \(path) has version \(header.version), and this library reads \(Self.currentVersion); record it again."
      )
    }
    do {
      interactions = try JSONDecoder().decode(Document.self, from: data).interactions
    } catch {
      throw CassetteError("The cassette \(path) is damaged (\(type(of: error))); record it again.")
    }
    for (index, interaction) in interactions.enumerated() {
      guard let status = interaction.response?.status, !(100...999).contains(status) else { continue }
      throw CassetteError(
        "The cassette \(path) has the status \(status) in exchange \(index + 1); write one from 100 to 999.")
    }
  }

  /// Returns the cassette as JSON.
  package func json() throws(CassetteError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let document = Document(version: Self.currentVersion, interactions: interactions)
    do {
      return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    } catch {
      throw CassetteError("The cassette cannot be written as JSON: \(type(of: error)).")
    }
  }

  /// Writes the cassette to a file atomically.
  ///
  /// - Throws: ``CassetteError``.
  package func write(to path: String) throws(CassetteError) {
    try Self.check(path)
    let text = try json()
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw CassetteError(
        "The cassette \(path) cannot be written; check that its folder exists and is writable.")
    }
  }

  private static func check(_ path: String) throws(CassetteError) {
    do throws(NULFault) { try path.checkWhole(as: "The path of the cassette") } catch {
      throw CassetteError("\(error)")
    }
  }
}

extension Cassette {
  /// The form of a cassette in its file.
  package struct Document: Sendable, Hashable, Codable {
    package let version: Int
    package let interactions: [Interaction]
  }

  /// A request and its response or failure.
  package struct Interaction: Sendable, Hashable, Codable {
    /// The request.
    package var request: RecordedRequest
    /// The response; nil if the request failed.
    package var response: RecordedResponse?
    /// The failure; nil if there was a response.
    package var failure: RecordedFailure?

    /// Creates an exchange with a response.
    package init(_ request: RecordedRequest, _ response: RecordedResponse) {
      self.request = request
      self.response = response
    }

    /// Creates an exchange that failed.
    package init(_ request: RecordedRequest, failing failure: RecordedFailure) {
      self.request = request
      self.failure = failure
    }
  }

  /// A recorded request, with its secrets replaced.
  package struct RecordedRequest: Sendable, Hashable, Codable {
    /// The method.
    package var method: String
    /// The scheme, in lower case.
    package var scheme: String
    /// The host and port, without user information.
    package var authority: String
    /// The path and query.
    package var path: String
    /// The header fields, in order.
    package var fields: [Field]
    /// The content; nil if there is none.
    package var body: Content?
  }

  /// A recorded response, with its secrets replaced.
  package struct RecordedResponse: Sendable, Hashable, Codable {
    /// The status code.
    package var status: Int
    /// The header fields, in order.
    package var fields: [Field]
    /// The content; nil if there is none.
    package var body: Content?
    /// The trailer fields; nil if there are none.
    package var trailers: [Field]?
    /// Whether the content was received and read completely.
    package var isComplete: Bool
  }

  /// A failure of the dispatcher.
  package struct RecordedFailure: Sendable, Hashable, Codable {
    /// The label of the error kind.
    package var label: String
    /// The reason of the error.
    package var reason: String
    /// Whether the server may have processed the request.
    package var requestMayHaveBeenProcessed: Bool
    /// The limit that the body exceeded; nil for other kinds.
    package var limit: Int64?
  }

  /// A header field.
  package struct Field: Sendable, Hashable, Codable {
    /// The name in its original spelling.
    package var name: String
    /// The value; one that is not UTF-8 is written as ISO 8859-1.
    package var value: String
    /// Whether the value is written as ISO 8859-1, because it is not UTF-8; nil if it is.
    package var isLatin1: Bool?
  }

  /// Content as text if it is UTF-8, and in base64 otherwise.
  package struct Content: Sendable, Hashable, Codable {
    /// The content as text.
    package var text: String?
    /// The content in base64.
    package var base64: String?
    /// The number of bytes.
    package var length: Int
    /// The SHA-256 digest of the bytes in hexadecimal.
    package var sha256: String
  }
}

extension Cassette.RecordedFailure {
  /// The recorded error; a transport failure if this library does not know its kind.
  var networkError: NetworkError {
    NetworkError(kind, reason, requestMayHaveBeenProcessed: requestMayHaveBeenProcessed)
  }

  private var kind: NetworkError.Kind {
    var kinds: [NetworkError.Kind] = [
      .invalidRequest, .offline, .resolve, .connect, .proxyAuthentication, .queueFull, .descriptorsExhausted,
      .unsupported, .protocolViolation, .transport, .bodyNotReplayable, .bodyTooLarge(limit: limit ?? 0),
      .rejected, .needsLogin, .notStored,
    ]
    kinds += [.untrusted, .nameMismatch, .expired, .pinMismatch, .handshake].map { .tls($0) }
    kinds += [.queue, .connect, .firstByte, .idle, .whole, .call].map { .timeout($0) }
    return kinds.first { NetworkError($0, "").label == label } ?? .transport
  }
}

extension Cassette.Content {
  /// Creates the recorded form of some bytes; nil if there are none.
  init?(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return nil }
    text = String(validating: bytes, as: UTF8.self)
    // Control characters other than line breaks and tabs make text unreadable, and JSON has to escape them.
    if text?.unicodeScalars.contains(where: { $0.value < 32 && ![9, 10, 13].contains($0.value) }) ?? true {
      text = nil
      base64 = Data(bytes).base64EncodedString()
    }
    length = bytes.count
    sha256 = ContentDigest.sha256(bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      .joined()
  }

  /// The bytes; edits made by hand are not checked against the length and the hash.
  package var bytes: [UInt8] {
    if let text { return Array(text.utf8) }
    return base64.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? []
  }
}
