/// A request of a browser to the page's server.
struct PageRequest: Sendable, Equatable {
  let method: String
  /// The path and query, as they were sent.
  let target: String
  /// The fields in lower case, in order.
  let fields: [Field]
  /// The content.
  var body: [UInt8] = []

  /// A header field, its name in lower case.
  struct Field: Sendable, Equatable {
    let name: String
    let value: String
  }

  /// Returns the value of a field; nil if it is absent or repeated.
  func value(of name: String) -> String? {
    let values = fields.filter { $0.name == name }
    return values.count == 1 ? values[0].value : nil
  }

  /// Whether a field is present.
  func has(_ name: String) -> Bool { fields.contains { $0.name == name } }

  /// Whether the connection ends with the response.
  var closes: Bool { value(of: "connection")?.lowercased().contains("close") == true }
}

/// Reads requests of HTTP/1.1 (RFC 9112) from bytes: a state machine with limits, which accepts only what
/// browsers send.
struct PageRequestParser: Sendable {
  /// The maximum length of a head.
  static let headLimit = 16 << 10
  /// The maximum length of a body: that of a paused response, and what its edit takes besides it.
  static let bodyLimit = 1 << 20

  /// What the bytes so far amount to.
  enum Progress: Sendable, Equatable {
    /// More bytes are needed.
    case incomplete
    case complete(PageRequest)
    /// The bytes are no request; the status to respond with before the connection is closed.
    case refused(Int)
  }

  private var bytes: [UInt8] = []
  /// The number of bytes in which no head ends, so that a head that arrives in pieces is searched once.
  private var searchedCount = 0
  /// The request whose body is being read, and the number of its bytes that are missing.
  private var pending: (request: PageRequest, missing: Int)?

  /// Whether a part of a request has been read.
  var isWithinRequest: Bool { !bytes.isEmpty || pending != nil }

  /// Adds bytes of the connection.
  mutating func append(_ more: some Collection<UInt8>) { bytes += more }

  /// Returns the next request, if it is complete.
  mutating func next() -> Progress {
    if pending == nil {
      // Some clients send an empty line after a body (RFC 9112, section 2.2).
      if bytes.starts(with: [0x0D, 0x0A]) { bytes.removeFirst(2) }
      guard let end = headEnd else {
        searchedCount = bytes.count
        return bytes.count > Self.headLimit ? .refused(431) : .incomplete
      }
      guard end <= Self.headLimit else { return .refused(431) }
      searchedCount = 0
      let head = Array(bytes[..<end])
      bytes.removeFirst(end)
      switch Self.parse(head) {
      case .failure(let refusal): return .refused(refusal.status)
      case .success(let parsed): pending = parsed
      }
    }
    guard let missing = pending?.missing else { return .incomplete }
    let taken = min(missing, bytes.count)
    // In place, so that a body that arrives in pieces is not copied for each of them.
    pending?.request.body += bytes.prefix(taken)
    pending?.missing -= taken
    bytes.removeFirst(taken)
    guard taken == missing, let request = pending?.request else { return .incomplete }
    pending = nil
    return .complete(request)
  }

  /// The index behind the empty line that ends the head.
  private var headEnd: Int? {
    let searched = bytes.prefix(Self.headLimit + 4)
    var index = max(3, searchedCount - 3)
    while index < searched.count {
      if searched[index] == 0x0A, searched[index - 1] == 0x0D, searched[index - 2] == 0x0A,
        searched[index - 3] == 0x0D
      {
        return index + 1
      }
      index += 1
    }
    return nil
  }

  private struct Refusal: Error {
    let status: Int
  }

  private static func parse(_ head: [UInt8]) -> Result<(PageRequest, Int), Refusal> {
    do {
      return .success(try parsed(head))
    } catch {
      return .failure(error)
    }
  }

  private static func parsed(_ head: [UInt8]) throws(Refusal) -> (PageRequest, Int) {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for index in head.indices where head[index] == 0x0A {
      guard index > 0, head[index - 1] == 0x0D else { throw Refusal(status: 400) }
      lines.append(head[start..<index - 1])
      start = index + 1
    }
    // No other control character is legal in a head, a line break without its partner least of all.
    guard lines.allSatisfy({ $0.allSatisfy { $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F } }) else {
      throw Refusal(status: 400)
    }
    let words = lines[0].split(separator: 0x20, omittingEmptySubsequences: false)
    guard words.count == 3, words.allSatisfy({ !$0.isEmpty }) else { throw Refusal(status: 400) }
    let version = String(decoding: words[2], as: UTF8.self)
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else { throw Refusal(status: 505) }
    var fields = try lines.dropFirst().dropLast().map(field)
    if version == "HTTP/1.0" { fields.append(PageRequest.Field(name: "connection", value: "close")) }
    let request = PageRequest(
      method: String(decoding: words[0], as: UTF8.self), target: String(decoding: words[1], as: UTF8.self),
      fields: fields)
    return (request, try bodyLength(of: request))
  }

  private static func field(_ line: ArraySlice<UInt8>) throws(Refusal) -> PageRequest.Field {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(isNameByte)
    else { throw Refusal(status: 400) }
    var value = line[(colon + 1)...]
    while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
    while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
    return PageRequest.Field(
      name: String(decoding: line[..<colon], as: UTF8.self).lowercased(),
      value: String(decoding: value, as: UTF8.self))
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private static func bodyLength(of request: PageRequest) throws(Refusal) -> Int {
    guard !request.has("transfer-encoding") else { throw Refusal(status: 501) }
    guard request.has("content-length") else { return 0 }
    guard let text = request.value(of: "content-length"), !text.isEmpty, text.utf8.count < 10,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text)
    else { throw Refusal(status: 400) }
    guard length <= bodyLimit else { throw Refusal(status: 413) }
    return length
  }
}
