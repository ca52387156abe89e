import Cryptography
public import Interception

/// A public key that may sign deployment documents.
public struct DeploymentKey: Sendable {
  /// The name by which documents refer to the key.
  package let name: String
  package let publicKeyPEM: String

  /// Creates a key; it is read when a verifier is created.
  ///
  /// - Parameters:
  ///   - name: 1 to 64 ASCII letters, digits, `.`, `_` and `-`, such as `2026`.
  ///   - publicKeyPEM: An Ed25519 public key in PEM, as `openssl pkey -pubout` writes it.
  public init(_ name: String, publicKeyPEM: String) {
    self.name = name
    self.publicKeyPEM = publicKeyPEM
  }
}

/// Verifies deployment documents for one installation of the app.
///
/// ```swift
/// let verifier = try DeploymentVerifier(
///   trusting: [DeploymentKey("2025", publicKeyPEM: last), DeploymentKey("2026", publicKeyPEM: present)],
///   appVersion: "3.2.1", installation: installationID)
/// ```
///
/// List the keys from the oldest to the newest, and keep the private key of the last one offline: a document
/// can revoke only keys that are listed before its own, so a stolen key can't revoke the one that replaces
/// it.
public struct DeploymentVerifier: Sendable {
  static let unreadableKey =
    "A key of deployment documents is not an Ed25519 key in PEM; pass one that \"openssl genpkey -algorithm "
    + "ed25519\" writes, or its public key."

  /// The keys in the order in which they may revoke others.
  private let keys: [(name: String, key: AsymmetricKey)]
  private let appVersion: AppVersion
  let appVersionText: String
  private let installation: String

  /// Creates a verifier.
  ///
  /// - Parameters:
  ///   - keys: The keys that may sign, from the oldest to the newest.
  ///   - appVersion: The version of the app: one to four numbers, such as `3.2.1`.
  ///   - installation: A random text that stays the same for the installation. It decides whether the
  ///     installation belongs to a share, and is never sent.
  /// - Throws: ``DeploymentError`` for an argument that can't be used.
  public init(
    trusting keys: [DeploymentKey], appVersion: String, installation: String
  ) throws(DeploymentError) {
    func refused(_ sentence: String) -> DeploymentError { DeploymentError(.argument(sentence)) }
    var read: [(name: String, key: AsymmetricKey)] = []
    for key in keys {
      guard DeploymentSyntax.isToken(key.name) else {
        throw refused(DeploymentSyntax.illegalToken(key.name, as: "name of a key"))
      }
      guard !read.contains(where: { $0.name == key.name }) else {
        throw refused("Two keys of deployment documents have the name \"\(key.name)\"; rename one.")
      }
      guard let publicKey = AsymmetricKey(publicPEM: key.publicKeyPEM), publicKey.kind == .ed25519 else {
        throw refused(Self.unreadableKey)
      }
      read.append((key.name, publicKey))
    }
    guard !read.isEmpty else { throw refused("Deployment documents need at least one key to trust.") }
    guard let version = AppVersion(appVersion) else { throw refused(AppVersion.illegal(appVersion)) }
    guard !installation.isEmpty else {
      throw refused("The installation should have a random text of its own, but it is empty.")
    }
    self.keys = read
    self.appVersion = version
    appVersionText = appVersion
    self.installation = installation
  }

  /// Verifies a document for an installation that has accepted none before.
  ///
  /// - Throws: ``DeploymentError``.
  public func verify(_ bytes: [UInt8], now: WallTime) throws(DeploymentError) -> DeploymentDocument {
    try verify(bytes, now: now, after: DeploymentRecord())
  }

  /// Verifies a document that has been received.
  ///
  /// - Parameter record: What the installation has accepted before. Accept the document in it, and store it
  ///   with the document, before the document is applied.
  package func verify(
    _ bytes: [UInt8], now: WallTime, after record: DeploymentRecord
  ) throws(DeploymentError) -> DeploymentDocument {
    let (draft, key) = try signedDraft(bytes, record)
    func refused(_ kind: DeploymentError.Kind) -> DeploymentError {
      DeploymentError(kind, version: draft.version)
    }
    let earlier = Set(keys.prefix { $0.name != key }.map(\.name))
    // A key that the app doesn't list, such as one of an earlier version of the app, can't sign anyway.
    for other in draft.revokedKeys.sorted() where keys.contains(where: { $0.name == other }) {
      guard earlier.contains(other) else { throw refused(.illegalRevocation(of: other, by: key)) }
    }
    // A stolen key can sign a version so high that no other one could follow. It stops counting when the key
    // is revoked.
    let trusted = keys.map(\.name).filter { !record.revoked.contains($0) && !draft.revokedKeys.contains($0) }
    if let accepted = trusted.compactMap({ record.versions[$0] }).max(), draft.version <= accepted {
      throw refused(.notNewer(accepted: accepted))
    }
    guard now >= draft.validFrom else { throw refused(.notYetValid(from: draft.validFrom, now: now)) }
    guard now <= draft.validUntil else { throw refused(.expired(until: draft.validUntil, now: now)) }
    try checkAppVersion(draft)
    guard try isInShare(draft) else { throw refused(.outsideShare(permille: draft.permille)) }
    return document(draft, key, bytes)
  }

