import HTTPTypes
import Testing

@testable import Downloads

@Suite("The fields with digests")
struct DigestFieldsTests {
  static let sha256 = "vOCv8Zz1qmp0aaMNYdBOQ3bku/Y4EFLunn8zklyVTVI="
  static let sha512 =
    "ryFqcSLSnWp9x7ici0HBEefJoAeB1KhnoddRELSKWpySoV0dwq6rtTuDvP/FD0TP3K4p3JmEyMhP69AYkyK+JQ=="

  private func texts(_ digests: [FileDigest]?) -> [String]? {
    digests?.map { "\($0.algorithm.rawValue) \($0.base64)" }
  }

  @Test("Their names are legal")
  func names() {
    let names = [
      DigestFields.representation, DigestFields.content, DigestFields.instance, DigestFields.wanted,
    ]
    #expect(names.map(\.rawName) == ["Repr-Digest", "Content-Digest", "Digest", "Want-Repr-Digest"])
  }

  @Test(
    "Of a dictionary the digests by supported algorithms are used",
    arguments: [
      ("sha-256=:\(sha256):", ["sha-256 \(sha256)"]),
      ("  sha-512=:\(sha512): ,\tsha-256=:\(sha256):", ["sha-256 \(sha256)", "sha-512 \(sha512)"]),
      ("md5=:1B2M2Y8AsgTpgAmY7PhCfg==:, sha-256=:\(sha256):", ["sha-256 \(sha256)"]),
      ("sha-256=:AAAA:, sha-256=:\(sha256):", ["sha-256 \(sha256)"]),
      ("sha-256=:\(sha256.dropLast()):", ["sha-256 \(sha256)"]),
      ("sha-256=:\(sha256):;a;b=1;c=\"x,\\\"y\";d=:AA==:;e=?0", ["sha-256 \(sha256)"]),
      ("*a._-9=::, sha-256=:\(sha256):", ["sha-256 \(sha256)"]),
      ("sha-256=:\(sha256):,", ["sha-256 \(sha256)"]), (" ,, sha-256=:\(sha256):", ["sha-256 \(sha256)"]),
      ("", []),
      ("md5=:1B2M2Y8AsgTpgAmY7PhCfg==:, sha=:AA==:, unixsum=:AA==:, adler=:AA==:, crc32c=:AA==:", []),
    ] as [(String, [String])])
  func dictionaries(text: String, digests: [String]) {
    #expect(texts(DigestFields.digests(ofDictionary: text)) == digests)
  }

  @Test(
    "A malformed dictionary is ignored as a whole",
    arguments: [
      "sha-256", "sha-256=", "sha-256=\(sha256)", "sha-256=:\(sha256)", "sha-256=:AAAA:", "sha-256=::",
      "sha-256=:\(sha256): sha-512=:\(sha512):",
      "SHA-256=:\(sha256):", "sha-256 =:\(sha256):", "sha-256= :\(sha256):",
      "sha-256=:*\(sha256.dropFirst()):",
      "sha-256=:\(sha256):;", "sha-256=:\(sha256):;A=1", "sha-256=:\(sha256):;a=", "sha-256=:\(sha256):;a=\"",
      "sha-256=:\(sha256):;a=\"\\", "md5=1, sha-256=:\(sha256):", "md5=:=:, sha-256=:\(sha256):",
      "é, sha-256=:\(sha256):", "sha-256=:\(sha256):, x=()", "sha-256=:\(sha256):x",
    ])
  func malformed(text: String) {
    #expect(DigestFields.digests(ofDictionary: text) == nil)
    var fields = HTTPFields()
    fields[DigestFields.representation] = text
    #expect(DigestFields.digests(in: fields, hasWholeContent: true).isEmpty)
    // Like a field that is absent.
    fields[DigestFields.instance] = "sha-512=\(Self.sha512)"
    #expect(
      texts(DigestFields.digests(in: fields, hasWholeContent: true)) == ["sha-512 \(Self.sha512)"])
  }

  @Test(
    "The obsolete list has names in any case, and other algorithms are ignored",
    arguments: [
      ("SHA-256=\(sha256)", ["sha-256 \(sha256)"]), ("sha-256=\(sha256)", ["sha-256 \(sha256)"]),
      ("md5=HUXZLQLMuI/KZ5KDcJPcOA==, ,\tSHA-512=\(sha512) ", ["sha-512 \(sha512)"]),
      ("unixsum=30637", []), ("", []), ("SHA-256=AAAA", nil), ("SHA-256", nil), ("SHA-256=", nil),
      ("SHA-256=:\(sha256):", nil),
    ] as [(String, [String]?)])
  func lists(text: String, digests: [String]?) {
    #expect(texts(DigestFields.digests(ofList: text)) == digests)
  }

  @Test("Repr-Digest precedes Content-Digest, which must be of the whole content, and Digest is the last one")
  func precedence() {
    var fields: HTTPFields = [:]
    func found(_ hasWholeContent: Bool) -> [String]? {
      texts(DigestFields.digests(in: fields, hasWholeContent: hasWholeContent))
    }
    #expect(found(true) == [])
    fields[DigestFields.instance] = "SHA-512=\(Self.sha512)"
    #expect(found(false) == ["sha-512 \(Self.sha512)"])
    fields[DigestFields.content] = "sha-256=:\(Self.sha256):"
    #expect(found(true) == ["sha-256 \(Self.sha256)"] && found(false) == ["sha-512 \(Self.sha512)"])
    fields[DigestFields.representation] = "md5=:1B2M2Y8AsgTpgAmY7PhCfg==:"
    #expect(found(true) == ["sha-256 \(Self.sha256)"])
    fields[DigestFields.representation] = "sha-512=:\(Self.sha512):"
    #expect(found(true) == ["sha-512 \(Self.sha512)"])
  }

  @Test("The fields of a name are one dictionary")
  func lines() {
    let fields = HTTPFields([
      HTTPField(name: DigestFields.representation, value: "md5=:AA==:"),
      HTTPField(name: DigestFields.representation, value: "sha-256=:\(Self.sha256):"),
    ])
    #expect(texts(DigestFields.digests(in: fields, hasWholeContent: false)) == ["sha-256 \(Self.sha256)"])
  }
}
