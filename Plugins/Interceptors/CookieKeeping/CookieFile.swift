public import Interception
import Synchronization

/// The file of a cookie store: read once, and replaced as a whole when a persistent cookie has changed.
final class CookieFile: Sendable {
  /// The maximum length of a file that is read, in bytes.
  static let maximumSize = 16 << 20

  let path: String
  /// The version of the cookies that was written last; the lock is held while writing.
  private let written = Mutex<UInt64>(0)

  init(path: String) { self.path = path }

  /// Returns the cookies in the file; none if it doesn't exist.
  func read() throws(CookieFileError) -> CookieFileText.Cookies {
    guard let bytes = try bytes() else { return [] }
    do throws(CookieFileText.Fault) {
      return try CookieFileText.decode(bytes)
    } catch {
      throw .damaged(path: path, line: error.line)
    }
  }

  /// Writes the cookies, unless a concurrent call has already written that version or a later one.
  ///
  /// - Parameter current: Returns the cookies and their version, which increases with each change.
  func write(
    _ version: UInt64, _ current: () -> (version: UInt64, cookies: CookieFileText.Cookies)
  ) throws(CookieFileError) {
    let result: Result<Void, CookieFileError> = written.withLock { written in
      guard written < version else { return .success(()) }
      let (latest, cookies) = current()
      do throws(CookieFileError) {
        try replace(with: CookieFileText.encode(cookies))
        written = latest
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  private func bytes() throws(CookieFileError) -> [UInt8]? {
    do throws(WholeFileFault) {
      return try WholeFile(path: path).bytes(upTo: Self.maximumSize)
    } catch {
      throw .unreadable(path: path, reason: error.reason)
    }
  }

  /// Writes a new file that only its owner can read, and renames it to the path.
  private func replace(with bytes: [UInt8]) throws(CookieFileError) {
    do throws(WholeFileFault) {
      // Not synchronized to disk: after a power failure a file that is not complete is recognized.
      try WholeFile(path: path).replace(with: bytes, isSynchronized: false)
    } catch {
      throw .unwritable(path: path, reason: error.reason)
    }
  }
}

/// A fault of a cookie store's file; the store continues with the cookies in memory.
public enum CookieFileError: Error, LoggableError, Sendable, Hashable {
  /// The file exists and can't be read; the store starts empty.
  case unreadable(path: String, reason: String)
  /// The file is not a cookie file of a known version, or was damaged or cut off; the store starts empty, and
  /// replaces the file when a persistent cookie changes.
  case damaged(path: String, line: Int)
  /// The file can't be written; changes since the last success are in memory only.
  case unwritable(path: String, reason: String)
}

extension CookieFileError: CustomStringConvertible {
  /// The path, the fault and the remedy.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "The cookie file \(path) can't be read: \(reason). Check its owner and its permissions."
    case .damaged(let path, let line):
      "The cookie file \(path) is damaged at line \(line), so no cookie was read; it will be replaced."
    case .unwritable(let path, let reason):
      "The cookie file \(path) can't be written: \(reason). Check its folder."
    }
  }
}

/// The text of a cookie file: a line with the version, a line for each persistent cookie, and a line with
/// their number, which shows whether the file is complete.
///
/// The parts of a cookie are separated by tabs; in them tabs, line breaks and percent signs are
/// percent-encoded.
enum CookieFileText {
  /// The cookies of a partition, in the order of their creation.
  typealias Cookies = [(partition: String, cookie: Cookie)]

  /// The first line that can't be read, counted from 1.
  struct Fault: Error, Hashable {
    let line: Int
  }

  private static let title = "switchyard cookies 1"

