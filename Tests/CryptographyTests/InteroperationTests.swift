#if SWITCHYARD_SWIFT_CRYPTO && !canImport(CryptoKit)
import Testing

@testable import Cryptography

/// The two backends in one program: what one of them signs, seals or agrees on, the other accepts.
@Suite struct InteroperationTests {
  private static let sizes = [0, 1, 15, 16, 17, 63, 64, 65, 111, 112, 128, 129, 1_000, 70_000]

  private func bytes(_ count: Int, from seed: Int = 1) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: ($0 + seed) &* 167 &+ $0 >> 8) }
  }

  private func hash(_ bytes: [UInt8], _ kind: HashKind, by openSSL: Bool) -> [UInt8]? {
    var hash = [UInt8](repeating: 0, count: kind.size)
    let isDone = hash.withUnsafeMutableBytes { memory in
      openSSL
        ? OpenSSLBackend.hash(bytes, with: kind, into: memory)
        : CryptoKitBackend.hash(bytes, with: kind, into: memory)
    }
    return isDone ? hash : nil
  }

  @Test("L4: The suites compute with CryptoKit's interface, too")
  func backend() { #expect(Backend.self == CryptoKitBackend.self && Backend.name == "CryptoKit") }

  @Test(
    "Hashes and their keyed forms are equal, but for what CryptoKit lacks", arguments: HashKind.allCases,
    sizes)
  func hashes(_ kind: HashKind, _ size: Int) throws {
    let message = bytes(size)
    let key = bytes(size % 200, from: 9)
    let (reference, other) = (hash(message, kind, by: true), hash(message, kind, by: false))
    let tags = [
      OpenSSLBackend.authenticate(message, key: key, with: kind),
      CryptoKitBackend.authenticate(message, key: key, with: kind),
    ]
    #expect(reference != nil && tags[0] != nil && OpenSSLBackend.isAvailable(kind))
    #expect(CryptoKitBackend.isAvailable(kind) == (kind != .sha512By256))
    guard CryptoKitBackend.isAvailable(kind) else {
      #expect(other == nil && tags[1] == nil)
      return
    }
    #expect(reference == other && tags[0] == tags[1])
  }

  @Test(
    "A hash of parts, begun again and begun after another one is equal", arguments: HashKind.allCases, sizes)
  func states(_ kind: HashKind, _ size: Int) throws {
    guard var start = CryptoKitBackend.Hash(kind), var hash = CryptoKitBackend.Hash(kind) else {
      #expect(kind == .sha512By256)
      return
    }
    let message = bytes(size)
    var value = [UInt8](repeating: 0, count: kind.size)
    let isDone =
      message.prefix(size / 3).withUnsafeBytes { start.takes($0) }
      && message.withUnsafeBytes { hash.takes($0) } && hash.restart(after: start)
      && message.dropFirst(size / 3).withUnsafeBytes { hash.takes($0) }
      && value.withUnsafeMutableBytes { hash.finish(into: $0) }
    #expect(isDone && value == self.hash(message, kind, by: true))
    // The one that was copied is unchanged.
    let isSame = value.withUnsafeMutableBytes { start.finish(into: $0) }
    #expect(isSame && value == self.hash(Array(message.prefix(size / 3)), kind, by: true))
    let isEmpty = start.restart() && value.withUnsafeMutableBytes { start.finish(into: $0) }
    #expect(isEmpty && value == self.hash([], kind, by: true))
  }

  @Test("What one seals the other opens, and a changed text neither does", arguments: sizes, [0, 1, 16, 500])
  func cipher(_ size: Int, _ dataSize: Int) throws {
    let (text, data) = (bytes(size), bytes(dataSize, from: 5))
    let (key, nonce) = (bytes(32, from: 3), bytes(12, from: 4))
    let sealed = try #require(OpenSSLBackend.seal(text, key: key, nonce: nonce, authenticating: data))
    #expect(CryptoKitBackend.seal(text, key: key, nonce: nonce, authenticating: data) == sealed)
    var (encrypted, tag) = (Array(sealed.dropLast(16)), Array(sealed.suffix(16)))
    func opened(_ data: [UInt8]) -> [[UInt8]?] {
      [
        OpenSSLBackend.open(encrypted, tag: tag, key: key, nonce: nonce, authenticating: data),
        CryptoKitBackend.open(encrypted, tag: tag, key: key, nonce: nonce, authenticating: data),
      ]
    }
    #expect(opened(data) == [text, text])
    #expect(opened(data + [0]) == [nil, nil])
    if !encrypted.isEmpty {
      encrypted[size / 2] ^= 1
      #expect(opened(data) == [nil, nil])
      encrypted[size / 2] ^= 1
    }
    tag[0] ^= 1
    #expect(opened(data) == [nil, nil])
  }

  @Test("Both derive the same public key and the same secret", arguments: 0..<16)
  func agreement(_ seed: Int) throws {
    let mine = bytes(32, from: seed * 31)
    let theirs = bytes(32, from: seed * 57 + 1)
    let ours = try #require(OpenSSLBackend.AgreementKey(mine))
    let other = try #require(CryptoKitBackend.AgreementKey(theirs))
    #expect(ours.publicKey == CryptoKitBackend.AgreementKey(mine)?.publicKey)
    #expect(other.publicKey == OpenSSLBackend.AgreementKey(theirs)?.publicKey)
    let secret = try #require(ours.sharedSecret(with: other.publicKey))
    #expect(other.sharedSecret(with: ours.publicKey) == secret)
  }

  @Test(
    "What one signs the other accepts, and for no other message",
    arguments: [(.ed25519, .ed25519Public), (.p256, .p256Public), (.p256Older, .p256Compressed)]
      as [(KeyText, KeyText)],
    sizes)
  func signatures(_ key: (private: KeyText, public: KeyText), _ size: Int) throws {
    let scheme: SignatureScheme = key.private.kind == .ed25519 ? .ed25519 : .ecdsaP256SHA256
    let message = bytes(size)
    let ours = try #require(OpenSSLBackend.Key(pem: key.private.text, isPrivate: true))
    let other = try #require(CryptoKitBackend.Key(pem: key.private.text, isPrivate: true))
    let ourPublic = try #require(OpenSSLBackend.Key(pem: key.public.text, isPrivate: false))
    let otherPublic = try #require(CryptoKitBackend.Key(pem: key.public.text, isPrivate: false))
    let signature = try #require(ours.sign(message, with: scheme))
    #expect(otherPublic.verifies(signature, of: message, with: scheme) == true)
    #expect(other.verifies(signature, of: message, with: scheme) == true)
    #expect(otherPublic.verifies(signature, of: message + [1], with: scheme) == false)
    let theirs = try #require(other.sign(message, with: scheme))
    #expect(ourPublic.verifies(theirs, of: message, with: scheme) == true)
    #expect(ours.verifies(theirs, of: message, with: scheme) == true)
    #expect(ourPublic.verifies(theirs, of: message + [1], with: scheme) == false)
  }

  @Test(
    "Both read the same keys, and both refuse the same texts", arguments: KeyText.readable + KeyText.encrypted
  )
  func keys(_ form: KeyText) {
    for isPrivate in [true, false] {
      let ours = OpenSSLBackend.Key(pem: form.text, isPrivate: isPrivate)
      let other = CryptoKitBackend.Key(pem: form.text, isPrivate: isPrivate)
      #expect(ours?.kind == other?.kind && ours?.bitCount == other?.bitCount)
      #expect(ours?.isPrivate == other?.isPrivate && (ours == nil) == (other == nil))
    }
  }
}
#endif
