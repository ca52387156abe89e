import HTTPTypes
import Interception

/// Reads an answer's heads and trailers line by line, as libcurl hands them over.
///
/// It is lenient where RFC 9112, section 5, lets a client be: folded lines are joined by a space, lines that
/// are no field are passed over. It is strict about size.
struct HeadParser {
  /// What a line completed.
  enum Event: Equatable {
    /// Nothing yet, or a head of the 1xx class.
    case none
    /// The head of the answer.
    case head(HTTPResponse, TransportReport.HTTPVersion)
    /// More bytes, or more folded lines, than allowed.
    case tooLarge
    /// A first line that is no status line.
    case malformed
  }

  private enum Stage {
    case statusLine
    case fields
    case trailers
  }

  /// The most bytes of all heads and trailers of one answer together.
  static let limit = 256 << 10
  /// The most folded lines of one answer: each copies its field's value, and 65,000 took minutes.
  static let mostFolds = 256

  private var stage = Stage.statusLine
  private var status = HTTPResponse.Status(code: 200)
  private var version = TransportReport.HTTPVersion.http1
  private var fields = HTTPFields()
  private var size = 0
  private var folds = 0
  private var lengths = 0
  private var isCoded = false

  private var contentLength: Int64?
  private var hasContentCoding = false

  /// What a head says of the body that follows.
  struct Framing {
    let statusCode: Int
    /// The length that it announces, where it is one number.
    let contentLength: Int64?
    /// Whether it names a content coding.
    let hasContentCoding: Bool
    /// Whether it says in one way at most where the body ends, so that ``AnswerFraming`` need not look.
    let isPlain: Bool
  }

  /// What the head that was read last says of its body.
  var framing: Framing {
    Framing(
      statusCode: status.code, contentLength: contentLength, hasContentCoding: hasContentCoding,
      isPlain: lengths == 0 || (lengths == 1 && contentLength != nil && !isCoded))
  }

  /// Whether it has parsed nothing yet.
  var isFresh: Bool { size == 0 }

  /// The fields after the body.
  var trailers: HTTPFields? { stage == .trailers && !fields.isEmpty ? fields : nil }

  /// Parses one line, including its line break.
  mutating func consume(_ line: Span<UInt8>) -> Event {
    size += line.count
    guard size <= Self.limit else { return .tooLarge }
    let line = line.extracting(first: Self.contentLength(of: line))
    switch stage {
    case .statusLine:
      guard let (version, status) = Self.statusLine(line) else { return .malformed }
      self.version = version
      self.status = status
      stage = .fields
      return .none
    case .fields where line.isEmpty:
      // 101 is the last answer of its kind only after an upgrade, which is never asked for.
      if (100..<200).contains(status.code) {
        stage = .statusLine
        (lengths, isCoded, contentLength, hasContentCoding) = (0, false, nil, false)
        fields = HTTPFields()
        return .none
      }
      stage = .trailers
      let head = HTTPResponse(status: status, headerFields: fields)
      fields = HTTPFields()
      return .head(head, version)
    case .fields, .trailers:
      if !line.isEmpty, Self.isBlank(line[0]) { folds += 1 }
      guard folds <= Self.mostFolds else { return .tooLarge }
      appendField(line)
      return .none
    }
  }

  private mutating func appendField(_ line: Span<UInt8>) {
    guard !line.isEmpty else { return }
    if Self.isBlank(line[0]) {
      guard var field = fields.last else { return }
      field.value = "\(field.value) \(Self.text(line, from: 0))"
      fields[fields.endIndex - 1] = field
      // A number does not go on in another line.
      if field.name == .contentLength { contentLength = nil }
      return
    }
    guard let field = Self.field(line) else { return }
    if fields.isEmpty { fields.reserveCapacity(16) }
    fields.append(field)
    guard stage == .fields else { return }
    switch field.name {
    case .contentEncoding: hasContentCoding = true
    case .transferEncoding: isCoded = true
    case .contentLength:
      lengths += 1
      contentLength = lengths == 1 ? AnswerFraming.length(field.value[...]) : nil
    default: break
    }
  }

  private static func field(_ line: Span<UInt8>) -> HTTPField? {
    guard let colon = line.indices.first(where: { line[$0] == UInt8(ascii: ":") }),
      let name = HTTPField.Name(text(line, from: 0, to: colon))
    else { return nil }
    return HTTPField(name: name, value: text(line, from: colon + 1))
  }

  /// Reads `HTTP/1.1 200 OK`; the reason may be missing.
  private static func statusLine(
    _ line: Span<UInt8>
  ) -> (TransportReport.HTTPVersion, HTTPResponse.Status)? {
    guard line.count >= 10, starts(line, with: "HTTP/") else { return nil }
    let version: TransportReport.HTTPVersion
    switch line[5] {
    case UInt8(ascii: "1"): version = .http1
    case UInt8(ascii: "2"): version = .http2
    case UInt8(ascii: "3"): version = .http3
    default: return nil
    }
    var index = 6
    while index < line.count, !isBlank(line[index]) { index += 1 }
    while index < line.count, isBlank(line[index]) { index += 1 }
    var number = 0
    let start = index
    while index < line.count, !isBlank(line[index]) {
      guard index - start < 3, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(line[index]) else {
        return nil
      }
      number = number * 10 + Int(line[index] - UInt8(ascii: "0"))
      index += 1
    }
    guard index - start == 3, number >= 100 else { return nil }
    return (version, HTTPResponse.Status(code: number, reasonPhrase: text(line, from: index)))
  }

  private static func starts(_ line: Span<UInt8>, with text: StaticString) -> Bool {
    guard line.count >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount where unsafe line[index] != text.utf8Start[index] { return false }
    return true
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func contentLength(of line: Span<UInt8>) -> Int {
    var end = line.count
    while end > 0, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
    return end
  }

  /// Returns the text between two offsets, without blanks around it.
  private static func text(_ line: Span<UInt8>, from start: Int, to end: Int? = nil) -> String {
    var start = start
    var end = end ?? line.count
    while start < end, isBlank(line[start]) { start += 1 }
    while end > start, isBlank(line[end - 1]) { end -= 1 }
    guard start < end else { return "" }
    return unsafe line.extracting(start..<end).withUnsafeBufferPointer {
      unsafe String(decoding: $0, as: UTF8.self)
    }
  }
}
