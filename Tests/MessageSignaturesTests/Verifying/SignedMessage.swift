import HTTPTypes
import Interception
import Synchronization

@testable import MessageSignatures

/// A correctly signed request that tests can tamper with.
struct SignedMessage {
  static let now = WallTime(secondsSince1970: 1_700_000_000)

  var head = HTTPRequest(
    method: .post, scheme: "https", authority: "api.estate.example", path: "/v1/houses?city=sh&page=2",
    headerFields: [.authorization: "Bearer t0ken", .contentType: "application/json"])
  var body = Array(#"{"price":1}"#.utf8)

  init(
    key: MessageKey, options: MessageSignatureOptions = .request, at time: WallTime = now,
    nonce: String? = "n0"
  ) throws {
    try sign(by: key, options, at: time, nonce)
  }

  /// Adds a signature.
  mutating func sign(
    by key: MessageKey, _ options: MessageSignatureOptions = .request, at time: WallTime = now,
    _ nonce: String? = "n0"
  ) throws {
    let fields = try MessageSigner(key: key, options: options).sign(message, at: time, nonce: nonce)
    for field in fields {
      if field.name == MessageSignatureFields.contentDigest { head.headerFields[field.name] = nil }
      head.headerFields.append(field)
    }
  }

  var message: SignableMessage { SignableMessage(head, content: body) }

  /// The value of `Signature-Input`.
  var input: String {
    get { head.headerFields[MessageSignatureFields.signatureInput] ?? "" }
    set { head.headerFields[MessageSignatureFields.signatureInput] = newValue }
  }

  /// The value of `Signature`.
  var signature: String {
    get { head.headerFields[MessageSignatureFields.signature] ?? "" }
    set { head.headerFields[MessageSignatureFields.signature] = newValue }
  }

  static func key(_ id: String = "app-1", byte: UInt8 = 1) throws -> MessageKey {
    try MessageKey(id: id, sharedSecret: [UInt8](repeating: byte, count: 32))
  }
}

/// A wall clock that only changes when a test sets it.
final class WallClock: Sendable {
  private let moment: Mutex<WallTime>

  init(_ moment: WallTime = SignedMessage.now) { self.moment = Mutex(moment) }

  func set(_ time: WallTime) { moment.withLock { $0 = time } }

  func advance(by seconds: Int64) { moment.withLock { $0 = $0.advanced(by: .seconds(seconds)) } }

  var time: TimeSource { TimeSource(ContinuousClock(), wall: { self.moment.withLock { $0 } }) }
}
