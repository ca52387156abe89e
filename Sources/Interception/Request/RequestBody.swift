/// A request's content, which says how often it can be sent.
public struct RequestBody: Sendable {
  /// How often a body can be read.
  public enum Replay: Sendable, Hashable {
    /// As often as needed.
    case any
    /// Once; a second claim fails with ``NetworkError/Kind/bodyNotReplayable`` before a byte is sent.
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
  /// The number of bytes, where it is known beforehand.
  public let length: Int64?

  /// How often the body can be read.
  public var replay: Replay {
    if case .once = content { .once } else { .any }
  }

  /// The content, where it is in memory.
  public var bytes: [UInt8]? {
    switch content {
    case .nothing: []
    case .bytes(let bytes): bytes
    case .file, .restartable, .once: nil
    }
  }

  /// Whether there is no content at all.
  public var isEmpty: Bool { length == 0 }

  /// No content.
  public static var empty: RequestBody { RequestBody(content: .nothing, length: 0) }

  /// Content in memory.
  public static func bytes(_ bytes: [UInt8]) -> RequestBody {
    RequestBody(content: .bytes(bytes), length: Int64(bytes.count))
  }

  /// The UTF-8 bytes of a text.
  public static func text(_ text: String) -> RequestBody { .bytes(Array(text.utf8)) }

  /// A file's content, or a part of it; the file is opened anew for each attempt.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest`` when the path holds a zero byte, there is no such regular
  ///   file, or the range reaches beyond its end.
  public static func file(_ path: String, range: Range<Int64>? = nil) throws(NetworkError) -> RequestBody {
    let size = try FileByteSource.size(of: path)
    let range = range ?? 0..<size
    guard range.lowerBound >= 0, range.upperBound <= size else {
      throw NetworkError(
        .invalidRequest,
        "The range \(range) reaches beyond the \(size) bytes of the file \(path); ask for less of it.")
    }
    return RequestBody(
      content: .file(path: path, range: range), length: Int64(range.count))
  }

  /// Content that is produced anew whenever it is sent.
  ///
  /// - Parameter length: The number of bytes, or nil where it is not known. A negative one is refused with
  ///   ``NetworkError/Kind/invalidRequest`` where the request is validated or sent.
  public static func restartable(
    length: Int64?, _ open: @escaping @Sendable () async throws(NetworkError) -> any ByteSource
  ) -> RequestBody {
    RequestBody(content: .restartable(open), length: length)
  }

  /// Content that can be produced only once.
  ///
  /// - Parameter length: The number of bytes, or nil where it is not known. A negative one is refused with
  ///   ``NetworkError/Kind/invalidRequest`` where the request is validated or sent.
  public static func once(length: Int64?, _ source: some ByteSource) -> RequestBody {
    RequestBody(content: .once(SingleUse(source)), length: length)
  }

  /// What is wrong with the stated length, with the remedy; nil where it can be sent.
  package var lengthFault: String? {
    guard let length, length < 0 else { return nil }
    return "The body states a length of \(length) bytes; state its real length, or nil where it is not known."
  }

  /// Opens the content for one reading.
  ///
  /// - Throws: ``NetworkError/Kind/bodyNotReplayable`` at the second opening of a body that can be read once.
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
          "The body can be read once and was read before; make it .bytes, .file or .restartable.")
      }
      return source
    }
  }

  /// Reads the whole content into memory.
  ///
  /// - Throws: ``NetworkError/Kind/bodyTooLarge(limit:)`` when it is longer than `limit` bytes.
  public func collect(upTo limit: Int) async throws(NetworkError) -> [UInt8] {
    if let bytes, bytes.count <= limit { return bytes }
    return try await open().collect(upTo: limit, announced: length)
  }
}
