import Cryptography
public import Interception

/// The content of a deployment document before it is signed, for the server that publishes it.
///
/// ```swift
/// var draft = DeploymentDraft(version: 12, validFrom: now, until: now.advanced(by: .seconds(30 * 86_400)))
/// draft.setPart("flags", to: Array(#"{"checkout.express": true}"#.utf8))
/// let bytes = try draft.signed(by: "2026", privateKeyPEM: key)
/// ```
///
/// The bytes are one file for any web server: a text of lines, each part's content after the line that names
/// it.
///
/// ```
/// switchyard deployment 1
/// key 2026
/// signature 5p…w==
/// version 12
/// valid 1793491200 1796083200
/// app 3.2
/// share 100 express-checkout
/// revoke 2025
/// part flags 26
/// {"checkout.express": true}
/// ```
///
/// The signature is of all lines but its own. A document has at most 16 MiB, 64 parts and 64 revoked keys.
public struct DeploymentDraft: Sendable {
  static let firstLine = "switchyard deployment 1"
  /// The maximum length of a signed document in bytes.
  package static let maximumSize = 16 << 20
  /// The maximum number of parts, and of revoked keys.
  package static let maximumCount = 64

  /// The version, from 1; installations accept only higher ones than before.
  public var version: UInt64
  /// The time from which installations accept the document.
  public var validFrom: WallTime
  /// The time after which installations no longer accept the document; one that was accepted stays in use.
  public var validUntil: WallTime
  /// The minimum version of the app, such as `3.2`; nil for all versions.
  public var minimumAppVersion: String?
  /// The number of installations of 1,000 that accept the document, from 1; 1,000 by default.
  public var permille = 1_000
  /// A text that selects which installations belong to the share; letters, digits, `.`, `_` and `-`.
  ///
  /// With the same text, a greater share contains a smaller one, and other texts select others.
  public var shareSeed = "all"
  /// The names of the keys that installations no longer trust.
  ///
  /// A key can revoke those that the app lists before it.
  public var revokedKeys: Set<String> = []
  /// The contents of the parts by their names.
  public private(set) var parts: [String: [UInt8]] = [:]

  /// Creates a draft without parts.
  public init(version: UInt64, validFrom: WallTime, until end: WallTime) {
    self.version = version
    self.validFrom = validFrom
    validUntil = end
  }

  /// Sets the content of a part.
  public mutating func setPart(_ name: String, to content: [UInt8]) { parts[name] = content }

  /// Reads a draft as ``bytes()`` returns it, or the content of a signed document, whose signature is not
  /// verified.
  ///
  /// - Throws: ``DeploymentError`` for lines that no draft would write.
  public init(unverified bytes: [UInt8]) throws(DeploymentError) {
    guard bytes.count <= Self.maximumSize else { throw DeploymentError(.tooLarge(limit: Self.maximumSize)) }
    var syntax = DeploymentSyntax(bytes)
    if syntax.words(after: "switchyard", count: 2) == ["deployment", "1"] {
      guard syntax.words(after: "key", count: 1) != nil, syntax.words(after: "signature", count: 1) != nil
      else { throw syntax.malformed("the lines \"key\" and \"signature\" are missing") }
    }
    try self.init(syntax)
  }

  /// Returns the signed document.
  ///
  /// - Parameters:
  ///   - key: The name of the key, by which apps list its public key.
  ///   - text: An Ed25519 private key in PEM, as `openssl genpkey -algorithm ed25519` writes it.
  /// - Throws: ``DeploymentError``, which never contains the private key.
  public func signed(by key: String, privateKeyPEM text: String) throws(DeploymentError) -> [UInt8] {
    guard let signer = AsymmetricKey(privatePEM: text), signer.kind == .ed25519 else {
      throw DeploymentError(.argument(DeploymentVerifier.unreadableKey))
    }
    guard DeploymentSyntax.isToken(key) else {
      throw DeploymentError(.argument(DeploymentSyntax.illegalToken(key, as: "name of a key")))
    }
    let body = try bytes()
    let signature: [UInt8]
    do throws(CryptographyError) {
      signature = try signer.sign(Self.message(key: key, body: body[...]), with: .ed25519)
    } catch {
      throw DeploymentError(.cryptography(operation: error.operation), version: version)
    }
    let bytes = Self.head(key) + Array("signature \(Base64.encode(signature))\n".utf8) + body
    guard bytes.count <= Self.maximumSize else {
      throw DeploymentError(.tooLarge(limit: Self.maximumSize), version: version)
    }
    return bytes
  }

