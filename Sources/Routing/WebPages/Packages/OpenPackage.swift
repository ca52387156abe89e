import Cryptography
import Interception
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A package on disk or in memory that stays open, so that a later version that replaces it changes no answer
/// that has begun.
package final class OpenPackage: Sendable {
  /// What the bytes of a package are read from.
  private enum Content {
    case file(descriptor: CInt, path: String)
    case memory([UInt8])
  }

  let archive: PageArchive
  private let content: Content

  var version: Int { archive.manifest.version }

  /// Opens a package and verifies its signature and its length; returns nil if there is none.
  static func at(
    _ path: String, site: String, trusting keys: [AsymmetricKey]
  ) throws(PagePackageError) -> OpenPackage? {
    guard path.isWholeInC else { throw .file(path: path, reason: "its path contains a null byte") }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      let code = errno
      if code == ENOENT { return nil }
      let finding = FileStatus(at: path)?.finding(for: .reading)
      throw .file(path: path, reason: finding.map { "\($0)" } ?? WholeFileFault(code: code).reason)
    }
    do throws(PagePackageError) {
      return try OpenPackage(descriptor, path, site, keys)
    } catch {
      close(descriptor)
      throw error
    }
  }

  private init(
    _ descriptor: CInt, _ path: String, _ site: String, _ keys: [AsymmetricKey]
  ) throws(PagePackageError) {
    if let finding = FileStatus(ofDescriptor: descriptor)?.finding(for: .reading) {
      throw .file(path: path, reason: "\(finding)")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .file(path: path, reason: WholeFileFault(code: errno).reason)
    }
    let length = Int64(status.st_size)
    let head = try Self.read(
      descriptor, path, at: 0, count: Int(min(length, Int64(PageArchive.maximumHeadSize))))
    archive = try PageArchive(head[...], length: length, site: site, trusting: keys)
    content = .file(descriptor: descriptor, path: path)
  }

  /// Opens a package in memory, and verifies its signature and all its content.
  init(_ bytes: [UInt8], site: String, trusting keys: [AsymmetricKey]) throws(PagePackageError) {
    archive = try PageArchive(
      bytes.prefix(PageArchive.maximumHeadSize), length: Int64(bytes.count), site: site, trusting: keys)
    content = .memory(bytes)
    try archive.verifyContent(read)
  }

  deinit {
    if case .file(let descriptor, _) = content { close(descriptor) }
  }

  /// Returns the bytes of a block if they have their digest.
  ///
  /// - Throws: ``PagePackageError`` if a block is damaged, or the error of reading.
  func block(_ number: Int, of file: PageArchive.File) throws(PagePackageError) -> [UInt8] {
    try PageArchive.block(number, of: file, read)
  }

  /// Whether all content can be read and has its digests.
  var isIntact: Bool {
    do throws(PagePackageError) {
      try archive.verifyContent(read)
      return true
    } catch {
      return false
    }
  }

  /// Returns the bytes at an offset; fewer if the package ends before.
  private func read(at offset: Int64, count: Int) throws(PagePackageError) -> [UInt8] {
    switch content {
    case .file(let descriptor, let path): try Self.read(descriptor, path, at: offset, count: count)
    case .memory(let bytes): Array(bytes.dropFirst(Int(offset)).prefix(count))
    }
  }

  /// Reads bytes; fewer if the file ends before.
  private static func read(
    _ descriptor: CInt, _ path: String, at offset: Int64, count: Int
  ) throws(PagePackageError) -> [UInt8] {
    var code: CInt = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(offset + Int64(filled)))
        if got < 0, errno == EINTR { continue }
        if got < 0 { code = errno }
        guard got > 0 else { return }
        filled += got
      }
    }
    guard code == 0 else { throw .file(path: path, reason: WholeFileFault(code: code).reason) }
    return bytes
  }
}

/// A range of a packaged file, of which each block is verified before any of its bytes is returned.
final class PageFileSource: ByteSource {
  private let package: OpenPackage
  private let file: PageArchive.File
  private let state: Mutex<Range<Int>?>

  /// Creates a source of a range within the file.
  init(_ package: OpenPackage, _ file: PageArchive.File, range: Range<Int>) {
    self.package = package
    self.file = file
    state = Mutex(range)
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    let rest = state.withLock { $0 }
    guard let rest else { throw NetworkError(.cancelled(.task), "Reading a page's file was cancelled.") }
    guard !rest.isEmpty else { return nil }
    let number = rest.lowerBound / PageManifest.blockSize
    let block = file.range(ofBlock: number)
    let bytes: [UInt8]
    do throws(PagePackageError) { bytes = try package.block(number, of: file) } catch {
      throw NetworkError(.rejected, "\(error)", underlying: error)
    }
    let end = min(rest.upperBound, block.upperBound)
    state.withLock { state in
      if state != nil { state = end..<rest.upperBound }
    }
    let part = (rest.lowerBound - block.lowerBound)..<(end - block.lowerBound)
    return part.count == bytes.count ? bytes : Array(bytes[part])
  }

  func cancel() { state.withLock { $0 = nil } }
}
