import HTTPTypes
import Interception

/// Decides, without I/O, which request a download sends next and how it handles the response.
struct DownloadPlan: Sendable {
  /// A hash that identifies the downloaded content.
  let identity: UInt64
  /// The number of bytes already downloaded.
  private(set) var offset: Int64
  /// The version of those bytes; nil if they cannot be resumed.
  private(set) var record: DownloadRecord?
  /// The version of the target, if it is the whole content; nil if it is unknown, or no longer matters.
  private(set) var complete: DownloadRecord?

  /// Creates a plan from the unfinished file of an earlier run, and the version of the target.
  init(identity: UInt64, found record: DownloadRecord?, size: Int64, complete: DownloadRecord? = nil) {
    self.identity = identity
    self.complete = complete?.identity == identity ? complete : nil
    if let record, record.identity == identity, size > 0, size <= record.total ?? .max {
      self.record = record
      offset = size
    } else {
      self.record = nil
      offset = 0
    }
  }

  /// Returns a hash of the fields that identify a download (64-bit FNV-1a).
  static func identity(of fields: [String]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    for field in fields {
      // With its length first, a field can't be confused with a part of its neighbors.
      withUnsafeBytes(of: UInt64(field.utf8.count).bigEndian) { $0.forEach(add) }
      field.utf8.forEach(add)
    }
    return hash
  }

  /// Discards the progress, so that the next request is not for a remainder.
  mutating func discardProgress() { (record, offset) = (nil, 0) }

  /// Discards the progress and the target's version, so that the next request is for the whole content.
  mutating func forget() { (record, offset, complete) = (nil, 0, nil) }

  /// Records that the file contains `offset` bytes of a version.
  mutating func advance(to offset: Int64, of record: DownloadRecord?) {
    (self.offset, self.record) = (offset, record)
  }

  /// Returns the request to send: without content coding, streamed, for the remainder only if there is a
  /// part, and only for another version if the target is complete.
  func request(from request: Request) -> Request {
    var copy = request
    copy.options.delivery = .streamed
    copy.options.acceptedCodings = []
    copy.head.headerFields[.acceptEncoding] = "identity"
    if let record {
      copy.head.headerFields[.range] = "bytes=\(offset)-"
      copy.head.headerFields[.ifRange] = record.validator.fieldValue
    }
    switch complete?.validator {
    case .entityTag(let tag): copy.head.headerFields[.ifNoneMatch] = tag
    case .lastModified(let date): copy.head.headerFields[.ifModifiedSince] = date
    case nil: break
    }
    return copy
  }

  /// Returns how to handle a response, from its head and the length of its body.
  func judge(_ head: HTTPResponse, length: Int64?) -> DownloadVerdict {
    if head.status == .ok || head.status == .partialContent,
      let coding = head.headerFields[.contentEncoding], coding.lowercased() != "identity"
    {
      return .refuse(.download(.contentCoded(coding)))
    }
    switch head.status {
    case .ok:
      let record = DownloadValidator(head.headerFields).map {
        DownloadRecord(identity: identity, validator: $0, total: length)
      }
      return .writeAnew(record, total: length)
    case .partialContent: return judgePart(head, length: length)
    case .notModified:
      guard let complete, let length = complete.total else { return .refuse(.download(.status(head))) }
      return complete.validator.isContradicted(by: head.headerFields) ? .askAnew : .unchanged(length: length)
    case .rangeNotSatisfiable where record != nil: return judgeUnsatisfied(head)
    default: return .refuse(.download(.status(head)))
    }
  }

  private func judgePart(_ head: HTTPResponse, length: Int64?) -> DownloadVerdict {
    guard let record else {
      return .refuse(
        NetworkError(
          .protocolViolation,
          "The server sent a part of the file although all of it was requested; check the server.",
          requestMayHaveBeenProcessed: true))
    }
    guard !record.validator.isContradicted(by: head.headerFields),
      case .part(let first, let last, let total)? = head.headerFields[.contentRange].flatMap(
        ContentRange.init),
      first == offset, last < .max, length ?? (last - first + 1) == last - first + 1,
      total == nil || record.total == nil || total == record.total, last < total ?? record.total ?? .max
    else { return .askAnew }
    return .append(upTo: last + 1, total: total ?? record.total)
  }

  private func judgeUnsatisfied(_ head: HTTPResponse) -> DownloadVerdict {
    guard let record, !record.validator.isContradicted(by: head.headerFields),
      case .unsatisfied(let total)? = head.headerFields[.contentRange].flatMap(ContentRange.init),
      total == offset, record.total == nil || record.total == total
    else { return .askAnew }
    return .complete
  }
}

/// How a download handles a response.
enum DownloadVerdict: Sendable {
  /// The response is the whole content: the file is written from the start.
  case writeAnew(DownloadRecord?, total: Int64?)
  /// The response is the next part: it is appended, up to this file length.
  case append(upTo: Int64, total: Int64?)
  /// The unfinished file is already the whole content.
  case complete
  /// The target is already the whole content, of this length.
  case unchanged(length: Int64)
  /// The server can neither resume the unfinished file nor confirm the target: the whole content is
  /// requested.
  case askAnew
  /// The download cannot continue.
  case refuse(NetworkError)
}

/// The value of a `Content-Range` field with the unit bytes (RFC 9110, section 14.4).
enum ContentRange: Sendable, Hashable {
  /// A part from `first` to `last`, inclusive; `total` is nil if the server doesn't know it.
  case part(first: Int64, last: Int64, total: Int64?)
  /// The requested range does not exist; the content has `total` bytes.
  case unsatisfied(total: Int64)

  /// Parses a field value; returns nil if it violates the grammar or contradicts itself.
  init?(_ text: String) {
    let words = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
    guard words.count == 2, String(words[0])?.lowercased() == "bytes" else { return nil }
    let halves = words[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let total = Self.number(halves[1])
    if Self.isStar(halves[0]) {
      guard let total else { return nil }
      self = .unsatisfied(total: total)
      return
    }
    guard total != nil || Self.isStar(halves[1]) else { return nil }
    let ends = halves[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
      first <= last, last < total ?? .max
    else { return nil }
    self = .part(first: first, last: last, total: total)
  }

  private static func isStar(_ bytes: Substring.UTF8View) -> Bool { bytes.elementsEqual([UInt8(ascii: "*")]) }

  private static func number(_ bytes: Substring.UTF8View) -> Int64? {
    guard !bytes.isEmpty, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(String(decoding: bytes, as: UTF8.self))
  }
}
