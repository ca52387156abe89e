public import Interception

/// Why a deployment document is refused; what was deployed before stays in use.
///
/// The description names the document, the part and the line as far as they are known, and what to do.
public struct DeploymentError: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong.
  package enum Kind: Sendable, Hashable {
    /// The document has more bytes than this limit.
    case tooLarge(limit: Int)
    /// The bytes are not a deployment document in its canonical form, or only a part of one.
    case malformed(String)
    /// The app does not trust a key of this name.
    case unknownKey(String)
    /// A document that was accepted before has revoked the key.
    case revokedKey(String)
    /// The signature is not valid for these bytes and the named key.
    case badSignature(key: String)
    /// The document revokes a key that is not listed before its own.
    case illegalRevocation(of: String, by: String)
    /// The device's clock is before the period in which the document may be accepted.
    case notYetValid(from: WallTime, now: WallTime)
    /// The device's clock is after the period in which the document may be accepted.
    case expired(until: WallTime, now: WallTime)
    /// The app is older than the document allows.
    case appTooOld(required: String, version: String)
    /// The installation does not belong to the document's share.
    case outsideShare(permille: Int)
    /// The version is not higher than one that was accepted before.
    case notNewer(accepted: UInt64)
    /// The app has no such part.
    case unknownPart
    /// The content of a part can't be applied.
    case part(String)
    /// The app has died with the document, which is tried again at a time, or not if the time is nil.
    case heldBack(until: WallTime?)
    /// A file of the device can't be read or written.
    case file(path: String, reason: String)
    /// A value that the app or the tool supplies can't be used.
    case argument(String)
    /// The cryptographic library failed.
    case cryptography(operation: String)
  }

  /// What is wrong.
  package let kind: Kind
  /// The version of the document; nil if it is unknown because the signature was not verified.
  package let version: UInt64?
  /// The name of the part at fault; nil if the fault is not in a part.
  package let part: String?
  /// The line at fault, from 1: of the part, or of the document if ``part`` is nil.
  package let line: Int?

  /// Creates the error of a file.
  init(_ fault: WholeFileFault, at path: String, version: UInt64? = nil) {
    self.init(.file(path: path, reason: fault.reason), version: version)
  }

  package init(_ kind: Kind, version: UInt64? = nil, part: String? = nil, line: Int? = nil) {
    self.kind = kind
    self.version = version
    self.part = part
    self.line = line
  }

  /// The document, the part and the line, what is wrong, and what to do.
  public var description: String {
    if case .argument(let sentence) = kind { return sentence }
    var place = version.map { "Deployment document \($0)" } ?? "The deployment document"
    if let part { place += ", part \"\(Self.shown(part))\"" }
    if let line { place += ", line \(line)" }
    return "\(place): \(reason)"
  }

  private var reason: String {
    switch kind {
    case .tooLarge(let limit): "it has more than \(limit) bytes; shorten it."
    case .malformed(let problem): "\(problem); write it again with \"switchyard deploy\", or load it again."
    case .unknownKey(let key):
      "the app does not trust a key \"\(Self.shown(key))\"; sign with a key that the app lists."
    case .revokedKey(let key): "the key \"\(Self.shown(key))\" was revoked; sign with another one."
    case .badSignature(let key):
      "the signature is not valid for the key \"\(Self.shown(key))\": the document was changed, or only a part "
        + "of it arrived; load it again, or sign it again."
    case .illegalRevocation(let other, let key):
      "the key \"\(Self.shown(key))\" can't revoke \"\(Self.shown(other))\", which the app does not list before "
        + "it; sign the revocation with a later key."
    case .notYetValid(let from, let now):
      "it is valid from \(from.seconds), but the device's clock is at \(now.seconds) seconds since 1970; wait, "
        + "or correct the clock."
    case .expired(let until, let now):
      "it was valid until \(until.seconds), but the device's clock is at \(now.seconds) seconds since 1970; "
        + "publish a later version, or correct the clock."
    case .appTooOld(let required, let version):
      "it needs version \(required) of the app, which has version \(Self.shown(version)); update the app."
    case .outsideShare(let permille):
      "it is for \(permille) of 1,000 installations, and this one is not among them; nothing has to be done."
    case .notNewer(let accepted):
      "version \(accepted) was accepted before; publish it with a higher version, also to go back to earlier "
        + "content."
    case .unknownPart: "the app has no such part; remove it, or raise the minimum version of the app."
    case .part(let problem): problem
    case .heldBack(let retry):
      retry.map {
        "the app has died with it, so it is held back until \($0.seconds) seconds since 1970; wait, or publish a "
          + "later version."
      } ?? "the app has died with it again and again, so it was given up; publish a later version."
    case .file(let path, let reason):
      "\"\(path)\" can't be used: \(reason). Check the folder of the deployments, and that only one process "
        + "uses it."
    case .argument(let sentence): sentence
    case .cryptography(let operation): "the cryptographic library could not compute \(operation)."
    }
  }

  /// Returns at most 80 characters of a text, without control characters and others that aren't ASCII.
  static func shown(_ text: String) -> String {
    String(text.unicodeScalars.prefix(80).map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" })
  }
}
