public import Interception

extension Response {
  /// Decodes content that has a value in each line (JSON Lines, NDJSON), while it arrives.
  ///
  /// ```swift
  /// struct Tick: Decodable { let price: Double }
  /// var request = try Request("https://api.example.com/ticks")
  /// request.options.delivery = .streamed
  /// for try await tick in try await pipeline.send(request).decodedLines(as: Tick.self) { print(tick.price) }
  /// ```
  ///
  /// The status and the content type are checked first. The content is read only as fast as values are
  /// consumed, if the request's delivery is `.streamed`; content without a line has no values.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - decoder: The decoder of a line; by default JSON with the type's coding keys.
  ///   - limit: The maximum number of bytes of a line, 1 MiB by default.
  /// - Throws: A ``BodyDecodingError``, which has the response with at most 64 KiB of its body.
  @concurrent public func decodedLines<Value: Decodable & Sendable, Format: BodyDecoder>(
    as type: Value.Type = Value.self, by decoder: Format = JSONCoding(), upTo limit: Int = 1 << 20
  ) async throws(BodyDecodingError) -> DecodedLines<Value> {
    try await check(for: decoder)
    let stream: BodyStream
    switch body {
    case .bytes(let bytes): stream = BodyStream(length: Int64(bytes.count), BufferedByteSource(bytes))
    case .stream(let live): stream = live
    }
    return DecodedLines(stream, limit: limit) { line throws(BodyDecodingError) in
      try decoder.decoded(type, from: line)
    }
  }
}

/// The values of content that has one in each line, as `Response.decodedLines(as:by:upTo:)` returns them.
///
/// Lines end with a line feed, before which a carriage return is ignored; the last one may end with the
/// content. Empty lines have no value. The content can be read once.
public struct DecodedLines<Value: Decodable & Sendable>: AsyncSequence, Sendable {
  private let stream: BodyStream
  private let limit: Int
  private let decode: @Sendable ([UInt8]) throws(BodyDecodingError) -> Value

  init(
    _ stream: BodyStream, limit: Int, decode: @escaping @Sendable ([UInt8]) throws(BodyDecodingError) -> Value
  ) {
    self.stream = stream
    self.limit = limit
    self.decode = decode
  }

  /// Starts to read; if the content already has a reader, the iterator's first call throws.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// An iterator over the values.
  public struct Iterator: AsyncIteratorProtocol {
    private let lines: DecodedLines
    private var splitter: LineSplitter
    private var chunks: BodyStream.Iterator
    private var isOver = false

    fileprivate init(_ lines: DecodedLines) {
      self.lines = lines
      splitter = LineSplitter(limit: lines.limit)
      chunks = lines.stream.makeAsyncIterator()
    }

    /// Returns the next value; nil at the end of the content.
    ///
    /// - Throws: A ``BodyDecodingError`` for a line that is no value or too long, which says its number, and
    ///   for content that could not be read. The sequence ends with it.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(BodyDecodingError) -> Value? {
      guard !isOver else { return nil }
      do throws(BodyDecodingError) {
        if let line = try await line(isolation: actor) { return try value(of: line) }
      } catch {
        isOver = true
        throw error
      }
      isOver = true
      return nil
    }

    private mutating func line(
      isolation actor: isolated (any Actor)?
    ) async throws(BodyDecodingError) -> [UInt8]? {
      while true {
        if let line = try splitter.next() { return line }
        let chunk: [UInt8]?
        do throws(NetworkError) {
          chunk = try await chunks.next(isolation: actor)
        } catch {
          throw BodyDecodingError(
            .unread, "The content could not be read after line \(splitter.number): \(error.reason)",
            response: nil, underlying: error)
        }
        guard let chunk else { return splitter.finish() }
        splitter.append(chunk)
      }
    }

    private func value(of line: [UInt8]) throws(BodyDecodingError) -> Value {
      do throws(BodyDecodingError) {
        return try lines.decode(line)
      } catch {
        throw BodyDecodingError(
          error.kind, field: error.field, "Line \(splitter.number): \(error.reason)", response: nil,
          underlying: error.underlying)
      }
    }
  }
}

/// Divides bytes that arrive in pieces of any size into lines.
struct LineSplitter: Sendable {
  private let limit: Int
  private var input: [UInt8] = []
  private var place = 0
  private var line: [UInt8] = []
  /// The number of the line that was returned last, the first one being 1; empty lines count.
  private(set) var number = 0

  init(limit: Int) { self.limit = limit }

  /// Adds the next bytes; ``next()`` must have returned nil before.
  mutating func append(_ bytes: [UInt8]) { (input, place) = (bytes, 0) }

  /// Returns the next line that is not empty; nil if more bytes are needed.
  mutating func next() throws(BodyDecodingError) -> [UInt8]? {
    while place < input.count {
      let end = input[place...].firstIndex(of: UInt8(ascii: "\n"))
      let piece = input[place..<(end ?? input.count)]
      guard line.count + piece.count <= limit else {
        throw BodyDecodingError(
          .tooLarge(limit: limit),
          "Line \(number + 1) is longer than the \(limit) bytes allowed; raise the limit, or have the server "
            + "send shorter lines.")
      }
      line += piece
      place += piece.count
      guard end != nil else { return nil }
      place += 1
      if let line = finish() { return line }
    }
    return nil
  }

  /// Returns the line that has begun, at the end of the bytes; nil if it is empty.
  mutating func finish() -> [UInt8]? {
    number += 1
    defer { line = [] }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return line.isEmpty ? nil : line
  }
}
