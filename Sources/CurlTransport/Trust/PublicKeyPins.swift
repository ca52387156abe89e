/// The public keys that hosts may show, besides passing every other check of their certificate.
///
/// A pin is `sha256/` and the Base64 form of the SHA-256 of a certificate's SubjectPublicKeyInfo (RFC 7469,
/// section 2.4):
///
/// ```sh
/// openssl x509 -in cert.pem -noout -pubkey | openssl pkey -pubin -outform der \
///   | openssl dgst -sha256 -binary | base64
/// ```
///
/// The key of the server's own certificate is compared; those of authorities above it are not.
///
/// - Warning: Pins break an app when a server's key changes before the app does: nobody is left to talk to.
///   Therefore each host needs two pins at least, one of a key that no server uses yet and that is kept safe.
///   Begin with ``Mode/reportOnly``. Choose pins where the server's keys are yours and their change is
///   planned; else a file of own authorities in ``TLSPolicy/authorities-swift.property`` gives most of the
///   protection. Only https is pinned; a request of http is not refused.
public struct PublicKeyPins: Sendable, Hashable {
  /// What follows from a key that is not pinned.
  public enum Mode: Sendable, Hashable {
    /// The connection is refused, and reported.
    case enforced
    /// The connection is used, and reported.
    case reportOnly
  }

  /// Why pins are refused.
  public enum Fault: Error, Sendable, Hashable {
    /// A text that is not `sha256/` and the Base64 form of 32 bytes.
    case malformedPin(host: String, pin: String)
    /// Fewer than two different pins.
    case noBackupPin(host: String)
    /// An empty name, a pattern or a name with a port.
    case invalidHost(String)
  }

  /// The pins of one host.
  struct Entry: Sendable, Hashable {
    let pins: [String]
    let mode: Mode

    /// libcurl's form of them.
    var list: String {
      pins.map { "sha256//" + $0.dropFirst(PublicKeyPins.prefix.count) }.joined(separator: ";")
    }
  }

  static let prefix = "sha256/"
  private var entries: [String: Entry] = [:]

  /// Makes a set without pins.
  public init() {}

  /// Makes a set of pins by host.
  ///
  /// - Throws: As ``pin(_:to:mode:)``.
  public init(_ pins: [String: [String]], mode: Mode = .enforced) throws(Fault) {
    for (host, pins) in pins.sorted(by: { $0.key < $1.key }) { try pin(host, to: pins, mode: mode) }
  }

  /// Whether no host is pinned.
  public var isEmpty: Bool { entries.isEmpty }

  /// Pins a host to two keys at least, and forgets the pins that it had.
  ///
  /// - Parameter host: The exact name as in URLs, without a port; case doesn't matter, names below it are not
  ///   meant.
  /// - Throws: A ``Fault`` when a pin is no pin, or the backup is missing.
  public mutating func pin(_ host: String, to pins: [String], mode: Mode = .enforced) throws(Fault) {
    let name = WebOrigin.comparable(host)
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isHostByte) else { throw .invalidHost(host) }
    for pin in pins where !Self.isPin(pin) { throw .malformedPin(host: host, pin: pin) }
    guard Set(pins).count >= 2 else { throw .noBackupPin(host: host) }
    entries[name] = Entry(pins: pins, mode: mode)
  }

  func entry(for host: String) -> Entry? {
    entries.isEmpty ? nil : entries[WebOrigin.comparable(host)]
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  // 32 bytes are 43 characters and one of padding; the last character carries four bits, so two are zero.
  private static func isPin(_ text: String) -> Bool {
    guard text.hasPrefix(prefix) else { return false }
    let digest = Array(text.utf8.dropFirst(prefix.utf8.count))
    guard digest.count == 44, digest[43] == UInt8(ascii: "="), digest[..<43].allSatisfy(isBase64) else {
      return false
    }
    return "AEIMQUYcgkosw048".utf8.contains(digest[42])
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}

extension PublicKeyPins.Fault: CustomStringConvertible {
  /// What is wrong, and what would be right.
  public var description: String {
    switch self {
    case .malformedPin(let host, let pin):
      "The pin \"\(RequestTarget.printable(pin))\" of \(host) is none; write sha256/ and the Base64 form of the "
        + "SHA-256 of the key's SubjectPublicKeyInfo."
    case .noBackupPin(let host):
      "\(host) has fewer than two different pins; add that of a spare key, or a change of the server's key locks "
        + "the app out."
    case .invalidHost(let host):
      "\"\(RequestTarget.printable(host))\" is no host to pin; write one exact name, without scheme, port or "
        + "pattern."
    }
  }
}
