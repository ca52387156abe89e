#if SQLite
import Interception

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The files with the bodies that are too large for the database, each with a random name.
struct BodyFiles: Sendable {
  private static let temporarySuffix = ".part"
  private static let chunkSize = 64 << 10

  let folder: String

  /// Creates the folder, unless it exists.
  func createFolder() { mkdir(folder, 0o700) }

  /// The error of a file that can't be written.
  struct Failure: Error {
    let kind: DiskFault.Kind
    let code: CInt
  }

  /// Writes a body to a new file, and returns its name, which the file has only once it is complete.
  func create(_ body: [UInt8]) throws(Failure) -> String {
    var random = SystemRandomNumberGenerator()
    let name = RandomIdentifier.next(using: &random)
    let (path, temporary) = (path(of: name), path(of: name) + Self.temporarySuffix)
    var descriptor = Self.openNew(temporary)
    if descriptor < 0, errno == ENOENT {
      // The folder may have been deleted, but not the database beside it.
      createFolder()
      descriptor = Self.openNew(temporary)
    }
    guard descriptor >= 0 else { throw Self.failure(errno) }
    var code = Self.fill(descriptor, with: body)
    close(descriptor)
    if code == 0, rename(temporary, path) != 0 { code = errno }
    guard code == 0 else {
      unlink(temporary)
      throw Self.failure(code)
    }
    return name
  }

  private static func openNew(_ path: String) -> CInt {
    open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }

  /// Reads a body of `count` bytes; nil if the file is missing or has another size.
  func body(_ name: String, count: Int) -> [UInt8]? {
    guard let descriptor = descriptor(of: name, count: count) else { return nil }
    defer { close(descriptor) }
    let body = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let memory = UnsafeMutableRawBufferPointer(buffer)
      while filled < count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: memory[filled..<count])
        let size = Self.uninterrupted { read(descriptor, rest.baseAddress, rest.count) }
        guard size > 0 else { return }
        filled += size
      }
    }
    return body.count == count ? body : nil
  }

  /// Reads all bytes of a body in chunks of 64 KiB; false if the file is missing or has another size.
  func readChunks(of name: String, count: Int, _ consume: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard let descriptor = descriptor(of: name, count: count) else { return false }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(byteCount: Self.chunkSize, alignment: 8) { chunk in
      var total = 0
      while total < count {
        let size = Self.uninterrupted { read(descriptor, chunk.baseAddress, chunk.count) }
        guard size > 0 else { return false }
        consume(UnsafeRawBufferPointer(rebasing: chunk[..<size]))
        total += size
      }
      return total == count
    }
  }

  /// Returns a source of some bytes of a body; nil if the file is missing.
  func source(of name: String, _ range: Range<Int>) -> (any ByteSource)? {
    guard Self.isName(name) else { return nil }
    return try? FileByteSource(path: path(of: name), range: Int64(range.lowerBound)..<Int64(range.upperBound))
  }

  /// Deletes a file.
  func remove(_ name: String) {
    guard Self.isName(name) else { return }
    unlink(path(of: name))
  }

  /// The names of all files, and deletes those that were never completed.
  func names() -> [String] {
    WholeFile.names(inFolder: folder) { name in
      if !Self.isName(name), name.hasSuffix(Self.temporarySuffix) { unlink(path(of: name)) }
      return Self.isName(name)
    }
  }

  /// Opens a file of `count` bytes for reading; nil if it is missing or has another size.
  private func descriptor(of name: String, count: Int) -> CInt? {
    guard Self.isName(name) else { return nil }
    // Opening a FIFO would block the thread.
    let descriptor = open(path(of: name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, Int64(status.st_size) == Int64(count) else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Whether a text is the name of a file, and not a path into another folder.
  private static func isName(_ text: String) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }

  private func path(of name: String) -> String { folder + "/" + name }

  /// Writes all bytes; returns zero or the error's number.
  private static func fill(_ descriptor: CInt, with body: [UInt8]) -> CInt {
    body.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
        let size = uninterrupted { write(descriptor, rest.baseAddress, rest.count) }
        guard size > 0 else { return size == 0 ? ENOSPC : errno }
        offset += size
      }
      return 0
    }
  }

  private static func uninterrupted(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }

  private static func failure(_ code: CInt) -> Failure {
    let kind: DiskFault.Kind =
      switch code {
      case ENOSPC, EDQUOT, EFBIG: .full
      case EACCES, EPERM, EROFS: .notWritable
      case ENOENT, ENOTDIR: .deleted
      default: .unusable
      }
    return Failure(kind: kind, code: code)
  }
}
#endif
