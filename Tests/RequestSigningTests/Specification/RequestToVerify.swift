import HTTPTypes
import Testing

@testable import RequestSigning

/// A request as a server receives it, in the format of the vectors.
struct RequestToVerify: Codable {
  var method: String
  var authority: String
  var path: String
  var fields: [[String]]
  /// In hexadecimal digits.
  var body: String
  /// For the Python verifier: the key and the time at which it verifies.
  var keyID: String?
  var secret: String?
  var time: Int64?

  func signedRequest() throws -> SignedRequest {
    let head = try Self.head(method: method, authority: authority, path: path, fields: fields)
    return SignedRequest(head, body: try RequestToSign.bytes(body))
  }

  static func head(
    method: String, authority: String, path: String, fields: [[String]]
  ) throws -> HTTPRequest {
    var head = HTTPRequest(
      method: try #require(HTTPRequest.Method(method)), scheme: "https", authority: authority, path: path)
    for field in fields {
      let name = try #require(HTTPField.Name(field[0]))
      head.headerFields.append(HTTPField(name: name, value: field[1]))
    }
    return head
  }
}

extension SignatureVerifier {
  /// Verifies a request, and describes the result in the words of the vectors.
  func outcome(of request: SignedRequest) -> String {
    do throws(SignatureError) {
      try verify(request)
      return "accepted"
    } catch {
      switch error {
      case .missing(let name): return "missing \(name.canonicalName)"
      case .malformed(let name): return "malformed \(name.canonicalName)"
      case .uncovered(let name): return "uncovered \(name.canonicalName)"
      case .unsupportedVersion(let version): return "version \(version)"
      case .unknownKey: return "unknown key"
      case .staleTimestamp: return "stale"
      case .replayedNonce: return "replayed"
      case .mismatch: return "mismatch"
      default: return "\(error)"
      }
    }
  }
}
