import Deployment
import Interception
import Testing

@Suite("A deployment record")
struct DeploymentRecordTests {
  private let verifier: DeploymentVerifier

  init() throws { verifier = try Documents.verifier() }

  /// Verifies a document and accepts it.
  private func accept(
    _ version: UInt64, by key: String = "2026", revoking revoked: Set<String> = [],
    _ record: inout DeploymentRecord
  ) throws {
    var draft = Documents.draft(version: version)
    draft.revokedKeys = revoked
    record.accept(
      try verifier.verify(try Documents.signed(draft, by: key), now: Documents.now, after: record))
  }

  private func refusal(
    _ version: UInt64, by key: String = "2026", revoking revoked: Set<String> = [],
    _ record: DeploymentRecord
  ) -> String? {
    var record = record
    return Documents.refusal { try accept(version, by: key, revoking: revoked, &record) }
  }

  @Test("A version that is not higher than an accepted one is refused, whichever key has signed it")
  func replays() throws {
    var record = DeploymentRecord()
    try accept(12, by: "2025", &record)
    for key in ["2025", "2026"] {
      for version in [1, 11, 12] as [UInt64] {
        #expect(refusal(version, by: key, record)?.contains("version 12 was accepted before") == true)
      }
      #expect(refusal(13, by: key, record) == nil)
    }
    try accept(.max, &record)
    #expect(refusal(.max, record) != nil)
  }

  @Test("Keys are exchanged: documents of the next key follow those of the present one")
  func rotation() throws {
    var record = DeploymentRecord()
    try accept(1, by: "2024", &record)
    try accept(2, by: "2025", &record)
    try accept(3, by: "2024", &record)
    try accept(4, by: "2026", revoking: ["2024", "2025"], &record)
    #expect(refusal(5, by: "2024", record)?.contains("\"2024\" was revoked") == true)
    #expect(refusal(5, by: "2025", record)?.contains("\"2025\" was revoked") == true)
    try accept(5, by: "2026", &record)
  }

  @Test("A stolen key can't revoke the one that replaces it, nor lock it out with a high version")
  func stolenKey() throws {
    var record = DeploymentRecord()
    try accept(7, by: "2025", &record)
    for revoked in [["2026"], ["2025"], ["2024", "2026"]] as [Set<String>] {
      #expect(refusal(8, by: "2025", revoking: revoked, record)?.contains("can't revoke") == true)
    }
    try accept(.max, by: "2025", &record)
    #expect(refusal(8, by: "2026", record)?.contains("was accepted before") == true)
    try accept(8, by: "2026", revoking: ["2025"], &record)
    #expect(refusal(.max, by: "2025", record)?.contains("was revoked") == true)
    #expect(refusal(8, by: "2026", record)?.contains("version 8 was accepted before") == true)
    try accept(9, by: "2026", &record)
  }

  @Test("A stored document is refused when its key has been revoked since, or is no longer listed")
  func stored() throws {
    var record = DeploymentRecord()
    let bytes = try Documents.signed(version: 1, by: "2025")
    record.accept(try verifier.verify(bytes, now: Documents.now, after: record))
    #expect(try verifier.restore(bytes, after: record).version == 1)
    try accept(2, by: "2026", revoking: ["2025"], &record)
    #expect(Documents.refusal { _ = try verifier.restore(bytes, after: record) }?.contains("revoked") == true)
    let other = try Documents.verifier(trusting: ["2026"])
    #expect(
      Documents.refusal { _ = try other.restore(bytes, after: DeploymentRecord()) }?.contains(
        "does not trust")
        == true)
  }

  @Test("Versions of a key that the app no longer lists don't count, so that a stolen one can be left out")
  func unlistedKey() throws {
    var record = DeploymentRecord()
    try accept(.max, by: "2024", &record)
    let next = try Documents.verifier(trusting: ["2025", "2026"])
    _ = try next.verify(try Documents.signed(version: 1), now: Documents.now, after: record)
  }

  @Test("A record is read as it was written, and every other text of its length is refused")
  func encoding() throws {
    var record = DeploymentRecord()
    #expect(DeploymentRecord(record.bytes) == record)
    try accept(7, by: "2025", &record)
    try accept(8, by: "2026", revoking: ["2025", "2024"], &record)
    let bytes = record.bytes
    #expect(DeploymentRecord(bytes) == record)
    for end in 0..<bytes.count { #expect(DeploymentRecord(Array(bytes[..<end])) == nil) }
    #expect(DeploymentRecord(bytes + [0]) == nil)
    #expect(DeploymentRecord([UInt8](repeating: 255, count: 100)) == nil)
    #expect(DeploymentRecord([UInt8](repeating: 0, count: 100_000)) == nil)
  }
}
