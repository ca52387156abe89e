import Cryptography
import Interception
import Testing

@testable import RequestSigning

@Suite struct SealedKeyTests {
  private let secret = Array("correct horse battery staple".utf8)
  private let request = Array("canonical bytes".utf8)
  private let platform: PlatformPrivateKey

  init() throws { platform = try PlatformPrivateKey(id: "p-1", privateKey: (0..<32).map(UInt8.init)) }

  private func seal(ephemeral: UInt8 = 9) throws -> SealedKey {
    try SealedKey(
      sealing: secret, to: platform.publicKey, for: request,
      ephemeralKey: [UInt8](repeating: ephemeral, count: 32))
  }

  @Test("A secret is sealed as another implementation seals it, and opened again")
  func knownAnswer() throws {
    // Computed with X25519, HKDF and AESGCM of python3-cryptography; info is a list of length-prefixed
    // fields: the label, "p-1", the ephemeral public key and the platform's public key.
    let expected =
      "p-1 57db4b359f23ae5e146e4e2512056704722506348c150c14753d0c933d04d421ec3ab6dcdd9b"
      + "35deb3f2c9c75d7ed7be3915275ee67ad451ca2fb41f8e9cf90933659b40fb2154e4cb8fa4c7"
    let sealed = try seal()
    #expect(sealed.text == expected)
    #expect(try #require(SealedKey(sealed.text)).open(with: platform, for: request) == secret)
  }

  @Test("A sealed key can't be moved to another request, platform key or ephemeral key, nor changed")
  func binding() throws {
    let sealed = try seal()
    #expect(try sealed.open(with: platform, for: request + [0]) == nil)
    let renamed = try PlatformPrivateKey(id: "p-2", privateKey: (0..<32).map(UInt8.init))
    #expect(try sealed.open(with: renamed, for: request) == nil)
    let other = try PlatformPrivateKey(id: "p-1", privateKey: (1..<33).map(UInt8.init))
    #expect(try sealed.open(with: other, for: request) == nil)
    let bytes = try #require(
      Hexadecimal.decode(String(sealed.text.dropFirst(4)), count: (sealed.text.utf8.count - 4) / 2))
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1
      let opened = try SealedKey("p-1 \(Hexadecimal.encode(changed))")?.open(with: platform, for: request)
      // The highest bit of an X25519 key is ignored (RFC 7748, section 5), but the key is part of `info`.
      #expect(opened == nil, "byte \(index)")
    }
  }

  @Test("The same secret is sealed differently each time")
  func randomness() throws {
    #expect(try seal(ephemeral: 1) != seal(ephemeral: 2))
  }

  @Test(
    "A malformed field is refused",
    arguments: [
      "", "p-1", "p-1 ", "p-1 zz", "p-1  00", " 00", "p-1 0", "p-1 " + String(repeating: "0", count: 96),
      "p-1 " + String(repeating: "AB", count: 60), "p,1 " + String(repeating: "ab", count: 60),
      "p-1 " + String(repeating: "ab", count: 600_000),
    ])
  func malformed(_ text: String) { #expect(SealedKey(text) == nil) }

  @Test("C8: No text or dump reveals a platform's private key")
  func secrecy() throws {
    var dumped = ""
    dump(platform, to: &dumped)
    dump(SealedKeyOpener([platform]), to: &dumped)
    for text in [dumped, "\(platform)", String(reflecting: platform)] {
      #expect(!text.contains("1, 2, 3, 4"))
      // A dump writes each element of an array on its own line.
      #expect(!text.filter { !$0.isWhitespace }.contains("-1-2-3-4"))
      #expect(text.contains("p-1"))
    }
  }

  @Test("A platform's key has an id and 32 bytes")
  func platformKeys() throws {
    #expect(throws: SealedKeyError(.keyLength(31))) {
      try PlatformKey(id: "p", publicKey: [UInt8](repeating: 1, count: 31))
    }
    #expect(throws: SealedKeyError(.keyLength(0))) { try PlatformPrivateKey(id: "p", privateKey: []) }
    #expect(throws: SealedKeyError(.illegalID)) {
      try PlatformKey(id: "p 1", publicKey: [UInt8](repeating: 1, count: 32))
    }
    #expect("\(platform.publicKey)" == "PlatformKey(p-1)")
  }
}
