#if canImport(CryptoKit)
import CryptoKit
#elseif SWITCHYARD_SWIFT_CRYPTO
import Crypto
#endif

#if canImport(CryptoKit) || SWITCHYARD_SWIFT_CRYPTO
/// The primitives of CryptoKit, or of swift-crypto, which has the same interface.
enum CryptoKitBackend {
  static let name = "CryptoKit"
  /// What to do if an operation fails.
  static let remedy = "check the keys and their lengths"
  /// The operations, by the names in errors, that the library doesn't have.
  static let unsupportedOperations: Set<String> = ["RSA", HashAlgorithm.sha512By256.rawValue]

  // MARK: Hashes

  private static func function(_ kind: HashKind) -> (any HashFunction)? {
    switch kind {
    case .md5: Insecure.MD5()
    case .sha1: Insecure.SHA1()
    case .sha256: SHA256()
    case .sha512: SHA512()
    case .sha512By256: nil
    }
  }

  /// Whether the library has a hash function.
  static func isAvailable(_ kind: HashKind) -> Bool { kind != .sha512By256 }

  /// Writes the hash of bytes to memory of its size; returns false if it can't be computed.
  static func hash(
    _ bytes: [UInt8], with kind: HashKind, into memory: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard var hash = Hash(kind) else { return false }
    return bytes.withUnsafeBytes { hash.takes($0) } && hash.finish(into: memory)
  }

  /// The state of a hash function.
  // Safe to send: the state is mutated only through this value, which can't be copied, and its copies that
  // other values start with share no storage that is written.
  struct Hash: ~Copyable, @unchecked Sendable {
    private let kind: HashKind
    private var function: any HashFunction

    /// Starts a hash; nil if the library doesn't have it.
    init?(_ kind: HashKind) {
      guard let function = CryptoKitBackend.function(kind) else { return nil }
      self.kind = kind
      self.function = function
    }

    /// Starts a new hash.
    mutating func restart() -> Bool {
      guard let function = CryptoKitBackend.function(kind) else { return false }
      self.function = function
      return true
    }

    /// Starts a new hash of the same function with the input that another one has consumed.
    mutating func restart(after other: borrowing Hash) -> Bool {
      function = other.function
      return true
    }

    /// Adds bytes to the input.
    mutating func takes(_ bytes: UnsafeRawBufferPointer) -> Bool {
      function.update(bufferPointer: bytes)
      return true
    }

    /// Writes the hash to memory of its size.
    mutating func finish(into memory: UnsafeMutableRawBufferPointer) -> Bool {
      // Only a copy can be passed as `some HashFunction`, because this value itself can't be copied.
      let function = self.function
      return Self.finish(function, into: memory)
    }

    private static func finish(
      _ function: some HashFunction, into memory: UnsafeMutableRawBufferPointer
    ) -> Bool {
      var (rest, count) = memory.bindMemory(to: UInt8.self).update(from: function.finalize())
      return rest.next() == nil && count == memory.count
    }
  }

  // MARK: Authentication

  /// Returns the HMAC of a message (RFC 2104); nil if the library doesn't have it.
  static func authenticate(_ message: [UInt8], key: [UInt8], with kind: HashKind) -> [UInt8]? {
    let key = SymmetricKey(data: key)
    switch kind {
    case .md5: return Array(HMAC<Insecure.MD5>.authenticationCode(for: message, using: key))
    case .sha1: return Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
    case .sha256: return Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
    case .sha512: return Array(HMAC<SHA512>.authenticationCode(for: message, using: key))
    case .sha512By256: return nil
    }
  }

  /// Whether two lists of the same length are equal, compared in constant time.
  // CryptoKit compares only its own values in constant time, for which the bytes would be copied.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
  }

  /// Fills memory with random bytes; returns false if the generator fails.
  static func fillRandomly(_ memory: UnsafeMutableRawBufferPointer) -> Bool {
    // That of the system, which CryptoKit's keys come from too.
    var generator = SystemRandomNumberGenerator()
    for index in memory.indices { memory[index] = generator.next() }
    return true
  }

  // MARK: AES-256-GCM

  /// Whether the library has AES-256-GCM.
  static var hasCipher: Bool { true }

  /// Returns the encrypted text, followed by the tag of 16 bytes; the nonce has 12 bytes.
  static func seal(
    _ text: [UInt8], key: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
  ) -> [UInt8]? {
    guard let nonce = try? AES.GCM.Nonce(data: nonce),
      let box = try? AES.GCM.seal(text, using: SymmetricKey(data: key), nonce: nonce, authenticating: data)
    else { return nil }
    return Array(box.ciphertext) + Array(box.tag)
  }

  /// Returns the decrypted text, or nil if the tag is another one.
  static func open(
    _ text: [UInt8], tag: [UInt8], key: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
  ) -> [UInt8]? {
    guard let nonce = try? AES.GCM.Nonce(data: nonce),
      let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: text, tag: tag),
      let opened = try? AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: data)
    else { return nil }
    return Array(opened)
  }

  // MARK: X25519

  /// A private key for X25519 (RFC 7748), with its public key.
  struct AgreementKey: Sendable {
    private let key: Curve25519.KeyAgreement.PrivateKey
    let publicKey: [UInt8]

    /// Creates a key from 32 bytes.
    init?(_ privateKey: [UInt8]) {
      guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: privateKey) else {
        return nil
      }
      self.key = key
      publicKey = Array(key.publicKey.rawRepresentation)
    }

    /// Returns the secret shared with the owner of a public key of 32 bytes; nil if that is not possible.
    func sharedSecret(with publicKey: [UInt8]) -> [UInt8]? {
      guard let other = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey),
        let secret = try? key.sharedSecretFromKeyAgreement(with: other)
      else { return nil }
      return secret.withUnsafeBytes { Array($0) }
    }
  }
}
#endif
