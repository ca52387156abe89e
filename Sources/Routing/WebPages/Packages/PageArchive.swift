import Cryptography

/// The layout of a page package: a first line, the signature, the manifest, and the files' bytes in the
/// manifest's order.
struct PageArchive: Sendable {
  /// A file and the place of its content in the archive.
  struct File: Sendable {
    let entry: PageManifest.Entry
    let offset: Int64

    /// The range of a block's bytes within the file.
    func range(ofBlock index: Int) -> Range<Int> {
      let start = index * PageManifest.blockSize
      return start..<min(start + PageManifest.blockSize, entry.size)
    }

    /// A strong entity tag (RFC 9110, section 8.8.3): equal files have equal ones.
    var tag: String {
      get throws(CryptographyError) {
        var fields = LengthPrefixed()
        fields.append(entry.type)
        fields.append(count: entry.size)
        for digest in entry.digests { fields.append(digest.bytes) }
        return "\"\(try HashValue(sha256: fields.bytes).description.prefix(32))\""
      }
    }
  }

  static let firstLine = Array("switchyard page package 1\n".utf8)
  /// The maximum length of a package in bytes.
  static let maximumSize = 64 << 20
  private static let signatureSize = 64
  /// The maximum length of what precedes the content.
  static let maximumHeadSize = firstLine.count + 8 + signatureSize + 8 + PageManifest.maximumSize

  let manifest: PageManifest
  private let files: [File]
  private let index: [[UInt8]: Int]

  /// Reads what precedes the content.
  ///
  /// The signature is verified before anything that it covers is interpreted.
  ///
  /// - Parameters:
  ///   - head: The first bytes, up to ``maximumHeadSize``.
  ///   - length: The length of the whole package.
  init(
    _ head: ArraySlice<UInt8>, length: Int64, site: String, trusting keys: [AsymmetricKey]
  ) throws(PagePackageError) {
    guard length <= Self.maximumSize else { throw .tooLarge(limit: Self.maximumSize) }
    guard head.starts(with: Self.firstLine) else {
      let isPart = head.count < Self.firstLine.count && Self.firstLine.starts(with: head)
      throw .malformed(isPart ? "it ends in its first line" : "its first line is that of another format")
    }
    let rest = head.dropFirst(Self.firstLine.count)
    var reader = LengthPrefixedReader(rest)
    guard let signature = reader.field(), signature.count == Self.signatureSize else {
      throw .malformed("it ends in its signature, or has none")
    }
    // A longer manifest than ``maximumHeadSize`` permits would seem to be torn.
    var prefix = reader
    if let size = prefix.word(), size > UInt64(PageManifest.maximumSize) {
      throw .manifestTooLarge(limit: PageManifest.maximumSize)
    }
    guard let bytes = reader.field() else { throw .malformed("it ends in its manifest") }
    guard try Self.isSigned(Array(signature), Array(bytes), by: keys) else { throw .untrusted }
    manifest = try PageManifest(bytes)
    guard manifest.site == site else { throw .foreignSite(manifest.site, expected: site) }
    var offset = Int64(bytes.endIndex - head.startIndex)
    var files: [File] = []
    var index: [[UInt8]: Int] = [:]
    for entry in manifest.entries {
      index[entry.path] = files.count
      files.append(File(entry: entry, offset: offset))
      offset += Int64(entry.size)
    }
    guard offset == length else {
      throw .malformed("it has \(length) bytes, and \(offset) by its manifest")
    }
    self.files = files
    self.index = index
  }

  /// Returns the file with a path.
  func file(at path: [UInt8]) -> File? { index[path].map { files[$0] } }

  /// Verifies the digests of all content.
  ///
  /// - Parameter read: Returns the bytes at an offset; fewer if the package ends before.
  func verifyContent(
    _ read: (_ offset: Int64, _ count: Int) throws(PagePackageError) -> [UInt8]
  ) throws(PagePackageError) {
    for file in files {
      for block in file.entry.digests.indices { _ = try Self.block(block, of: file, read) }
    }
  }

  /// Returns the bytes of a block if they have their digest.
  static func block(
    _ number: Int, of file: File,
    _ read: (_ offset: Int64, _ count: Int) throws(PagePackageError) -> [UInt8]
  ) throws(PagePackageError) -> [UInt8] {
    let range = file.range(ofBlock: number)
    let bytes = try read(file.offset + Int64(range.lowerBound), range.count)
    let digest: HashValue
    do throws(CryptographyError) { digest = try HashValue(sha256: bytes) } catch {
      throw .cryptography(operation: error.operation)
    }
    guard bytes.count == range.count, digest == file.entry.digests[number] else {
      throw .damaged(path: file.entry.pathText)
    }
    return bytes
  }

  /// Returns the bytes of a package.
  static func bytes(
    manifest: PageManifest, contents: [[UInt8]], signedBy key: AsymmetricKey
  ) throws(PagePackageError) -> [UInt8] {
    let manifest = manifest.bytes
    guard manifest.count <= PageManifest.maximumSize else {
      throw .manifestTooLarge(limit: PageManifest.maximumSize)
    }
    var fields = LengthPrefixed(reserving: manifest.count + 80)
    do throws(CryptographyError) { fields.append(try key.sign(manifest, with: .ed25519)) } catch {
      throw .cryptography(operation: error.operation)
    }
    fields.append(manifest)
    var bytes = firstLine + fields.bytes
    for content in contents { bytes += content }
    guard bytes.count <= maximumSize else { throw .tooLarge(limit: maximumSize) }
    return bytes
  }

  private static func isSigned(
    _ signature: [UInt8], _ manifest: [UInt8], by keys: [AsymmetricKey]
  ) throws(PagePackageError) -> Bool {
    for key in keys {
      do throws(CryptographyError) {
        if try key.verifies(signature, of: manifest, with: .ed25519) { return true }
      } catch { throw .cryptography(operation: error.operation) }
    }
    return false
  }
}
