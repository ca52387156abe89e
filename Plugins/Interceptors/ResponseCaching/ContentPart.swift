import HTTPTypes
import Interception

/// Which bytes of a response's content a 206 has (RFC 9110, section 15.3.7).
struct ContentPart: Sendable, Hashable {
  /// The bytes.
  let bytes: Range<Int>
  /// The length of the whole content.
  let total: Int

  /// Creates a part.
  init(bytes: Range<Int>, total: Int) {
    self.bytes = bytes
    self.total = total
  }

  /// Reads the part of a 206; nil for several parts, an unknown length of the whole, or a `Content-Length`
  /// that is missing or another one than that of the part.
  ///
  /// A part that contradicts itself is not used: which bytes it has can't be told. Content that the
  /// dispatcher decoded has no `Content-Length`.
  init?(_ head: HTTPResponse) {
    guard head.status == .partialContent,
      case .part(let first, let last, let total?)? = head.headerFields[.contentRange].flatMap(
        ContentRange.init),
      let length = head.headerFields.contentLength,
      length == last - first + 1, let end = Int(exactly: last + 1), let total = Int(exactly: total)
    else { return nil }
    self.init(bytes: Int(first)..<end, total: total)
  }

  /// The value of `Content-Range`.
  var fieldValue: String { "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(total)" }

  /// Whether these are all bytes.
  var isComplete: Bool { bytes == 0..<total }

  /// The one range that is missing; nil if there is none, or if there are two.
  var missing: Range<Int>? {
    switch (bytes.lowerBound == 0, bytes.upperBound == total) {
    case (true, false): bytes.upperBound..<total
    case (false, true): 0..<bytes.lowerBound
    case (true, true), (false, false): nil
    }
  }

  /// Whether all bytes of a range are among these.
  func contains(_ range: Range<Int>) -> Bool {
    bytes.lowerBound <= range.lowerBound && range.upperBound <= bytes.upperBound
  }

  /// Returns the part and another one of the same content together; nil if there is a gap between them.
  func joined(with other: ContentPart) -> ContentPart? {
    guard total == other.total, bytes.lowerBound <= other.bytes.upperBound,
      other.bytes.lowerBound <= bytes.upperBound
    else { return nil }
    let (start, end) = (
      min(bytes.lowerBound, other.bytes.lowerBound), max(bytes.upperBound, other.bytes.upperBound)
    )
    return ContentPart(bytes: start..<end, total: total)
  }
}

extension StoredResponse {
  /// Which bytes of the content are stored; nil if their positions are unknown.
  ///
  /// Of a 200 they are known if its `Content-Length` equals the number of bytes: for content that the
  /// dispatcher decoded, the server's positions are unknown.
  var extent: ContentPart? {
    let count = outlyingBody?.count ?? body.count
    guard !isPart else {
      return ContentPart(head).flatMap { $0.bytes.count == count ? $0 : nil }
    }
    guard head.status == .ok, head.headerFields.contentLength == Int64(count) else {
      return nil
    }
    return ContentPart(bytes: 0..<count, total: count)
  }

  /// Returns the head of a range of the response, as a 206 (RFC 9111, section 3.4), and the indices of its
  /// bytes; nil if it isn't stored.
  func excerpt(_ range: ByteRange, age: Duration?) -> (head: HTTPResponse, indices: Range<Int>)? {
    guard let extent, let bytes = range.bounds(in: extent.total), extent.contains(bytes) else { return nil }
    var head = response(age: age).head
    head.status = .partialContent
    head.headerFields[.contentLength] = String(bytes.count)
    head.headerFields[.contentRange] = ContentPart(bytes: bytes, total: extent.total).fieldValue
    let offset = extent.bytes.lowerBound
    return (head, bytes.lowerBound - offset..<bytes.upperBound - offset)
  }

