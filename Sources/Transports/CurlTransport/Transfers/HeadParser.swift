import HTTPTypes
import Interception

/// Parses the heads and trailers of a response line by line, as libcurl delivers them.
///
/// It is as lenient as RFC 9112, section 5, permits: folded lines are joined by a space, lines that are no
/// field are skipped. It is strict about size.
struct HeadParser {
  /// What a line completed.
  enum Event: Equatable {
    /// Nothing yet, or a head of the 1xx class.
    case none
    case head(HTTPResponse)
    /// The size or the number of folded lines exceeded its limit.
    case tooLarge
    /// The first line is no status line.
    case malformed
    /// A head of status 101, although no upgrade was requested.
    case unrequestedUpgrade

    /// The fault, as the rest of a sentence that begins with the origin; nil if there is none.
    var fault: String? {
      switch self {
      case .none, .head: nil
      case .tooLarge:
        "sent more than \(HeadParser.limit) bytes of header fields, or folded them \(HeadParser.maximumFolds) times; "
          + "the server must send fewer or shorter ones."
      case .malformed: "began its answer with a line that is no HTTP status line."
      case .unrequestedUpgrade:
        "answered with status 101 (Switching Protocols), which the request did not ask for; check the server, and any "
          + "proxy before it."
      }
    }
  }

  private enum Stage {
    case statusLine
    case fields
    case trailers
  }

  /// The maximum size of all heads and trailers of one response together.
  static let limit = 256 << 10
  /// The maximum number of folded lines: each copies its field's value, and 65,000 took minutes.
  static let maximumFolds = 256

  /// Whether 101 ends the head, because an upgrade was requested.
  private let acceptsUpgrade: Bool
  private var stage = Stage.statusLine
  private var status = HTTPResponse.Status(code: 200)
  private var fields = HTTPFields()
  private var size = 0
  private var folds = 0
  private var lengths = 0
  private var isCoded = false
  private var isOnlyChunked = true
  private(set) var version = TransportReport.HTTPVersion.http1
  /// The head's `Content-Length`, if it is one number.
  private(set) var contentLength: Int64?
  private(set) var hasContentCoding = false
  /// Whether the head has an `Alt-Svc` field.
  private(set) var hasAlternatives = false

  init(acceptsUpgrade: Bool = false) { self.acceptsUpgrade = acceptsUpgrade }

  var statusCode: Int { status.code }

  /// Whether the head states the end of its body in at most one way, a length or chunks, so that
  /// ``AnswerFraming`` need not check.
  var isPlainlyFramed: Bool {
    isOnlyChunked && (lengths == 0 || (lengths == 1 && contentLength != nil && !isCoded))
  }

  var isFresh: Bool { size == 0 }

  var trailers: HTTPFields? { stage == .trailers && !fields.isEmpty ? fields : nil }

  /// Parses one line, including its line break.
  mutating func consume(_ line: Span<UInt8>) -> Event {
    size += line.count
    guard size <= Self.limit else { return .tooLarge }
    let line = line.extracting(first: Self.lengthWithoutBreak(of: line))
    switch stage {
    case .statusLine:
      guard parseStatusLine(line) else { return .malformed }
      stage = .fields
    case .fields where line.isEmpty:
      let head = HTTPResponse(status: status, headerFields: fields)
      fields = HTTPFields()
      guard status.code != 101 || acceptsUpgrade else { return .unrequestedUpgrade }
      guard (100..<200).contains(status.code), status.code != 101 else {
        stage = .trailers
        return .head(head)
      }
      stage = .statusLine
      (lengths, isCoded, isOnlyChunked, contentLength) = (0, false, true, nil)
      (hasContentCoding, hasAlternatives) = (false, false)
    case .fields, .trailers:
      if !line.isEmpty, Self.isBlank(line[0]) { folds += 1 }
      guard folds <= Self.maximumFolds else { return .tooLarge }
      appendField(line)
    }
    return .none
  }

  private mutating func appendField(_ line: Span<UInt8>) {
    guard !line.isEmpty else { return }
    if Self.isBlank(line[0]) {
      guard let field = fields.last else { return }
      var value = field.bytes
      value.append(0x20)
      unsafe Self.withBytes(of: line, from: 0) { unsafe value.append(contentsOf: $0) }
      fields[fields.endIndex - 1] = HTTPField(name: field.name, value: value)
      // A folded number is not one number, and a folded coding not chunked alone.
      if field.name == .contentLength { contentLength = nil }
      if field.name == .transferEncoding { isOnlyChunked = false }
      return
    }
    guard let colon = line.indices.first(where: { line[$0] == UInt8(ascii: ":") }),
      let name = HTTPField.Name(Self.text(line, from: 0, to: colon))
    else { return }
    // Bytes that are not UTF-8 are kept (RFC 9110, section 5.5).
    let field = unsafe Self.withBytes(of: line, from: colon + 1) { unsafe HTTPField(name: name, value: $0) }
    if fields.isEmpty { fields.reserveCapacity(16) }
    fields.append(field)
    guard stage == .fields else { return }
    switch name {
    case .contentEncoding: hasContentCoding = true
    case .transferEncoding:
      isCoded = true
      // Each line counts, because "chunked" may follow a line with "gzip".
      if !AnswerFraming.isChunked(field.value) { isOnlyChunked = false }
    case .contentLength:
      lengths += 1
      contentLength = lengths == 1 ? AnswerFraming.length(field.value[...]) : nil
    default: if name == .altSvc { hasAlternatives = true }
    }
  }

