import Foundation

/// The test vectors of RFC 9530, located next to the package's folder.
struct DigestVectors: Decodable {
  struct Example: Decodable {
    let id: String
    let field: String
    let algorithm: String
    let coversBase64: String
    let contentBase64: String
    let fieldValue: String
  }

  struct Samples: Decodable {
    struct Value: Decodable {
      let algorithm: String
      let value: String
    }

    let input: String
    let values: [Value]
  }

  struct Field: Decodable {
    let field: String
    let value: String
    let contentBase64: String?
  }

  struct Content: Decodable {
    let hex: String
    let decodesTo: String
  }

  let examples: [Example]
  let sampleDigests: Samples
  let wantFields: [Field]
  let multiple: Field
  let gzipContent: Content
  let brotliContent: Content

  static func read() throws -> DigestVectors {
    try JSONDecoder().decode(
      DigestVectors.self,
      from: Data(contentsOf: SignatureVectors.folder.appending(path: "rfc9530.json")))
  }
}
