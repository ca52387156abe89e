/// The response of a scripted server.
public struct ScriptedReply: Sendable {
  /// How the content is delimited.
  public enum Framing: Sendable {
    /// By `Content-Length`.
    case length
    /// By chunked transfer coding, in chunks of this many bytes.
    case chunks(of: Int)
    /// By closing the connection.
    case close
  }

  /// The status code.
  public var status: Int
  /// The header fields; framing fields are added to them.
  public var fields: [(name: String, value: String)]
  /// The content.
  public var body: [UInt8]
  /// How the content is delimited.
  public var framing: Framing
  /// The trailer fields after chunked content.
  public var trailers: [(name: String, value: String)]
  /// The status codes of the informational responses before this one, such as 103.
  public var informational: [Int]

  /// Creates a response.
  public init(
    status: Int = 200, fields: [(name: String, value: String)] = [], body: [UInt8] = [],
    framing: Framing = .length, trailers: [(name: String, value: String)] = [], informational: [Int] = []
  ) {
    self.status = status
    self.fields = fields
    self.body = body
    self.framing = framing
    self.trailers = trailers
    self.informational = informational
  }

  /// Returns a response with text content.
  public static func text(_ text: String, status: Int = 200) -> ScriptedReply {
    ScriptedReply(status: status, body: Array(text.utf8))
  }

  /// Returns the encoded response; `hasBody` is false for a response to HEAD.
  func bytes(hasBody: Bool) -> [UInt8] {
    var wire: [UInt8] = []
    for code in informational { wire += Array("HTTP/1.1 \(code) Early\r\nX-Early: \(code)\r\n\r\n".utf8) }
    var head = "HTTP/1.1 \(status) Scripted\r\n"
    for field in fields { head += "\(field.name): \(field.value)\r\n" }
    let mayHaveBody = status != 204 && status != 304
    if mayHaveBody {
      switch framing {
      case .length: head += "Content-Length: \(body.count)\r\n"
      case .chunks: head += "Transfer-Encoding: chunked\r\n"
      case .close: head += "Connection: close\r\n"
      }
    }
    wire += Array((head + "\r\n").utf8)
    guard hasBody, mayHaveBody else { return wire }
    guard case .chunks(let size) = framing else { return wire + body }
    var rest = body[...]
    while !rest.isEmpty {
      let chunk = rest.prefix(max(size, 1))
      wire += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
      rest = rest.dropFirst(chunk.count)
    }
    wire += Array("0\r\n".utf8)
    for field in trailers { wire += Array("\(field.name): \(field.value)\r\n".utf8) }
    return wire + Array("\r\n".utf8)
  }
}
