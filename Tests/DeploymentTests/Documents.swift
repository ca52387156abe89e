import Cryptography
import Deployment
import Interception

/// Keys, documents and verifiers of the tests.
enum Documents {
  /// The names of the keys, from the oldest to the newest.
  static let keyNames = ["2024", "2025", "2026"]

  // Keys of these tests alone.
  static let privateKeys = [
    "2024":
      """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIL4N5gPPZZymDGruSLSjcuDF5EcLrT6bWEvvOTD0PCX0
    -----END PRIVATE KEY-----
    """,
    "2025":
      """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIFL4az8cQyElajN2x+ML+HmS3ujez9CQjHSUbEeYSs7Y
    -----END PRIVATE KEY-----
    """,
    "2026":
      """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIKE6KCpD56zQk3KPuKxbcheNzf1JS4o8mo5b51YnWFN0
    -----END PRIVATE KEY-----
    """,
  ]

  static let publicKeys = [
    "2024":
      """
    -----BEGIN PUBLIC KEY-----
    MCowBQYDK2VwAyEAKVw63+0zsA1IBZKq69OPFmzvMdSBdI4FB0ZkGNgPM9w=
    -----END PUBLIC KEY-----
    """,
    "2025":
      """
    -----BEGIN PUBLIC KEY-----
    MCowBQYDK2VwAyEAj97m2NIDmniDVGcV240jkhE6R5wvlvGgj4PuDdFyRJM=
    -----END PUBLIC KEY-----
    """,
    "2026":
      """
    -----BEGIN PUBLIC KEY-----
    MCowBQYDK2VwAyEAfogB7o93OR+5ESk3/6v9Ay/f+3sGu+fx3GdGE3BC5f4=
    -----END PUBLIC KEY-----
    """,
  ]

  /// 2026-06-01T00:00:00Z.
  static let now = WallTime(secondsSince1970: 1_780_272_000)

  static func verifier(
    trusting names: [String] = keyNames, appVersion: String = "3.2.1", installation: String = "a"
  ) throws -> DeploymentVerifier {
    try DeploymentVerifier(
      trusting: names.map { DeploymentKey($0, publicKeyPEM: publicKeys[$0] ?? "") }, appVersion: appVersion,
      installation: installation)
  }

  static func draft(version: UInt64 = 12, parts: [String: String] = [:]) -> DeploymentDraft {
    var draft = DeploymentDraft(
      version: version, validFrom: now.advanced(by: .seconds(-3_600)),
      until: now.advanced(by: .seconds(30 * 86_400)))
    for (name, content) in parts { draft.setPart(name, to: Array(content.utf8)) }
    return draft
  }

  static func signed(_ draft: DeploymentDraft, by key: String = "2026") throws -> [UInt8] {
    try draft.signed(by: key, privateKeyPEM: privateKeys[key] ?? "")
  }

  static func signed(
    version: UInt64 = 12, parts: [String: String] = [:], by key: String = "2026"
  ) throws -> [UInt8] {
    try signed(draft(version: version, parts: parts), by: key)
  }

  /// Returns a document with a valid signature of any lines.
  static func signed(body: String, by key: String = "2026") throws -> [UInt8] {
    let head = "switchyard deployment 1\nkey \(key)\n"
    guard let signer = AsymmetricKey(privatePEM: privateKeys[key] ?? "") else { return [] }
    let signature = try signer.sign(Array((head + body).utf8), with: .ed25519)
    return Array("\(head)signature \(Base64.encode(signature))\n\(body)".utf8)
  }

  /// Returns a verified document.
  static func document(version: UInt64 = 12, parts: [String: String] = [:]) throws -> DeploymentDocument {
    try verifier().verify(try signed(version: version, parts: parts), now: now)
  }

  /// Returns the error of a closure as text; nil if it throws none.
  static func refusal(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch { return "\(error)" }
  }
}
