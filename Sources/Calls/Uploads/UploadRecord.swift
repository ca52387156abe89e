import Cryptography
import Interception

/// An unfinished upload, stored so that a later run can resume it.
struct UploadRecord: Sendable, Hashable {
  /// Identifies the request and the protocol; the unfinished upload of another one is never resumed.
  let identity: String
  /// The digest of the owner, on whose behalf the upload was created; nil without an account and credentials.
  let owner: String?
  /// The file as it was when the upload began.
  let stamp: FileStamp
  /// The time after which the server may remove the upload; nil if it is unknown.
  var expires: WallTime?
  /// The URL of the upload.
  let target: UploadTarget

  /// The beginning of every record.
  static let prefix = "switchyard-upload "
  private static let title = prefix + "1"
  // Releases that don't know owners don't take such a record for one of theirs.
  private static let ownedTitle = prefix + "2"
  private static let end = "end"

  init(identity: String, owner: String? = nil, stamp: FileStamp, expires: WallTime?, target: UploadTarget) {
    self.identity = identity
    self.owner = owner
    self.stamp = stamp
    // A record has no fractions of seconds.
    self.expires = expires.map { WallTime(secondsSince1970: $0.seconds) }
    self.target = target
  }

  /// Parses a record; returns nil if it is truncated, damaged, or of another format.
  init?(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    var owner: String?
    if lines.count == 8, lines[0] == Self.ownedTitle {
      owner = Self.value(of: "owner", in: lines.remove(at: 2))
      guard let owner, Hexadecimal.decode(owner, count: 32) != nil else { return nil }
    }
    guard lines.count == 7, lines[0] == (owner == nil ? Self.title : Self.ownedTitle), lines[5] == Self.end,
      lines[6].isEmpty,
      let identity = Self.value(of: "identity", in: lines[1]), identity.utf8.count == 64,
      let stamp = FileStamp(lines[2]), let expires = Self.value(of: "expires", in: lines[3]),
      let target = Self.value(of: "url", in: lines[4]).flatMap({ UploadTarget($0) }), target.isShort
    else { return nil }
    self.identity = identity
    self.owner = owner
    self.stamp = stamp
    self.target = target
    guard expires != "never" else { return }
    guard let seconds = Int64(expires) else { return nil }
    self.expires = WallTime(secondsSince1970: seconds)
  }

  /// The record's bytes.
  var bytes: [UInt8] {
    let start = owner.map { [Self.ownedTitle, "identity \(identity)", "owner \($0)"] }
    let lines =
      (start ?? [Self.title, "identity \(identity)"]) + [
        "\(stamp)", "expires \(expires.map { String($0.seconds) } ?? "never")", "url \(target.url)", Self.end,
        "",
      ]
    return Array(lines.joined(separator: "\n").utf8)
  }

  private static func value(of name: String, in line: String) -> String? {
    line.hasPrefix(name + " ") ? String(line.dropFirst(name.count + 1)) : nil
  }

  /// Returns the hash of the fields that identify an upload or its owner, as 64 hexadecimal digits.
  static func digest(of fields: [String]) throws(NetworkError) -> String {
    do throws(CryptographyError) {
      return Hexadecimal.encode(try HashValue(ofFields: fields))
    } catch {
      throw NetworkError(.unsupported, error.description)
    }
  }
}
