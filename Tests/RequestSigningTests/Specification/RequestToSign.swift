import Cryptography
import HTTPTypes
import Interception
import Testing

@testable import RequestSigning

/// A request and what its signature is made from, in the format of the vectors; the last three properties
/// are the expected results.
struct RequestToSign: Codable, CustomTestStringConvertible {
  struct API: Codable {
    var service: String
    var name: String
  }

  var name = ""
  var keyID: String
  /// In hexadecimal digits, as are the body and the canonical bytes.
  var secret: String
  var time: Int64
  var nonce: String
  var method: String
  var authority: String
  var api: API?
  var path: String
  var fields: [[String]]
  var covering: [String]
  var body: String
  var canonical: String?
  var dailyKey: String?
  var added: [[String]]?

  var testDescription: String { name }

  func key() throws -> SigningKey { try SigningKey(id: keyID, secret: Self.bytes(secret)) }

  /// Returns the fields that the library adds.
  func signed() throws -> [[String]] {
    let covering = try covering.map { try #require(HTTPField.Name($0)) }
    return try RequestSigner(key: key(), covering: covering).sign(
      RequestToVerify.head(method: method, authority: authority, path: path, fields: fields),
      api: api.map { APIIdentity(service: $0.service, name: $0.name) }, body: Self.bytes(body),
      at: WallTime(secondsSince1970: time), nonce: #require(Nonce(nonce))
    ).map { [$0.name.rawName, $0.value] }
  }

  /// Returns the canonical bytes in hexadecimal digits, with the covered fields that the vector expects.
  func canonicalBytes() throws -> String {
    let head = try RequestToVerify.head(method: method, authority: authority, path: path, fields: fields)
    let names = try covering.map { try #require(HTTPField.Name($0)) }
    let covered = CoveredFields(names).present(in: head.headerFields)
    let request = CanonicalRequest(
      keyID: keyID, time: time, nonce: try #require(Nonce(nonce)), method: method,
      authority: CanonicalAuthority.of(authority),
      api: CanonicalAPI.encode(api.map { APIIdentity(service: $0.service, name: $0.name) }), path: path,
      bodyDigest: try Digest.sha256(Self.bytes(body)), coveredNames: covered.names,
      coveredValues: covered.values)
    return Hexadecimal.encode(request.bytes())
  }

  static func bytes(_ digits: String) throws -> [UInt8] {
    try #require(Hexadecimal.decode(digits, count: digits.utf8.count / 2))
  }
}