  /// Verifies a document that was accepted before and stored since.
  ///
  /// The period of validity limits acceptance only, so a wrong clock changes nothing here.
  package func restore(
    _ bytes: [UInt8], after record: DeploymentRecord
  ) throws(DeploymentError) -> DeploymentDocument {
    let (draft, key) = try signedDraft(bytes, record)
    try checkAppVersion(draft)
    return document(draft, key, bytes)
  }

  /// Verifies the signature before anything that it covers is interpreted, but for the name of the key.
  private func signedDraft(
    _ bytes: [UInt8], _ record: DeploymentRecord
  ) throws(DeploymentError) -> (DeploymentDraft, key: String) {
    guard bytes.count <= DeploymentDraft.maximumSize else {
      throw DeploymentError(.tooLarge(limit: DeploymentDraft.maximumSize))
    }
    var syntax = DeploymentSyntax(bytes)
    guard syntax.words(after: "switchyard", count: 2) == ["deployment", "1"] else {
      throw syntax.malformed("its first line should be \"\(DeploymentDraft.firstLine)\"")
    }
    guard let name = syntax.words(after: "key", count: 1)?[0] else {
      throw syntax.malformed("a line \"key\" with the name of the key is missing")
    }
    guard let text = syntax.words(after: "signature", count: 1)?[0],
      let signature = Base64.decode(Array(text.utf8)[...])
    else { throw syntax.malformed("a line \"signature\" with a signature in Base 64 is missing") }
    guard let key = keys.first(where: { $0.name == name })?.key else {
      throw DeploymentError(.unknownKey(name))
    }
    guard !record.revoked.contains(name) else { throw DeploymentError(.revokedKey(name)) }
    let isValid: Bool
    do throws(CryptographyError) {
      let message = DeploymentDraft.message(key: name, body: syntax.rest)
      isValid = try key.verifies(signature, of: message, with: .ed25519)
    } catch {
      throw DeploymentError(.cryptography(operation: error.operation))
    }
    guard isValid else { throw DeploymentError(.badSignature(key: name)) }
    return (try DeploymentDraft(syntax), name)
  }

  private func checkAppVersion(_ draft: DeploymentDraft) throws(DeploymentError) {
    guard let required = draft.minimumAppVersion, let minimum = AppVersion(required) else { return }
    guard appVersion >= minimum else {
      throw DeploymentError(.appTooOld(required: required, version: appVersionText), version: draft.version)
    }
  }

  /// Whether a draft is meant for this installation.
  func isInShare(_ draft: DeploymentDraft) throws(DeploymentError) -> Bool {
    guard draft.permille < 1_000 else { return true }
    do throws(CryptographyError) {
      let place = try HashValue(ofFields: ["switchyard share 1", draft.shareSeed, installation]).bytes
      let number = place.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return number % 1_000 < UInt64(draft.permille)
    } catch {
      throw DeploymentError(.cryptography(operation: error.operation), version: draft.version)
    }
  }

  private func document(_ draft: DeploymentDraft, _ key: String, _ bytes: [UInt8]) -> DeploymentDocument {
    DeploymentDocument(
      version: draft.version,
      parts: draft.parts.sorted { $0.key < $1.key }.map { (name: $0.key, content: $0.value) }, key: key,
      revokedKeys: draft.revokedKeys.sorted(), bytes: bytes)
  }
}

/// What an installation remembers of the documents that it has accepted, so that no earlier one returns.
package struct DeploymentRecord: Sendable, Hashable {
  /// The maximum length of the encoded form in bytes.
  package static let maximumSize = 64 << 10
  private static let format = "switchyard deployment record 1"

  /// The highest version that was accepted of each key.
  package private(set) var versions: [String: UInt64] = [:]
  /// The names of the keys that documents have revoked.
  package private(set) var revoked: Set<String> = []

  /// Creates the record of an installation that has accepted no document.
  package init() {}

  /// Notes that a document was accepted.
  package mutating func accept(_ document: DeploymentDocument) {
    versions[document.key] = max(versions[document.key] ?? 0, document.version)
    revoked.formUnion(document.revokedKeys)
  }

  /// Reads the encoded form; nil if it is damaged.
  package init?(_ bytes: [UInt8]) {
    var reader = LengthPrefixedReader(bytes[...])
    guard bytes.count <= Self.maximumSize, reader.text() == Self.format,
      let count = reader.count(upTo: 1_024)
    else { return nil }
    for _ in 0..<count {
      guard let name = reader.text(), let version = reader.word() else { return nil }
      versions[name] = version
    }
    guard let count = reader.count(upTo: 1_024) else { return nil }
    for _ in 0..<count {
      guard let name = reader.text() else { return nil }
      revoked.insert(name)
    }
    // One record has one encoded form.
    guard reader.isAtEnd, self.bytes == bytes else { return nil }
  }

  /// The encoded form, for a file.
  package var bytes: [UInt8] {
    var fields = LengthPrefixed()
    fields.append(Self.format)
    fields.append(count: versions.count)
    for (name, version) in versions.sorted(by: { $0.key < $1.key }) {
      fields.append(name)
      fields.append(word: version)
    }
    fields.append(count: revoked.count)
    for name in revoked.sorted() { fields.append(name) }
    return fields.bytes
  }
}
