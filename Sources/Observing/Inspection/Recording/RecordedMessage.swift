import HTTPTypes
import Interception

/// A request as it was sent or called: its head, what is kept of its body, and where it was sent.
struct RecordedRequest: Sendable {
  let head: HTTPRequest
  let body: RecordedBody
  let connectTarget: ConnectTarget?

  /// Keeps a request's head and the beginning of its body; its context and its streams are released.
  init(_ request: Request, keepingUpTo limit: Int) {
    head = request.head
    body = RecordedBody(request.body, keepingUpTo: limit)
    connectTarget = request.connectTarget
  }

  /// The number of bytes that the record takes.
  var byteCount: Int {
    MessageSize.of(head.headerFields) + (head.path?.utf8.count ?? 0) + (head.authority?.utf8.count ?? 0)
      + body.bytes.count
  }
}

/// A response as the dispatcher returned it, or as the caller received it.
struct RecordedResponse: Sendable {
  let head: HTTPResponse
  var body: RecordedBody

  /// Keeps a response's head and the beginning of its body; a stream is kept by its sample when it ends.
  init(_ response: Response, keepingUpTo limit: Int) {
    head = response.head
    body = RecordedBody(response.body, keepingUpTo: limit)
  }

  /// The number of bytes that the record takes.
  var byteCount: Int { MessageSize.of(head.headerFields) + body.bytes.count }
}

/// What is kept of a body: its first bytes, its length, and why there is no more.
struct RecordedBody: Sendable, Equatable {
  /// The whole content, or the beginning of it.
  private(set) var bytes: [UInt8] = []
  /// The length of the whole content; nil if it is unknown.
  private(set) var size: Int64?
  /// Why the content isn't kept; nil if it is.
  private(set) var omission: Omission?

  /// Why a content isn't kept.
  enum Omission: Sendable, Equatable {
    /// It is read from a file or a stream while it is sent.
    case sentFromSource
    /// It is being received.
    case running
    /// It is the stream of another message of the call.
    case sameStream
    /// Its stream failed, after the kept bytes.
    case failed(String)
    /// Its reader released it, after the kept bytes.
    case dropped
  }

  /// Whether the kept bytes are only the beginning of the content.
  var isCut: Bool { size.map { $0 > Int64(bytes.count) } ?? false }

  /// Whether the kept bytes are those of another body, in one place of memory.
  func shares(_ other: RecordedBody) -> Bool {
    !bytes.isEmpty && bytes.count == other.bytes.count
      && bytes.withUnsafeBytes(\.baseAddress) == other.bytes.withUnsafeBytes(\.baseAddress)
  }

  /// Whether the content is a stream that hasn't ended.
  var isRunning: Bool { omission == .running }

  /// Keeps the body of a request; bytes in memory are shared, unless there are more than the limit.
  init(_ body: RequestBody, keepingUpTo limit: Int) {
    size = body.length
    if let content = body.bytes {
      bytes = Self.beginning(of: content, upTo: limit)
    } else {
      omission = .sentFromSource
    }
  }

  /// Keeps the body of a response; bytes in memory are shared, unless there are more than the limit.
  init(_ body: ResponseBody, keepingUpTo limit: Int) {
    size = body.length
    switch body {
    case .bytes(let content): bytes = Self.beginning(of: content, upTo: limit)
    case .stream: omission = .running
    }
  }

  /// Notes that the stream is that of another message.
  mutating func noteSameStream() { omission = .sameStream }

  /// Keeps what was read of the stream.
  mutating func take(_ sample: CallEvent.StreamSample, keepingUpTo limit: Int) {
    bytes = Self.beginning(of: sample.bytes, upTo: limit)
    size = sample.count
    switch sample.ending {
    case .complete: omission = nil
    case .failed(let error): omission = .failed(error.label)
    case .dropped: omission = .dropped
    }
  }

  private static func beginning(of bytes: [UInt8], upTo limit: Int) -> [UInt8] {
    bytes.count <= limit ? bytes : Array(bytes.prefix(limit))
  }
}

/// How many bytes header fields take.
enum MessageSize {
  /// What a field takes besides its name and value.
  private static let fieldOverhead = 48

  static func of(_ fields: HTTPFields) -> Int {
    var size = 0
    // By index, because a field that is held is copied, which takes three times as long.
    for index in fields.indices {
      size += fields[index].name.rawName.utf8.count + fields[index].value.utf8.count + fieldOverhead
    }
    return size
  }
}
