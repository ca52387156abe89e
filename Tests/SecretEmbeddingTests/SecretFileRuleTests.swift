import SecretEmbedding
import Testing

@Suite struct SecretFileRuleTests {
  @Test(
    "A file is refused where it could be committed, or if others have access to it",
    arguments: [
      (.init(), nil), (.init(permissions: 0o400), nil), (.init(permissions: 0o700), nil),
      (.init(size: 4_098), nil), (.init(size: 4_099), "it has more than 4096 bytes"),
      (.init(repository: "the repository /src"), "it is inside the repository /src"),
      (.init(names: 2), "it has 2 names"),
      (.init(permissions: 0o640), "other users have access to it (mode 640)"),
      (.init(permissions: 0o604), "other users have access to it (mode 604)"),
      (.init(permissions: 0o620), "other users have access to it (mode 620)"),
      (.init(permissions: 0o601), "other users have access to it (mode 601)"),
    ] as [(SecretFileRule.Facts, String?)])
  func facts(facts: SecretFileRule.Facts, reason: String?) {
    let fault = SecretFileRule.fault(of: facts)
    #expect(reason == nil ? fault == nil : fault?.hasPrefix(reason ?? "") == true, "\(fault ?? "none")")
  }

  @Test(
    "The line break at the end of a text is not a part of the secret",
    arguments: [
      (Array("key".utf8), Array("key".utf8)), (Array("key\n".utf8), Array("key".utf8)),
      (Array("key\r\n".utf8), Array("key".utf8)), (Array("key\n\n".utf8), Array("key\n".utf8)),
      (Array("a\nb\t\n".utf8), Array("a\nb\t".utf8)), (Array("schlüssel\n".utf8), Array("schlüssel".utf8)),
      (Array(" key \n".utf8), Array(" key ".utf8)), (Array("key\r".utf8), Array("key\r".utf8)),
      // Bytes that are no text end where they end.
      ([0xFF, 0x0A], [0xFF, 0x0A]), ([0x00, 0x0A], [0x00, 0x0A]),
      ([0x41, 0x7F, 0x0D, 0x0A], [0x41, 0x7F, 0x0D, 0x0A]),
    ] as [([UInt8], [UInt8])])
  func lineBreaks(contents: [UInt8], secret: [UInt8]) throws {
    #expect(try SecretFileRule.secret(in: contents) == secret)
  }

  @Test("Contents without a byte are refused, and so are more than 4096", arguments: ["", "\n", "\r\n"])
  func length(empty: String) throws {
    let fault = #expect(throws: SecretFileFault.self) { try SecretFileRule.secret(in: Array(empty.utf8)) }
    #expect(fault?.reason.hasPrefix("it is empty") == true)
    let most = [UInt8](repeating: 0x61, count: SecretFileRule.maximumSize)
    #expect(try SecretFileRule.secret(in: most + [0x0A]) == most)
    let long = #expect(throws: SecretFileFault.self) { try SecretFileRule.secret(in: most + [0x61]) }
    #expect(long?.reason.hasPrefix("it has more than 4096 bytes") == true)
  }

  @Test(
    "The folders of a path are all those above it",
    arguments: [
      ("/a/b/c", ["/a/b/c", "/a/b", "/a", "/"]), ("/", ["/"]), ("//a//b/", ["/a/b", "/a", "/"]),
    ])
  func folders(path: String, folders: [String]) { #expect(SecretFileRule.folders(from: path) == folders) }
}