  /// The lines before the signature.
  private static func head(_ key: String) -> [UInt8] { Array("\(firstLine)\nkey \(key)\n".utf8) }

  /// Returns the bytes that a key signs.
  static func message(key: String, body: ArraySlice<UInt8>) -> [UInt8] { head(key) + body }

  /// Returns the unsigned draft, for a file: the lines after the signature.
  ///
  /// - Throws: ``DeploymentError`` if the draft is one that installations would refuse.
  public func bytes() throws(DeploymentError) -> [UInt8] {
    func refused(_ sentence: String) -> DeploymentError { DeploymentError(.argument(sentence)) }
    guard version > 0 else { throw refused("The version of a deployment document should be at least 1.") }
    guard validFrom.seconds >= 0, validFrom.seconds < validUntil.seconds else {
      throw refused("The period in which a deployment document is valid should begin before it ends.")
    }
    if let minimumAppVersion, AppVersion(minimumAppVersion) == nil {
      throw refused(AppVersion.illegal(minimumAppVersion))
    }
    guard (1...1_000).contains(permille) else {
      throw refused("The share of a deployment document should be 1 to 1,000 of 1,000 installations.")
    }
    for name in revokedKeys.sorted() + [shareSeed] where !DeploymentSyntax.isToken(name) {
      throw refused(DeploymentSyntax.illegalToken(name, as: "name of a key or share"))
    }
    for name in parts.keys.sorted() where !DeploymentSyntax.isPartName(name) {
      throw refused(DeploymentSyntax.illegalToken(name, as: "name of a part"))
    }
    guard parts.count <= Self.maximumCount, revokedKeys.count <= Self.maximumCount else {
      throw refused(
        "A deployment document should have at most \(Self.maximumCount) parts and as many revoked keys.")
    }
    return lines
  }

  /// The lines after the signature.
  private var lines: [UInt8] {
    var text = "version \(version)\nvalid \(validFrom.seconds) \(validUntil.seconds)\n"
    if let minimumAppVersion { text += "app \(minimumAppVersion)\n" }
    if permille < 1_000 { text += "share \(permille) \(shareSeed)\n" }
    for key in revokedKeys.sorted() { text += "revoke \(key)\n" }
    var bytes = Array(text.utf8)
    for (name, content) in parts.sorted(by: { $0.key < $1.key }) {
      bytes += "part \(name) \(content.count)\n".utf8
      bytes += content
      bytes.append(0x0A)
    }
    return bytes
  }
}

/// Reads the lines of a deployment document.
struct DeploymentSyntax {
  /// The number of lines before the signed ones.
  static let headLines = 3
  /// The maximum length of a line but those of contents; a line with a signature is the longest.
  private static let maximumLine = 256

  private let bytes: [UInt8]
  private(set) var place: Int
  private(set) var line = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  var isAtEnd: Bool { place == bytes.endIndex }
  /// What has not been read.
  var rest: ArraySlice<UInt8> { bytes[place...] }

  /// Returns the error of a document that is not in its canonical form, at the next line.
  func malformed(_ problem: String, version: UInt64? = nil) -> DeploymentError {
    DeploymentError(.malformed(problem), version: version, line: line)
  }

  /// Returns the words of the next line if it begins with a word; nil if it doesn't, or does not end.
  mutating func words(after first: String, count: Int) -> [String]? {
    guard let end = rest.prefix(Self.maximumLine).firstIndex(of: 0x0A),
      let text = String(validating: bytes[place..<end], as: UTF8.self)
    else { return nil }
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == count + 1, words[0] == first else { return nil }
    place = end + 1
    line += 1
    return Array(words.dropFirst())
  }

