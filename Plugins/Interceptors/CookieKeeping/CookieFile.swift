import Interception
import Synchronization

/// The file of a cookie store: read once, and replaced as a whole when a persistent cookie has changed.
final class CookieFile: Sendable {
  /// The maximum length of a file that is read or written, in bytes.
  static let maximumSize = 16 << 20

  let path: String
  /// The maximum length of this file.
  let maximumSize: Int
  /// The maximum length of a file that is read: one that is too long for a writer, such as one with another
  /// limit, is read and then reduced, because no cookie of it would be left otherwise.
  private var maximumReadSize: Int { 4 * maximumSize }
  /// The version of the cookies that was written last; the lock is held while writing, and while reading
  /// again.
  private let written = Mutex<UInt64>(0)
  private let unread = Atomic<Bool>(false)

  /// Whether the file could not be read for a reason that may pass; it is not written before it was read.
  var isUnread: Bool { unread.load(ordering: .acquiring) }

  init(path: String, maximumSize: Int = maximumSize) {
    self.path = path
    self.maximumSize = maximumSize
  }

  /// Returns the cookies in the file, none if it doesn't exist, and its fault, if it has one.
  ///
  /// A file with a fault is set aside. If a part of it could be read, that part is in a new file. A file that
  /// can't be read for a reason that may pass keeps its name.
  func read() -> (cookies: CookieFileText.Cookies, fault: CookieFileError?) {
    let file = WholeFile(path: path)
    let contents: CookieFileText.Contents
    do throws(WholeFileFault) {
      let bytes = try file.bytes(upTo: maximumReadSize)
      unread.store(false, ordering: .releasing)
      guard let bytes else { return ([], nil) }
      contents = CookieFileText.decode(bytes)
    } catch {
      unread.store(error.isPassing, ordering: .releasing)
      let copy = error.isPassing ? nil : file.setAside()
      return ([], .unreadable(path: path, reason: error.reason, setAside: copy))
    }
    guard let line = contents.firstDamage else { return (contents.cookies, nil) }
    let copy = file.setAside(isKept: !contents.cookies.isEmpty)
    let fault = CookieFileError.damaged(
      path: path, line: line, read: contents.cookies.count, setAside: copy)
    // Without a copy, the lines that could not be read would be lost before the next change.
    if copy != nil, !contents.cookies.isEmpty {
      try? file.replace(with: CookieFileText.encode(contents.cookies), isSynchronized: false)
    }
    return (contents.cookies, fault)
  }

  /// Reads a file that could not be read before, unless a concurrent call has read it.
  ///
  /// - Parameter merge: Receives the cookies before any are written.
  /// - Returns: Whether it was read, and its fault, if it has one.
  func readAgain(_ merge: (CookieFileText.Cookies) -> Void) -> (isRead: Bool, fault: CookieFileError?) {
    written.withLock { _ in
      guard isUnread else { return (false, nil) }
      let (cookies, fault) = read()
      guard !isUnread else { return (false, nil) }
      merge(cookies)
      return (true, fault)
    }
  }

  /// Permits that a file that could not be read is overwritten, because all cookies in it are removed.
  func giveUpUnread() {
    // Not while the file is read again, which would find it unreadable afterwards.
    written.withLock { _ in unread.store(false, ordering: .releasing) }
  }

