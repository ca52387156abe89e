import Cryptography
import HTTPTypes
import Interception

/// The opening handshake (RFC 6455, section 4): the request's fields, and the check of the response.
///
/// The dispatcher adds `Connection` and `Upgrade`, which belong to the connection.
struct OpeningHandshake: Sendable {
  /// What is appended to a key before it is hashed (RFC 6455, section 1.3).
  private static let salt = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  /// The value of `Sec-WebSocket-Key`.
  let key: String
  /// The subprotocols that are offered, the preferred one first.
  let subprotocols: [String]
  /// The compression that is offered; nil for none.
  let compression: WebSocketConfiguration.Compression?

  /// Creates a handshake with a random key.
  ///
  /// - Throws: ``WebSocketError`` if a subprotocol is no token or is named twice.
  init(_ configuration: WebSocketConfiguration) throws(WebSocketError) {
    guard let words = RandomWords.draw(2) else {
      throw WebSocketError(
        .handshakeFailed,
        "The system has no random numbers for the key of the handshake; check its generator.")
    }
    let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    try self.init(
      key: Base64.encode(bytes), subprotocols: configuration.subprotocols,
      compression: configuration.compression)
  }

  init(
    key: String, subprotocols: [String], compression: WebSocketConfiguration.Compression? = nil
  ) throws(WebSocketError) {
    for (index, name) in subprotocols.enumerated() {
      guard HTTPField.Name(name) != nil, !name.hasPrefix(":") else {
        throw WebSocketError(
          .handshakeFailed, "A subprotocol is no token (RFC 9110, section 5.6.2); name another.")
      }
      guard !subprotocols[..<index].contains(name) else {
        throw WebSocketError(.handshakeFailed, "The subprotocol \"\(name)\" is offered twice; remove one.")
      }
    }
    self.key = key
    self.subprotocols = subprotocols
    self.compression = compression
  }

  /// Returns the request of the handshake.
  ///
  /// - Throws: ``WebSocketError`` if the request is no GET without a body, has another scheme, or has a field
  ///   that the handshake sets.
  func applied(to request: Request) throws(WebSocketError) -> Request {
    var request = request
    guard request.head.method == .get, request.body.isEmpty else {
      throw WebSocketError(
        .handshakeFailed, "A WebSocket is opened by a GET without a body; use such a request.")
    }
    switch request.head.scheme?.lowercased() {
    case "ws", "http": request.head.scheme = "http"
    case "wss", "https": request.head.scheme = "https"
    default:
      throw WebSocketError(
        .handshakeFailed, "The URL of a WebSocket begins with wss:// or ws://; correct its scheme.")
    }
    let own = [
      "sec-websocket-key", "sec-websocket-version", "sec-websocket-protocol", "sec-websocket-extensions",
    ]
    if let field = request.head.headerFields.first(where: { own.contains($0.name.canonicalName) }) {
      throw WebSocketError(
        .handshakeFailed,
        "The field \(field.name.rawName) is set by the handshake; remove it, and set "
          + "subprotocols and compression in the configuration.")
    }
    request.head.headerFields[.secWebSocketVersion] = "13"
    request.head.headerFields[.secWebSocketKey] = key
    if !subprotocols.isEmpty {
      request.head.headerFields[.secWebSocketProtocol] = subprotocols.joined(separator: ", ")
    }
    if let compression {
      request.head.headerFields[.secWebSocketExtensions] = CompressionAgreement.offer(of: compression)
    }
    request.context.upgrade = "websocket"
    request.options.delivery = .buffered(upTo: 64 << 10)
    return request
  }

  /// What the server selected of the offers.
  struct Selection: Sendable, Hashable {
    /// The subprotocol; nil for none.
    var subprotocol: String?
    /// The compression; nil for none.
    var compression: CompressionAgreement?
  }

  /// Checks a response with the status 101, and returns what the server selected.
  ///
  /// - Throws: ``WebSocketError`` that says which field is wrong, never its value.
  func checked(_ head: HTTPResponse) throws(WebSocketError) -> Selection {
    let fields = head.headerFields
    guard Set(Self.tokens(.upgrade, in: fields)) == ["websocket"] else {
      throw Self.violation("Upgrade", "is not \"websocket\"")
    }
    guard Self.tokens(.connection, in: fields).contains("upgrade") else {
      throw Self.violation("Connection", "lacks \"Upgrade\"")
    }
    guard fields.singleValue(.secWebSocketAccept) == (try Self.acceptance(of: key)) else {
      throw Self.violation("Sec-WebSocket-Accept", "is not the hash of the request's key")
    }
    var selection = Selection()
    do throws(CompressionAgreement.Fault) {
      selection.compression = try CompressionAgreement.select(
        fields.members(of: .secWebSocketExtensions), offered: compression)
    } catch {
      throw Self.violation("Sec-WebSocket-Extensions", error.description)
    }
    guard fields.contains(.secWebSocketProtocol) else { return selection }
    guard let subprotocol = fields.singleValue(.secWebSocketProtocol), subprotocols.contains(subprotocol)
    else {
      throw Self.violation("Sec-WebSocket-Protocol", "selects a subprotocol that was not offered")
    }
    selection.subprotocol = subprotocol
    return selection
  }

  /// Returns the value of `Sec-WebSocket-Accept` for a key.
  static func acceptance(of key: String) throws(WebSocketError) -> String {
    do throws(CryptographyError) {
      return Base64.encode(try HandshakeHash.hash(of: Array((key + salt).utf8)))
    } catch {
      throw WebSocketError(.handshakeFailed, "The handshake needs SHA-1: \(error)")
    }
  }

  private static func violation(_ field: String, _ fault: String) -> WebSocketError {
    WebSocketError(
      .handshakeFailed,
      "The server switched protocols, but its field \(field) \(fault); it is no WebSocket server, "
        + "or a cache or proxy answered in its place.")
  }

  private static func tokens(_ name: HTTPField.Name, in fields: HTTPFields) -> [String] {
    fields.members(of: name).map { $0.lowercased() }
  }
}
