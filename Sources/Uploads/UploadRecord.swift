import Cryptography
import Interception

/// An unfinished upload, stored so that a later run can resume it.
struct UploadRecord: Sendable, Hashable {
  /// Identifies the request and the protocol; the unfinished upload of another one is never resumed.
  let identity: String
  /// The file as it was when the upload began.
  let stamp: FileStamp
  /// The time after which the server may remove the upload; nil if it is unknown.
  var expires: WallTime?
  /// The URL of the upload.
  let target: UploadTarget

  /// The beginning of every record.
  static let prefix = "switchyard-upload "
  private static let title = prefix + "1"
  private static let end = "end"

  init(identity: String, stamp: FileStamp, expires: WallTime?, target: UploadTarget) {
    self.identity = identity
    self.stamp = stamp
    // A record has no fractions of seconds.
    self.expires = expires.map { WallTime(secondsSince1970: $0.seconds) }
    self.target = target
  }

  /// Parses a record; returns nil if it is truncated, damaged, or of another format.
  init?(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard lines.count == 7, lines[0] == Self.title, lines[5] == Self.end, lines[6].isEmpty,
      let identity = Self.value(of: "identity", in: lines[1]), identity.utf8.count == 64,
      let stamp = FileStamp(lines[2]), let expires = Self.value(of: "expires", in: lines[3]),
      let target = Self.value(of: "url", in: lines[4]).flatMap({ UploadTarget($0) })
    else { return nil }
    self.identity = identity
    self.stamp = stamp
    self.target = target
    guard expires != "never" else { return }
    guard let seconds = Int64(expires) else { return nil }
    self.expires = WallTime(secondsSince1970: seconds)
  }

  /// The record's bytes.
  var bytes: [UInt8] {
    let lines = [
      Self.title, "identity \(identity)", "\(stamp)",
      "expires \(expires.map { String($0.seconds) } ?? "never")", "url \(target.url)", Self.end, "",
    ]
    return Array(lines.joined(separator: "\n").utf8)
  }

  private static func value(of name: String, in line: String) -> String? {
    line.hasPrefix(name + " ") ? String(line.dropFirst(name.count + 1)) : nil
  }

  /// Returns the hash of the fields that identify an upload, as 64 hexadecimal digits.
  static func identity(of fields: [String]) throws(NetworkError) -> String {
    var list = LengthPrefixed()
    for field in fields { list.append(field) }
    do throws(CryptographyError) {
      return Hexadecimal.encode(try HashValue(sha256: list.bytes))
    } catch {
      throw NetworkError(.unsupported, error.description)
    }
  }
}