  /// Returns the next bytes and skips the line break after them; nil if there are fewer.
  mutating func content(count: Int) -> [UInt8]? {
    guard count >= 0, count < rest.count, bytes[place + count] == 0x0A else { return nil }
    let content = Array(bytes[place..<place + count])
    place += count + 1
    line += content.count { $0 == 0x0A } + 1
    return content
  }

  /// Whether a text can name a key or a share.
  static func isToken(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// Whether a text can name a part.
  static func isPartName(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "/"):
          true
        default: false
        }
      }
  }

  /// The sentence for a name that documents can't have.
  static func illegalToken(_ text: String, as role: String) -> String {
    "\"\(DeploymentError.shown(text))\" can't be the \(role): use 1 to 64 ASCII letters, digits, \".\" and \"-\"; "
      + "the name of a part is in lower case, and may have \"/\" and \":\", and 128 characters."
  }
}

extension DeploymentDraft {
  /// Reads the lines after the signature, which is valid.
  ///
  /// - Throws: ``DeploymentError`` for lines that no draft would write.
  init(_ syntax: DeploymentSyntax) throws(DeploymentError) {
    var syntax = syntax
    let body = syntax.rest
    guard let words = syntax.words(after: "version", count: 1), let version = UInt64(words[0]), version > 0
    else { throw syntax.malformed("a line \"version\" with a number from 1 is missing") }
    guard let words = syntax.words(after: "valid", count: 2), let from = Int64(words[0]),
      let until = Int64(words[1])
    else { throw syntax.malformed("a line \"valid\" with two times is missing", version: version) }
    self.init(
      version: version, validFrom: WallTime(secondsSince1970: from),
      until: WallTime(secondsSince1970: until))
    minimumAppVersion = syntax.words(after: "app", count: 1)?[0]
    if let words = syntax.words(after: "share", count: 2) {
      guard let permille = Int(words[0]) else {
        throw syntax.malformed("the line before has no number of installations", version: version)
      }
      (self.permille, shareSeed) = (permille, words[1])
    }
    while let words = syntax.words(after: "revoke", count: 1) { revokedKeys.insert(words[0]) }
    while !syntax.isAtEnd {
      guard let words = syntax.words(after: "part", count: 2), let count = Int(words[1]) else {
        throw syntax.malformed("it should be a line \"part\" with a name and a length", version: version)
      }
      guard parts[words[0]] == nil else {
        throw syntax.malformed("the part of the line before is there twice", version: version)
      }
      guard parts.count < Self.maximumCount, let content = syntax.content(count: count) else {
        throw syntax.malformed(
          "the part of the line before does not have its length, or is one too many", version: version)
      }
      parts[words[0]] = content
    }
    let canonical: [UInt8]
    do { canonical = try bytes() } catch {
      throw DeploymentError(.malformed("a value is not allowed: \(error)"), version: version)
    }
    guard canonical[...] == body else {
      throw DeploymentError(
        .malformed("its lines are not in the order, or not written as they should be"), version: version)
    }
  }
}

/// The version of an app: one to four numbers, such as `3.2.1`.
package struct AppVersion: Sendable, Comparable {
  private let numbers: [UInt32]

  /// Reads a version; nil for any other text.
  package init?(_ text: String) {
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = words.compactMap { word in
      word.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt32(word) : nil
    }
    guard (1...4).contains(words.count), numbers.count == words.count else { return nil }
    self.numbers = numbers + [UInt32](repeating: 0, count: 4 - numbers.count)
  }

  /// Compares the numbers one by one; a missing one is 0.
  package static func < (left: AppVersion, right: AppVersion) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }

  static func illegal(_ text: String) -> String {
    "\"\(DeploymentError.shown(text))\" can't be a version of the app: use one to four numbers, such as 3.2.1."
  }
}
