import Foundation
import HTTPTypes
import Interception
import Testing

@testable import RequestSigning

/// The test vectors of the default signature, docs/signing/vectors.json.
struct SignatureVectors: Decodable {
  let keys: [String: String]
  let signatures: [RequestToSign]
  let verifications: [Verification]
  let responses: [ResponseToSign]
  let presigned: [RequestToPresign]

  /// Requests that a verifier receives one after another at a time, and what becomes of each.
  struct Verification: Decodable, CustomTestStringConvertible {
    let name: String
    let now: Int64
    let requests: [RequestToVerify]
    let outcomes: [String]

    var testDescription: String { name }
  }

  /// The folder of the vectors and of the scheme's implementation in Python.
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../docs/signing").standardized

  static let document: Result<SignatureVectors, any Error> = Result {
    let data = try Data(contentsOf: folder.appending(path: "vectors.json"))
    return try JSONDecoder().decode(SignatureVectors.self, from: data)
  }
}
