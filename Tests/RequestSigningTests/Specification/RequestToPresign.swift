import Testing

@testable import RequestSigning

/// A URL to presign, in the format of the vectors.
struct RequestToPresign: Decodable, CustomTestStringConvertible {
  let name: String
  let keyID: String
  let secret: String
  let time: Int64
  let lifetime: Int64
  let nonce: String
  let method: String
  let authority: String
  let api: RequestToSign.API?
  let path: String
  let presigned: String

  var testDescription: String { name }

  func key() throws -> SigningKey { try SigningKey(id: keyID, secret: RequestToSign.bytes(secret)) }
}
