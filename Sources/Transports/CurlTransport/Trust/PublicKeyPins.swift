import COpenSSL
import Cryptography
import Interception

/// The public keys that hosts may use, in addition to every other check of their certificate.
///
/// A pin is `sha256/` and the Base64 form of the SHA-256 of a certificate's SubjectPublicKeyInfo (RFC 7469,
/// section 2.4):
///
/// ```sh
/// openssl x509 -in cert.pem -noout -pubkey | openssl pkey -pubin -outform der \
///   | openssl dgst -sha256 -binary | base64
/// ```
///
/// Only the key of the server's own certificate is compared, not those of authorities. Only https is pinned;
/// http requests are not refused.
///
/// - Warning: An app whose pins are outdated cannot connect. Therefore each host needs at least two pins, one
///   of them for a spare key that is kept safe. Begin with pins that aren't enforced. Unless you control the
///   server's keys, give ``TLSPolicy`` a file of authorities, which protects nearly as well.
public struct PublicKeyPins: Sendable, Hashable {
  /// What happens if a key is not pinned.
  package enum Mode: Sendable, Hashable {
    /// The connection is refused and reported.
    case enforced
    /// The connection is used and reported.
    case reportOnly
  }

  /// Why pins are refused.
  public struct Fault: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
      /// A text that is not `sha256/` and the Base64 form of 32 bytes.
      case malformedPin(host: String, pin: String)
      /// Fewer than two different pins.
      case noBackupPin(host: String)
      /// A text that no host of a URL equals, such as a pattern or a name with a port.
      case invalidHost(String)
    }

    package let reason: Reason

    package init(_ reason: Reason) { self.reason = reason }
  }

  /// The pins of one host.
  struct Entry: Sendable, Hashable {
    let pins: [String]
    let mode: Mode

    /// The pins in libcurl's form.
    var list: String {
      pins.map { "sha256//" + $0.dropFirst(PublicKeyPins.prefix.count) }.joined(separator: ";")
    }
  }

  static let prefix = "sha256/"
  private var entries: [String: Entry] = [:]

  /// Creates an empty set.
  @usableFromInline package init() {}

  /// Creates a set from the pins of each host, at least two.
  ///
  /// - Parameters:
  ///   - pins: The pins by the exact name or address of their host as in URLs, without a port. Case and a dot
  ///     at the end are ignored; subdomains are not included.
  ///   - isEnforced: Whether a connection whose key is not pinned is refused, and not only reported.
  /// - Throws: A ``Fault`` if a pin is malformed, or the backup is missing.
  public init(_ pins: [String: [String]], isEnforced: Bool = true) throws(Fault) {
    for (host, pins) in pins.sorted(by: { $0.key < $1.key }) {
      try pin(host, to: pins, isEnforced: isEnforced)
    }
  }

  /// Whether no host is pinned.
  package var isEmpty: Bool { entries.isEmpty }

  /// Pins a host to at least two keys, which replace its earlier ones.
  ///
  /// - Parameter host: The exact name or address as in URLs, without a port. Case and a dot at the end are
  ///   ignored; subdomains are not included.
  /// - Parameter isEnforced: Whether a connection whose key is not pinned is refused, and not only reported.
  /// - Throws: A ``Fault`` if a pin is malformed, or the backup is missing.
  package mutating func pin(_ host: String, to pins: [String], isEnforced: Bool = true) throws(Fault) {
    guard AuthoritySyntax.isHost(host) else { throw Fault(.invalidHost(host)) }
    for pin in pins where !Self.isPin(pin) { throw Fault(.malformedPin(host: host, pin: pin)) }
    guard Set(pins).count >= 2 else { throw Fault(.noBackupPin(host: host)) }
    entries[AuthoritySyntax.comparable(host: host)] = Entry(
      pins: pins, mode: isEnforced ? .enforced : .reportOnly)
  }

  func entry(for host: String) -> Entry? {
    entries.isEmpty ? nil : entries[AuthoritySyntax.comparable(host: host)]
  }

  // 32 bytes are 43 characters and one of padding; the last character carries four bits, so two are zero.
  private static func isPin(_ text: String) -> Bool {
    let digest = Array(text.utf8.dropFirst(prefix.utf8.count))
    return text.hasPrefix(prefix) && digest.count == 44 && digest[43] == UInt8(ascii: "=")
      && "AEIMQUYcgkosw048".utf8.contains(digest[42])
      && digest[..<43].allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
  }
}

extension PublicKeyPins.Fault: CustomStringConvertible {
  /// What is wrong, and how to correct it.
  public var description: String {
    switch reason {
    case .malformedPin(let host, let pin):
      "The pin \"\(pin.printable)\" of \(host) is malformed; write sha256/ and the Base64 form of the SHA-256 of the "
        + "key's SubjectPublicKeyInfo."
    case .noBackupPin(let host):
      "\(host) has fewer than two different pins; add that of a spare key, or a change of the server's key locks "
        + "the app out."
    case .invalidHost(let host):
      "\"\(host.printable)\" is no host to pin; write one exact name, without scheme, port or pattern."
    }
  }
}

/// Computes the pin of a certificate's key.
enum CertificateKey {
  /// Returns the pin of the first certificate in a PEM text; nil if there is none.
  static func pin(ofPEM text: String) -> String? {
    var text = text
    return text.withUTF8 { bytes -> String? in
      guard let source = unsafe BIO_new_mem_buf(bytes.baseAddress, CInt(clamping: bytes.count)) else {
        return nil
      }
      defer { _ = unsafe BIO_free(source) }
      guard let certificate = unsafe PEM_read_bio_X509(source, nil, nil, nil) else { return nil }
      defer { unsafe X509_free(certificate) }
      guard let key = unsafe encoded(X509_get_X509_PUBKEY(certificate)), let digest = try? Digest.sha256(key)
      else { return nil }
      return PublicKeyPins.prefix + Base64.encode(digest)
    }
  }

  /// Returns a SubjectPublicKeyInfo in DER.
  private static func encoded(_ key: OpaquePointer?) -> [UInt8]? {
    var encoded: UnsafeMutablePointer<UInt8>?
    let count = unsafe i2d_X509_PUBKEY(key, &encoded)
    guard count > 0, let encoded = unsafe encoded else { return nil }
    defer { unsafe CRYPTO_free(encoded, "CertificateKey", 0) }
    return unsafe Array(UnsafeBufferPointer(start: encoded, count: Int(count)))
  }
}
