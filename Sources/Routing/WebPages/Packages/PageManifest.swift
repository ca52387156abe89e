import Cryptography
import Interception

/// The signed part of a page package: the site, the version, and the digests of all bytes.
///
/// Its encoding is canonical: equal manifests have equal bytes, and other bytes are refused.
struct PageManifest: Sendable, Hashable {
  /// A file of the package.
  struct Entry: Sendable, Hashable {
    let path: [UInt8]
    /// The media type, as `Content-Type` states it.
    let type: String
    /// The length in bytes.
    let size: Int
    /// The SHA-256 of each block, of which only the last one may be shorter than ``blockSize``.
    let digests: [HashValue]

    var pathText: String { String(decoding: path, as: UTF8.self) }
  }

  /// The number of bytes with a digest of their own, so that a part of a file is verified by itself.
  static let blockSize = 256 << 10
  static let maximumFiles = 4_096
  static let maximumSize = 4 << 20
  private static let format = "switchyard page manifest 1"
  private static let maximumTypeLength = 256

  let site: String
  let version: Int
  /// The files in the order of their paths' bytes, which is that of their content.
  let entries: [Entry]

  /// The number of blocks of a file.
  static func blocks(in size: Int) -> Int { (size + blockSize - 1) / blockSize }

  /// The bytes that are signed.
  var bytes: [UInt8] {
    var fields = LengthPrefixed(reserving: 256 * (entries.count + 1))
    fields.append(Self.format)
    fields.append(site)
    fields.append(count: version)
    fields.append(count: entries.count)
    for entry in entries {
      fields.append(entry.path)
      fields.append(entry.type)
      fields.append(count: entry.size)
      fields.append(entry.digests.flatMap(\.bytes))
    }
    return fields.bytes
  }

  init(site: String, version: Int, entries: [Entry]) {
    self.site = site
    self.version = version
    self.entries = entries
  }

  /// Reads a manifest whose signature is valid.
  ///
  /// - Throws: ``PagePackageError`` if the bytes are not those of a manifest that this package would write.
  init(_ bytes: ArraySlice<UInt8>) throws(PagePackageError) {
    var reader = LengthPrefixedReader(bytes)
    guard reader.text() == Self.format else { throw .malformed("its manifest has another format") }
    guard let site = reader.text(), let version = reader.count(), let count = reader.count() else {
      throw .malformed("its manifest ends early")
    }
    guard PageSite.canonical(site) == site else { throw .illegalSite(site) }
    guard version > 0 else { throw .illegalVersion(version) }
    guard count <= Self.maximumFiles else { throw .tooManyFiles(limit: Self.maximumFiles) }
    var entries: [Entry] = []
    for _ in 0..<count {
      let entry = try Self.entry(from: &reader)
      if let last = entries.last {
        guard last.path != entry.path else { throw .duplicatePath(entry.pathText) }
        guard last.path.lexicographicallyPrecedes(entry.path) else {
          throw .malformed("the files of its manifest are not in order")
        }
      }
      entries.append(entry)
    }
    guard reader.isAtEnd else { throw .malformed("bytes follow its manifest's last file") }
    self.init(site: site, version: version, entries: entries)
  }

  private static func entry(from reader: inout LengthPrefixedReader) throws(PagePackageError) -> Entry {
    guard let path = reader.field(), let type = reader.text() else {
      throw .malformed("its manifest ends early")
    }
    let text = String(decoding: path, as: UTF8.self)
    guard PagePath.isValid(path) else { throw .illegalPath(text) }
    guard isType(type) else { throw .illegalType(type, path: text) }
    guard let size = reader.count(upTo: PageArchive.maximumSize), let digests = reader.field(),
      digests.count == blocks(in: size) * Digest.size
    else { throw .malformed("the size of a file and its digests don't agree") }
    let values = stride(from: digests.startIndex, to: digests.endIndex, by: Digest.size).compactMap {
      HashValue(bytes: digests[$0..<($0 + Digest.size)])
    }
    return Entry(path: Array(path), type: type, size: size, digests: values)
  }

  /// Returns whether a text can be the value of `Content-Type`.
  static func isType(_ text: String) -> Bool {
    text.utf8.count <= maximumTypeLength && MediaTypeSyntax.isValid(text)
  }
}
