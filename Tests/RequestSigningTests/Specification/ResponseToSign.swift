import HTTPTypes
import Interception
import Testing

@testable import RequestSigning

/// A response and what its signature is made from, in the format of the vectors; the last two properties are
/// the expected results.
struct ResponseToSign: Decodable, CustomTestStringConvertible {
  let name: String
  let keyID: String
  let secret: String
  let time: Int64
  let nonce: String
  let status: Int
  let fields: [[String]]
  let covering: [String]
  let body: String
  let canonical: String
  let added: [[String]]

  var testDescription: String { name }

  func keys() throws -> SigningKeys {
    SigningKeys(try SigningKey(id: keyID, secret: RequestToSign.bytes(secret)))
  }

  func head() throws -> HTTPResponse {
    let request = try RequestToVerify.head(method: "GET", authority: "a", path: "/", fields: fields)
    return HTTPResponse(status: .init(code: status), headerFields: request.headerFields)
  }

  func covered() throws -> [HTTPField.Name] { try covering.map { try #require(HTTPField.Name($0)) } }

  func claims() throws -> SignatureClaims {
    SignatureClaims(
      keyID: keyID, api: nil, time: WallTime(secondsSince1970: time), nonce: try #require(Nonce(nonce)),
      coveredFields: [])
  }
}
