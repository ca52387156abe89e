import HTTPTypes
import Interception
import Synchronization

@testable import RequestSigning

/// A correctly signed request that tests can tamper with.
struct Signed {
  static let now = WallTime(secondsSince1970: 1_700_000_000)

  var method = "POST"
  var authority = "api.estate.example"
  var path: String
  static let fields: HTTPFields = [.authorization: "Bearer t0ken", .contentType: "application/json"]

  var fields: HTTPFields
  var body = Array(#"{"price":1}"#.utf8)

  init(
    key: SigningKey, nonce: Nonce = Nonce(high: 1, low: 1), at time: WallTime = now,
    path: String = "/v1/houses?city=sh&page=2", fields: HTTPFields = fields,
    covering: [HTTPField.Name] = RequestSigner.usualFields
  ) throws {
    self.path = path
    self.fields = fields
    let head = HTTPRequest(
      method: .post, scheme: "https", authority: authority, path: path, headerFields: fields)
    let api = APIIdentity(service: "estate", name: "houses.save")
    for field in try RequestSigner(key: key, covering: covering).sign(
      head, api: api, body: body, at: time, nonce: nonce)
    {
      self.fields.append(field)
    }
  }

  var request: SignedRequest {
    SignedRequest(method: method, authority: authority, path: path, headerFields: fields, body: body)
  }

  static func key(_ id: String = "app-1", byte: UInt8 = 1) throws -> SigningKey {
    try SigningKey(id: id, secret: [UInt8](repeating: byte, count: 32))
  }
}

/// A wall clock that only changes when a test sets it.
final class WallClock: Sendable {
  private let moment: Mutex<WallTime>

  init(_ moment: WallTime = Signed.now) { self.moment = Mutex(moment) }

  func set(_ time: WallTime) { moment.withLock { $0 = time } }

  var time: TimeSource { TimeSource(ContinuousClock(), wall: { self.moment.withLock { $0 } }) }
}
