import HTTPTypes
import Interception
import Testing

@testable import VendorSignatures

/// A case of the test suite for AWS Signature Version 4.
struct AWSVector: Decodable, Sendable, CustomTestStringConvertible {
  struct Context: Decodable, Sendable {
    struct Credentials: Decodable, Sendable {
      let access_key_id: String
      let secret_access_key: String
      let token: String?
    }

    let credentials: Credentials
    let expiration_in_seconds: Int
    let normalize: Bool
    let region: String
    let service: String
    let sign_body: Bool
    let omit_session_token: Bool?
    let timestamp: String
  }

  struct Files: Decodable, Sendable {
    let context: Context
    let request: String
    let headerSignature: String
    let headerSignedRequest: String
    let querySignature: String
    let querySignedRequest: String

    enum CodingKeys: String, CodingKey {
      case context = "context.json"
      case request = "request.txt"
      case headerSignature = "header-signature.txt"
      case headerSignedRequest = "header-signed-request.txt"
      case querySignature = "query-signature.txt"
      case querySignedRequest = "query-signed-request.txt"
    }
  }

  let name: String
  let files: Files

  var testDescription: String { name }

  static func read() throws -> [AWSVector] {
    try SignatureVectors.read("aws-sigv4/cases.json", as: [AWSVector].self)
  }

  /// Returns the profile of the case.
  func profile(_ placement: AWSSignature.Placement) throws -> AWSSignature {
    let context = files.context
    return try AWSSignature(
      region: context.region, service: context.service, placement: placement, payload: .hashed,
      path: context.normalize ? .normalized : .unnormalized,
      addsContentHash: context.sign_body && placement == .fields,
      signsSessionToken: context.omit_session_token != true)
  }

  var credentials: VendorCredentials {
    get throws {
      let given = files.context.credentials
      return try VendorCredentials(
        keyID: given.access_key_id, secret: given.secret_access_key, sessionToken: given.token)
    }
  }
}

/// A request as a text of lines.
struct RequestText {
  let method: String
  let target: String
  private(set) var fields = HTTPFields()
  let body: String

  /// Parses a request; a line that begins with white space continues the previous one.
  init(_ text: String) throws {
    let halves = text.split(separator: "\n\n", maxSplits: 1)
    var lines = halves[0].split(separator: "\n").map(String.init)
    let first = lines.removeFirst()
    guard let start = first.firstIndex(of: " "), let end = first.lastIndex(of: " ") else {
      throw SignatureVectors.Malformed(text: first)
    }
    method = String(first[..<start])
    target = String(first[first.index(after: start)..<end])
    body = halves.count > 1 ? String(halves[1]) : ""
    var unfolded: [String] = []
    for line in lines {
      if line.first == " " || line.first == "\t" {
        unfolded[unfolded.count - 1] += "\n" + line
      } else {
        unfolded.append(line)
      }
    }
    for line in unfolded {
      guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else {
        throw SignatureVectors.Malformed(text: line)
      }
      fields.append(HTTPField(name: name, value: String(line[line.index(after: colon)...])))
    }
  }

  /// The request, whose authority is the value of its Host field.
  var request: Request {
    get throws {
      guard let method = HTTPRequest.Method(method), let host = fields.text("Host") else {
        throw SignatureVectors.Malformed(text: method)
      }
      var others = fields
      others[AWSFields.host] = nil
      return Request(
        method: method, authority: host, path: target, headerFields: others,
        body: body.isEmpty ? .empty : .text(body))
    }
  }
}