  /// Returns a range of the response; nil if it isn't stored.
  ///
  /// What is left in the store is streamed, and collected only if the request asks for it in memory.
  func part(
    _ range: ByteRange, to request: Request, age: Duration?, exchange: Exchange
  ) async throws(NetworkError) -> Response? {
    guard let (head, indices) = excerpt(range, age: age) else { return nil }
    // Trailers would describe the whole content.
    guard let outlyingBody else {
      return Response(head, body: .bytes(Array(body[indices])), exchange: exchange)
    }
    try CachingInterceptor.checkLength(of: request, count: indices.count)
    guard let source = outlyingBody.source(indices) else { return nil }
    let stream = ResponseBody.stream(BodyStream(length: Int64(indices.count), source))
    guard case .buffered = request.delivery else { return Response(head, body: stream, exchange: exchange) }
    // A file that can't be read after all is a miss.
    guard let collected = try? await stream.collect(upTo: indices.count), collected.count == indices.count
    else { return nil }
    return Response(head, body: .bytes(collected), exchange: exchange)
  }

  /// Returns this response combined with a newer part (RFC 9111, section 3.4); nil if they don't fit.
  ///
  /// Only parts of the same content are combined, as equal strong entity tags say, without a gap. Bytes that
  /// both have must be the same, or the server's tags can't be trusted. The result is a 200 if it is
  /// complete. Fields of the new part replace the stored ones.
  func combined(
    with newer: HTTPResponse, _ bytes: [UInt8], exchange: Exchange, received: WallTime
  ) -> Response? {
    guard let (extent, part) = fitting(newer), part.bytes.count == bytes.count,
      let joined = extent.joined(with: part)
    else { return nil }
    let common = extent.bytes.clamped(to: part.bytes)
    func slice(_ bytes: [UInt8], of part: ContentPart, _ range: Range<Int>) -> ArraySlice<UInt8> {
      bytes[range.lowerBound - part.bytes.lowerBound..<range.upperBound - part.bytes.lowerBound]
    }
    if !common.isEmpty {
      guard slice(body, of: extent, common) == slice(bytes, of: part, common) else { return nil }
    }
    var content: [UInt8] = []
    content.reserveCapacity(joined.bytes.count)
    if part.bytes.lowerBound < extent.bytes.lowerBound {
      content += slice(bytes, of: part, part.bytes.lowerBound..<extent.bytes.lowerBound)
    }
    content += body
    if part.bytes.upperBound > extent.bytes.upperBound {
      content += slice(bytes, of: part, extent.bytes.upperBound..<part.bytes.upperBound)
    }
    return Response(
      combinedHead(with: newer, joined, received: received), body: .bytes(content), exchange: exchange)
  }

  /// Returns the extents of this response and of a part of the same content; nil if it is of another one.
  func fitting(_ newer: HTTPResponse) -> (extent: ContentPart, part: ContentPart)? {
    guard outlyingBody == nil, let extent, let part = ContentPart(newer), extent.total == part.total,
      let validators, let others = Validators(newer.headerFields), validators.areOfSameBytes(as: others)
    else { return nil }
    return (extent, part)
  }

  /// Returns the head of this response with some bytes, updated by that of a newer part.
  func combinedHead(with newer: HTTPResponse, _ part: ContentPart, received: WallTime) -> HTTPResponse {
    var fields = head.headerFields.updated(by: newer.headerFields, received: received)
    fields[.contentLength] = String(part.bytes.count)
    fields[.contentRange] = part.isComplete ? nil : part.fieldValue
    return HTTPResponse(status: part.isComplete ? .ok : .partialContent, headerFields: fields)
  }

  /// Whether the condition of an `If-Range` holds for this response (RFC 9110, section 13.1.5).
  ///
  /// A tag must be the same strong one, and a date exactly that of a response which was not changed in the
  /// minute before it was created (section 8.8.2.2).
  func satisfies(ifRange value: [UInt8]) -> Bool {
    if value.first == UInt8(ascii: "\"") {
      return validators?.areStrong == true && head.headerFields[text: .eTag]?.bytes == value
    }
    guard head.headerFields[text: .lastModified]?.bytes == value,
      let modified = HTTPDate.parse(String(decoding: value, as: UTF8.self)),
      let created = head.headerFields.singleValue(.date).flatMap({ HTTPDate.parse($0) })
    else { return false }
    return modified.duration(to: created) >= .seconds(60)
  }
}
