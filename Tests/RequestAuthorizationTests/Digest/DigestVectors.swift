import Foundation

/// The test vectors of the Digest scheme, located next to the package's folder.
struct DigestVectors: Decodable {
  struct Case: Decodable {
    struct Challenge: Decodable {
      let realm: String
      let nonce: String
      let qop: [String]?
      let opaque: String?
      let algorithm: String?
      let charset: String?
      let userhash: Bool?
    }

    let id: String
    let username: String
    let password: String
    let method: String
    let uri: String
    let challenge: Challenge
    let qop: String?
    let nc: String?
    let cnonce: String?
    let entityBody: String?
    let HA1: String
    let HA2: String
    let response: String
    let usernameHash: String?
  }

  struct Sample: Decodable {
    let id: String
    let headers: [String]
  }

  let cases: [Case]
  let headerSamples: [Sample]

  private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../../../shared/vectors/signing/digest-auth.json"
  ).standardizedFileURL

  /// Whether the suite can run; on CI it must.
  static let mustRun =
    FileManager.default.fileExists(atPath: file.path) || ProcessInfo.processInfo.environment["CI"] == "true"

  static func read() throws -> DigestVectors {
    try JSONDecoder().decode(DigestVectors.self, from: Data(contentsOf: file))
  }

  /// Returns a sample's fields.
  func fields(_ id: String) -> [String] { headerSamples.first { $0.id == id }?.headers ?? [] }
}
