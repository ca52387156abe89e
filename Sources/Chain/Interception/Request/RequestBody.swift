/// The content of a request, and whether it can be sent again.
public struct RequestBody: Sendable {
  /// How often a body can be read.
  package enum Replay: Sendable, Hashable {
    /// Any number of times.
    case any
    /// Once; opening it again fails with ``NetworkError/Kind/bodyNotReplayable`` before a byte is sent.
    case once
  }

  private enum Content: Sendable {
    case nothing
    case bytes([UInt8])
    case file(path: String, range: Range<Int64>)
    case restartable(@Sendable () async throws(NetworkError) -> any ByteSource)
    case once(SingleUse<any ByteSource>)
  }

  private let content: Content
  /// The number of bytes, or nil if it is not known in advance.
  public let length: Int64?

  /// How often the body can be read.
  package var replay: Replay {
    if case .once = content { .once } else { .any }
  }

  /// The content, or nil if it is not in memory.
  public var bytes: [UInt8]? {
    switch content {
    case .nothing: []
    case .bytes(let bytes): bytes
    case .file, .restartable, .once: nil
    }
  }

  /// Whether the content is in memory, without copying it.
  package var isInMemory: Bool {
    switch content {
    case .nothing, .bytes: true
    case .file, .restartable, .once: false
    }
  }

  /// Whether the length is known to be zero.
  package var isEmpty: Bool { length == 0 }

  /// An empty body.
  public static var empty: RequestBody { RequestBody(content: .nothing, length: 0) }

  /// Creates a body from bytes in memory.
  public static func bytes(_ bytes: [UInt8]) -> RequestBody {
    RequestBody(content: .bytes(bytes), length: Int64(bytes.count))
  }

  /// Creates a body from the UTF-8 bytes of a text.
  public static func text(_ text: String) -> RequestBody { .bytes(Array(text.utf8)) }

  /// Creates a body from a file or a range of it; the file is opened anew for each attempt.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest`` if the path contains a null byte or is not that of a
  ///   regular file, or if the range extends beyond the file's end.
  public static func file(_ path: String, range: Range<Int64>? = nil) throws(NetworkError) -> RequestBody {
    let size = try FileByteSource.size(of: path)
    let range = range ?? 0..<size
    guard range.lowerBound >= 0, range.upperBound <= size else {
      throw NetworkError(
        .invalidRequest,
        "The range \(range) extends beyond the \(size) bytes of the file \(path); pass a range within the file."
      )
    }
    return RequestBody(
      content: .file(path: path, range: range), length: Int64(range.count))
  }

  /// Creates a body whose content is produced anew each time it is sent.
  ///
  /// - Parameter length: The number of bytes, or nil if it is not known. A negative length fails with
  ///   ``NetworkError/Kind/invalidRequest`` when the request is validated or sent.
  package static func restartable(
    length: Int64?, _ open: @escaping @Sendable () async throws(NetworkError) -> any ByteSource
  ) -> RequestBody {
    RequestBody(content: .restartable(open), length: length)
  }

  /// Creates a body whose content can be produced only once.
  ///
  /// - Parameter length: The number of bytes, or nil if it is not known. A negative length fails with
  ///   ``NetworkError/Kind/invalidRequest`` when the request is validated or sent.
  package static func once(length: Int64?, _ source: some ByteSource) -> RequestBody {
    RequestBody(content: .once(SingleUse(source)), length: length)
  }

  /// What is wrong with the length, including the remedy; nil if it is valid.
  package var lengthFault: String? {
    guard let length, length < 0 else { return nil }
    return "The body declares a length of \(length) bytes; pass its actual length, or nil if it is not known."
  }

  /// Opens the content for one reader.
  ///
  /// - Throws: ``NetworkError/Kind/bodyNotReplayable`` when a body that can be read only once is opened
  ///   again.
  public func open() async throws(NetworkError) -> any ByteSource {
    switch content {
    case .nothing: return BufferedByteSource([])
    case .bytes(let bytes): return BufferedByteSource(bytes)
    case .file(let path, let range): return try FileByteSource(path: path, range: range)
    case .restartable(let open): return try await open()
    case .once(let source):
      guard let source = source.take() else {
        throw NetworkError(
          .bodyNotReplayable,
          "The body can be read only once and has already been read; make it .bytes, .file or "
            + ".sequence(length:makingEach:).")
      }
      return source
    }
  }

  /// Reads the whole content into memory.
  ///
  /// - Throws: ``NetworkError/Kind/bodyTooLarge(limit:)`` if it is longer than `limit` bytes, or the error of
  ///   opening or reading it.
  public func collect(upTo limit: Int) async throws(NetworkError) -> [UInt8] {
    if let bytes, bytes.count <= limit { return bytes }
    return try await open().collect(upTo: limit, announced: length)
  }

  /// Reads the content in chunks, and cancels its source if reading or the closure fails.
  package func read(_ take: ([UInt8]) throws -> Void) async throws {
    let source = try await open()
    do {
      while let chunk = try await source.read() { try take(chunk) }
    } catch {
      source.cancel()
      throw error
    }
  }
}