  /// Reads a line such as `HTTP/1.1 200 OK`, whose reason may be missing; false if it is no status line.
  private mutating func parseStatusLine(_ line: Span<UInt8>) -> Bool {
    let prefix: StaticString = "HTTP/"
    guard line.count >= 10 else { return false }
    for index in 0..<5 where unsafe line[index] != prefix.utf8Start[index] { return false }
    switch line[5] {
    case UInt8(ascii: "1"): version = .http1
    case UInt8(ascii: "2"): version = .http2
    case UInt8(ascii: "3"): version = .http3
    default: return false
    }
    var index = 6
    while index < line.count, !Self.isBlank(line[index]) { index += 1 }
    while index < line.count, Self.isBlank(line[index]) { index += 1 }
    let start = index
    var number = 0
    while index < line.count, !Self.isBlank(line[index]) {
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(line[index])
      guard isDigit, index - start < 3 else { return false }
      number = number * 10 + Int(line[index] - UInt8(ascii: "0"))
      index += 1
    }
    guard index - start == 3, number >= 100 else { return false }
    status = HTTPResponse.Status(code: number, reasonPhrase: Self.text(line, from: index))
    return true
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func lengthWithoutBreak(of line: Span<UInt8>) -> Int {
    var end = line.count
    while end > 0, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
    return end
  }

  /// Returns the text between two offsets without the blanks around it.
  private static func text(_ line: Span<UInt8>, from start: Int, to end: Int? = nil) -> String {
    unsafe withBytes(of: line, from: start, to: end) { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Calls a closure with the bytes between two offsets without the blanks around them.
  private static func withBytes<Result>(
    of line: Span<UInt8>, from start: Int, to end: Int? = nil,
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    var start = start
    var end = end ?? line.count
    while start < end, isBlank(line[start]) { start += 1 }
    while end > start, isBlank(line[end - 1]) { end -= 1 }
    return unsafe line.extracting(start..<max(start, end)).withUnsafeBufferPointer { unsafe body($0) }
  }
}

/// Checks how a response states where its body ends (RFC 9112, section 6.3; RFC 9110, section 8.6).
///
/// libcurl uses the last of several lengths, reads "+5" as 5, waits forever for a length beyond 63 bits, and
/// prefers chunks to a length. An intermediary may read such a response differently and take a part of its
/// body for another response, so it is refused. The same applies to a body in a compression that the
/// request did not accept with `TE` (RFC 9110, section 10.1.4): libcurl before 8 would deliver it undecoded.
enum AnswerFraming {
  /// The fault, as the rest of a sentence that begins with the origin; nil if there is none.
  static func fault(in fields: HTTPFields, hasBody: Bool) -> String? {
    var announced: Substring?
    var isCoded = false
    // In order, because a lookup by name would build the fields' index.
    for field in fields {
      switch field.name {
      case .transferEncoding:
        if hasBody, isCompressed(field.value) {
          return "sent a body in a transfer coding that was not asked for; the server must use chunked alone."
        }
        // Also with an empty list: libcurl ignores the length then, and waits for the end of the connection.
        isCoded = true
      case .contentLength:
        for part in field.value.split(separator: ",", omittingEmptySubsequences: false) {
          let numbers = part.split { $0 == " " || $0 == "\t" }
          guard numbers.count == 1, length(numbers[0]) != nil else { return malformedLength }
          guard announced == nil || announced == numbers[0] else {
            return "sent two different values of Content-Length; the server must send one."
          }
          announced = numbers[0]
        }
      default: continue
      }
    }
    guard hasBody, isCoded, announced != nil else { return nil }
    return "sent both Content-Length and Transfer-Encoding; the server must send one of them."
  }

  /// The fault of a length that is not a decimal number of at most 63 bits.
  static let malformedLength =
    "sent a Content-Length that is not a number of bytes; the server must send digits alone."

  /// Whether the value of `Transfer-Encoding` is the one coding that every response may use.
  static func isChunked(_ value: String) -> Bool { value.lowercased() == "chunked" }

  private static func isCompressed(_ value: String) -> Bool {
    FieldList.members(of: value).contains { part in
      let coding = part.prefix { $0 != ";" }.trimmingWhitespace().lowercased()
      return ["gzip", "x-gzip", "deflate", "compress", "x-compress"].contains(coding)
    }
  }

  /// Reads a length; nil if it is not a decimal number of at most 63 bits.
  static func length(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
  }
}