  /// Writes the cookies, unless a concurrent call has already written that version or a later one.
  ///
  /// - Parameter current: Returns the cookies and their version, which increases with each change.
  func write(
    _ version: UInt64, _ current: () -> (version: UInt64, cookies: CookieFileText.Cookies)
  ) throws(CookieFileError) {
    let result: Result<Void, CookieFileError> = written.withLock { written in
      guard written < version else { return .success(()) }
      guard !isUnread else {
        return .failure(
          .unwritable(path: path, reason: "it could not be read yet, and its cookies would be lost"))
      }
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

  /// Removes the lines of a partition from the files that were set aside, or the files; nil for all lines.
  ///
  /// A file that can't be read is removed, because it may have such lines.
  func removeSetAside(of partition: String?) {
    for file in WholeFile(path: path).filesSetAside {
      do throws(WholeFileFault) {
        guard let partition, let bytes = try file.bytes(upTo: maximumReadSize) else {
          file.remove()
          continue
        }
        let rest = CookieFileText.removingLines(of: partition, from: bytes)
        if rest.count < bytes.count { try file.replace(with: rest, isSynchronized: false) }
      } catch {
        file.remove()
      }
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

/// The text of a cookie file: a line with the version, a line for each persistent cookie, and a line with
/// their number, which shows whether the file is complete.
///
/// The parts of a cookie are separated by tabs; in them tabs, line breaks and percent signs are
/// percent-encoded.
enum CookieFileText {
  /// The cookies of a partition, in the order of their creation.
  typealias Cookies = [(partition: String, cookie: Cookie)]

  /// What could be read of a text.
  struct Contents {
    var cookies: Cookies = []
    /// The first line that can't be read, counted from 1; nil if there is none.
    var firstDamage: Int?

    fileprivate mutating func noteDamage(at line: Int) { firstDamage = min(firstDamage ?? line, line) }
  }

  private static let titlePrefix = "switchyard cookies "
  private static let title = titlePrefix + "1"
  private static let endPrefix = "end "

  /// The number of bytes of a text without its cookies, at most.
  static let maximumFrameSize = 64

  /// Returns the text for the persistent cookies of a list.
  static func encode(_ cookies: Cookies) -> [UInt8] {
    var text = Array("\(title)\n".utf8)
    var count = 0
    for (partition, cookie) in cookies {
      guard let expiry = cookie.expiry else { continue }
      append(cookie, of: partition, until: expiry, to: &text)
      count += 1
    }
    return text + Array("\(endPrefix)\(count)\n".utf8)
  }

  /// Returns the number of bytes of a cookie's line; 0 for a session cookie.
  static func size(of cookie: Cookie, in partition: String) -> Int {
    guard let expiry = cookie.expiry else { return 0 }
    var line: [UInt8] = []
    append(cookie, of: partition, until: expiry, to: &line)
    return line.count
  }

  /// Returns a number of bytes that a cookie's line doesn't exceed, without looking at its characters.
  static func sizeBound(of cookie: Cookie, in partition: String) -> Int {
    // Each byte takes up to three. The flags, numbers and separators take less than 128.
    3
      * (partition.utf8.count + cookie.nameText.bytes.count + cookie.valueText.bytes.count
        + cookie.domain.utf8.count + cookie.path.utf8.count) + 128
  }

  private static func append(
    _ cookie: Cookie, of partition: String, until expiry: WallTime, to text: inout [UInt8]
  ) {
    let flags =
      (cookie.isHostOnly ? "h" : "") + (cookie.isSecure ? "s" : "") + (cookie.isHTTPOnly ? "o" : "")
    let times = [expiry, cookie.creation, cookie.lastAccess].map { "\($0.seconds)" }
    let partitionAndTexts = [Array(partition.utf8), cookie.nameText.bytes, cookie.valueText.bytes]
    let rest = [cookie.domain, cookie.path, flags, cookie.sameSite ?? ""] + times
    for (index, part) in (partitionAndTexts + rest.map { Array($0.utf8) }).enumerated() {
      if index > 0 { text.append(0x09) }
      append(part, to: &text)
    }
    text.append(0x0A)
  }

  /// Parses a text; a line that can't be read is left out, and loses only itself.
  ///
  /// Nothing is read of a text with the title of another version, whose lines may mean something else.
  static func decode(_ text: [UInt8]) -> Contents {
    var contents = Contents()
    var (rest, number, isEnded) = (text[...], 0, false)
    // Line by line: the lines of a file of line breaks alone would take 32 times its size.
    while let end = rest.firstIndex(of: 0x0A) {
      let line = rest[..<end]
      rest = rest[(end + 1)...]
      number += 1
      // A line after the end counts as damage, even if it can be read.
      if isEnded { contents.noteDamage(at: number) }
      if number == 1 {
        if line.elementsEqual(title.utf8) { continue }
        contents.noteDamage(at: 1)
        if isTitleOfAnotherVersion(line) { return contents }
      }
      // The number of the cookies, which are the lines between the title and this one.
      if line.starts(with: endPrefix.utf8), line.elementsEqual("\(endPrefix)\(number - 2)".utf8) {
        isEnded = true
      } else if let cookie = cookie(line) {
        contents.cookies.append(cookie)
      } else {
        contents.noteDamage(at: number)
      }
    }
    // The beginning of a line that was cut off.
    if !rest.isEmpty {
      number += 1
      contents.noteDamage(at: number)
    }
    if !isEnded { contents.noteDamage(at: number + 1) }
    return contents
  }

  private static func isTitleOfAnotherVersion(_ line: ArraySlice<UInt8>) -> Bool {
    let version = line.dropFirst(titlePrefix.utf8.count)
    return line.starts(with: titlePrefix.utf8) && !version.isEmpty
      && version.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Returns a text, which may be damaged, without the lines that begin with a partition.
  ///
  /// As in a store, partitions are equal as strings: with other combining characters, they are the same.
  static func removingLines(of partition: String, from text: [UInt8]) -> [UInt8] {
    var (kept, rest): ([UInt8], ArraySlice<UInt8>) = ([], text[...])
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
      let line = rest[..<end]
      let name = line.firstIndex(of: 0x09).flatMap { PercentEncoding.decoded(line[..<$0]) }
      if name != partition { kept += line }
      rest = rest[end...]
    }
    return kept
  }

  private static func cookie(_ line: ArraySlice<UInt8>) -> (partition: String, cookie: Cookie)? {
    let encoded = line.split(separator: 0x09, omittingEmptySubsequences: false)
    guard encoded.count == 10, let name = PercentEncoding.decodedBytes(encoded[1]).map({ FieldText($0) }),
      let value = PercentEncoding.decodedBytes(encoded[2]).map({ FieldText($0) }),
      SetCookieLine.isValid(name: name, value: value)
    else { return nil }
    // The name and the value need not be UTF-8.
    let parts = encoded.enumerated().compactMap { index, part in
      index == 1 || index == 2 ? "" : PercentEncoding.decoded(part)
    }
    guard parts.count == 10,
      CookieURL.isValid(host: parts[3]), parts[4].utf8.first == UInt8(ascii: "/"),
      parts[5].allSatisfy({ "hso".contains($0) }),
      parts[6].isEmpty || Cookie.SameSite(rawValue: parts[6]) != nil,
      let expiry = Int64(parts[7]), let creation = Int64(parts[8]), let lastAccess = Int64(parts[9])
    else { return nil }
    let cookie = Cookie(
      nameText: name, valueText: value, domain: parts[3], isHostOnly: parts[5].contains("h"), path: parts[4],
      isSecure: parts[5].contains("s"), isHTTPOnly: parts[5].contains("o"),
      sameSiteRule: Cookie.SameSite(rawValue: parts[6]), expiry: WallTime(secondsSince1970: expiry),
      creation: WallTime(secondsSince1970: creation), lastAccess: WallTime(secondsSince1970: lastAccess))
    let hasHostAttributes = cookie.isHostOnly && cookie.path == "/"
    guard cookie.meetsPrefix(hasHostAttributes: hasHostAttributes) else { return nil }
    return (parts[0], cookie)
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