  /// Returns the text for the persistent cookies of a list.
  static func encode(_ cookies: Cookies) -> [UInt8] {
    var text = Array("\(title)\n".utf8)
    var count = 0
    for (partition, cookie) in cookies {
      guard let expiry = cookie.expiry else { continue }
      let flags =
        (cookie.isHostOnly ? "h" : "") + (cookie.isSecure ? "s" : "") + (cookie.isHTTPOnly ? "o" : "")
      let times = [expiry, cookie.creation, cookie.lastAccess].map { "\($0.seconds)" }
      let partitionAndTexts = [Array(partition.utf8), cookie.nameText.bytes, cookie.valueText.bytes]
      let rest = [cookie.domain, cookie.path, flags, cookie.sameSite?.rawValue ?? ""] + times
      for (index, part) in (partitionAndTexts + rest.map { Array($0.utf8) }).enumerated() {
        if index > 0 { text.append(0x09) }
        append(part, to: &text)
      }
      text.append(0x0A)
      count += 1
    }
    return text + Array("end \(count)\n".utf8)
  }

  /// Parses a text.
  static func decode(_ text: [UInt8]) throws(Fault) -> Cookies {
    var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
    guard lines.popFirst()?.elementsEqual(title.utf8) == true else { throw Fault(line: 1) }
    guard lines.popLast()?.isEmpty == true, let ending = lines.popLast(),
      ending.elementsEqual("end \(lines.count)".utf8)
    else { throw Fault(line: lines.count + 2) }
    var cookies: Cookies = []
    cookies.reserveCapacity(lines.count)
    for (index, line) in lines.enumerated() {
      guard let cookie = cookie(line) else { throw Fault(line: index + 2) }
      cookies.append(cookie)
    }
    return cookies
  }

  private static func cookie(_ line: ArraySlice<UInt8>) -> (partition: String, cookie: Cookie)? {
    let encoded = line.split(separator: 0x09, omittingEmptySubsequences: false)
    guard encoded.count == 10, let name = PercentEncoding.decodedBytes(encoded[1]).map({ FieldText($0) }),
      let value = PercentEncoding.decodedBytes(encoded[2]).map({ FieldText($0) }),
      isValid(name: name, value: value)
    else { return nil }
    // The name and the value need not be UTF-8.
    let parts = encoded.enumerated().compactMap { index, part in
      index == 1 || index == 2 ? "" : PercentEncoding.decoded(part)
    }
    guard parts.count == 10,
      !parts[3].isEmpty, parts[3].utf8.count <= 1_024,
      parts[3].utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      parts[4].utf8.first == UInt8(ascii: "/"), parts[5].allSatisfy({ "hso".contains($0) }),
      parts[6].isEmpty || Cookie.SameSite(rawValue: parts[6]) != nil,
      let expiry = Int64(parts[7]), let creation = Int64(parts[8]), let lastAccess = Int64(parts[9])
    else { return nil }
    let cookie = Cookie(
      nameText: name, valueText: value, domain: parts[3], isHostOnly: parts[5].contains("h"), path: parts[4],
      isSecure: parts[5].contains("s"), isHTTPOnly: parts[5].contains("o"),
      sameSite: Cookie.SameSite(rawValue: parts[6]), expiry: WallTime(secondsSince1970: expiry),
      creation: WallTime(secondsSince1970: creation), lastAccess: WallTime(secondsSince1970: lastAccess))
    return (parts[0], cookie)
  }

  /// Whether a name and a value can have come from a `Set-Cookie` field.
  private static func isValid(name: FieldText, value: FieldText) -> Bool {
    let size = name.bytes.count + value.bytes.count
    return (1...SetCookieLine.maximumSize).contains(size)
      && !name.bytes.contains(where: { "=;".utf8.contains($0) })
      && !value.bytes.contains(UInt8(ascii: ";"))
      && [name, value].allSatisfy { $0.bytes.allSatisfy { $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F } }
  }

  private static func append(_ part: [UInt8], to text: inout [UInt8]) {
    for byte in part {
      switch byte {
      case 0x09: text += "%09".utf8
      case 0x0A: text += "%0A".utf8
      case UInt8(ascii: "%"): text += "%25".utf8
      default: text.append(byte)
      }
    }
  }
}
