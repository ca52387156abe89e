import Interception

extension WebSocketConfiguration {
  /// The compression of messages by the extension permessage-deflate (RFC 7692).
  ///
  /// It saves bytes of texts such as JSON, and costs processor time on both sides. Do not enable it where a
  /// message contains a secret beside text that a stranger chose: the message's length reveals how similar
  /// the two are (the attacks CRIME and BREACH).
  ///
  /// Create one by `init()` of the product `WebSocketCompression`, which needs zlib.
  public struct Compression: Sendable, Hashable {
    /// The minimum length of a message that is compressed, if that makes it shorter; 1 KiB by default.
    ///
    /// Each message is compressed by itself, so shorter ones gain little.
    package var minimumLength = 1 << 10
    /// Whether the server may refer to its earlier messages while it compresses one; true by default.
    ///
    /// Such messages are shorter, and the connection retains 32 KiB more. If it is false, and the server does
    /// not agree to compress each message by itself, the handshake fails.
    package var retainsContext = true
    private let library: Library

    var compressor: any MessageCompressor.Type { library.type }

    /// Creates the default compression by a library.
    package init(by compressor: any MessageCompressor.Type) { library = Library(type: compressor) }
  }
}

/// A library that compresses; two are equal if they have the same type.
private struct Library: Sendable, Hashable {
  let type: any MessageCompressor.Type

  static func == (first: Library, second: Library) -> Bool { first.type == second.type }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}

/// What client and server agreed on about permessage-deflate (RFC 7692, section 7).
struct CompressionAgreement: Sendable, Hashable {
  /// The name of the extension.
  static let name = "permessage-deflate"
  private static let separateServer = "server_no_context_takeover"
  private static let separateClient = "client_no_context_takeover"
  private static let serverWindow = "server_max_window_bits"

  /// Whether the server may refer to its earlier messages.
  let retainsContext: Bool

  /// Returns the value of `Sec-WebSocket-Extensions` that offers a compression.
  ///
  /// The offer says that the client compresses each message by itself, so that the server needs no memory
  /// between messages.
  static func offer(of compression: WebSocketConfiguration.Compression) -> String {
    ([name, separateClient] + (compression.retainsContext ? [] : [separateServer])).joined(separator: "; ")
  }

  /// Reads the fields of the server; nil if it selected no extension.
  ///
  /// - Parameters:
  ///   - extensions: The members of `Sec-WebSocket-Extensions`.
  ///   - compression: What was offered; nil for nothing.
  /// - Throws: ``Fault`` for an extension or a parameter that was not offered, or lacks what was required.
  static func select(
    _ extensions: [Substring], offered compression: WebSocketConfiguration.Compression?
  ) throws(Fault) -> CompressionAgreement? {
    guard let first = extensions.first else { return nil }
    guard let compression else { throw Fault("selects an extension, although none was offered") }
    guard extensions.count == 1 else { throw Fault("selects more than one extension") }
    let parts = first.split(separator: ";", omittingEmptySubsequences: false).map { $0.trimmingWhitespace() }
    guard parts[0].lowercased() == name else { throw Fault("selects an extension that was not offered") }
    var names: Set<String> = []
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = pair[0].trimmingWhitespace().lowercased()
      guard names.insert(name).inserted else { throw Fault("has a parameter twice") }
      let isRight =
        switch name {
        case separateServer, separateClient: pair.count == 1
        // The inflater has the largest window, so a smaller one needs nothing.
        case serverWindow: pair.count == 2 && isWindow(pair[1].trimmingWhitespace())
        default: false
        }
      guard isRight else { throw Fault("has a parameter that was not offered, or one with a wrong value") }
    }
    let retainsContext = !names.contains(separateServer)
    guard compression.retainsContext || !retainsContext else {
      throw Fault("lacks \(separateServer), which was required")
    }
    return CompressionAgreement(retainsContext: retainsContext)
  }

  /// Whether a text is a size of a window, with or without quotation marks.
  private static func isWindow(_ text: some StringProtocol) -> Bool {
    let isQuoted = text.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
    let digits = isQuoted ? String(text.dropFirst().dropLast()) : String(text)
    return (8...15).contains { String($0) == digits }
  }

  /// What is wrong with the server's field, as a part of a sentence that begins with its name.
  struct Fault: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }
}

/// A library that compresses the messages of WebSockets (RFC 7692); the product `WebSocketCompression` has
/// one.
///
/// WebSockets that offer no compression thus need no such library.
package protocol MessageCompressor: Sendable {
  /// Creates a deflater; nil if there is no memory.
  ///
  /// - Parameter minimumLength: The length of the shortest message that is compressed.
  static func makeDeflater(minimumLength: Int) -> (any MessageDeflating)?

  /// Creates an inflater; nil if there is no memory.
  ///
  /// - Parameter retainsContext: Whether a message may refer to earlier ones.
  static func makeInflater(retainsContext: Bool) -> (any MessageInflating)?
}

/// Compresses messages, each by itself (RFC 7692, section 7.2.1), for any number of tasks.
package protocol MessageDeflating: AnyObject, Sendable {
  /// Returns a message without the bytes that the receiver appends; nil if it is to be sent as it is.
  func deflate(_ message: [UInt8]) -> [UInt8]?
}

/// Decompresses the messages of one connection (RFC 7692, section 7.2.2), for one task at a time.
package protocol MessageInflating: AnyObject {
  /// Decompresses a part of a message, and returns what it adds to the message.
  ///
  /// - Parameter limit: The maximum length of the message.
  /// - Throws: ``ProtocolFault`` for malformed data, and for a message that exceeds the limit. The inflater
  ///   must not be used after that.
  func inflate(_ part: ArraySlice<UInt8>, limit: Int) throws(ProtocolFault) -> [UInt8]

  /// Decompresses the rest of a message after its last part.
  func finish(limit: Int) throws(ProtocolFault) -> [UInt8]
}
