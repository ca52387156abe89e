import HTTPTypes
import Interception

/// Decides, without I/O, which request a download sends next and how it handles the response.
struct DownloadPlan: Sendable {
  /// A hash that identifies the downloaded content.
  let identity: UInt64
  /// The digest of the owner, on whose behalf the content is downloaded; nil without one.
  let owner: String?
  /// The number of bytes already downloaded.
  private(set) var offset: Int64
  /// The version of those bytes; nil if they cannot be resumed.
  private(set) var record: DownloadRecord?
  /// The digests that the server has sent of the version that is downloaded.
  private(set) var digests: [FileDigest] = []
  /// The version of the target, if it is the whole content; nil if it is unknown, or no longer matters.
  private(set) var complete: DownloadRecord?
  /// How the file is divided, if its server serves ranges.
  let division: PartDivision
  private var mayDivide = true

  /// Creates a plan from the unfinished file of an earlier run, and the version of the target.
  init(
    identity: UInt64, owner: String? = nil, found record: DownloadRecord?, size: Int64,
    complete: DownloadRecord? = nil, division: PartDivision = PartDivision()
  ) {
    func isOwn(_ record: DownloadRecord) -> Bool { record.identity == identity && record.owner == owner }
    self.identity = identity
    self.owner = owner
    self.complete = complete.flatMap { isOwn($0) ? $0 : nil }
    self.division = division
    let found = record?.parts?.downloaded ?? size
    if let record, isOwn(record), found > 0, size <= record.total ?? .max,
      size >= record.parts?.minimumSize ?? 0
    {
      self.record = record
      digests = record.digests
      offset = found
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
  mutating func discardProgress() { (record, offset, digests) = (nil, 0, []) }

  /// Discards the progress and the target's version.
  mutating func forget() {
    discardProgress()
    complete = nil
  }

  /// Discards the progress and the target's version, so that the next request is for the whole content, in
  /// one response.
  mutating func requestWhole() {
    forget()
    mayDivide = false
  }

  /// Records that the file contains `offset` bytes of a version.
  mutating func advance(to offset: Int64, of record: DownloadRecord?) {
    (self.offset, self.record) = (offset, record)
  }

  /// Records the bytes of each part that the file contains.
  mutating func advance(to parts: DownloadParts) {
    record?.parts = parts
    offset = parts.downloaded
  }

  /// Records the digests that the server has sent of the version.
  mutating func note(_ digests: [FileDigest]) { self.digests = digests }

  /// Whether the next request is for the first part of a file that may have several.
  private var requestsFirstPart: Bool { record == nil && mayDivide && division.count > 1 }

  /// The missing bytes of the first incomplete part; nil if the file has no parts, or all are complete.
  private var missingPart: Range<Int64>? {
    record?.parts.flatMap { parts in parts.firstIncomplete.map { parts.list[$0].missing } }
  }

  /// Returns a request whose response is streamed as it is sent, if possible without a content coding.
  static func base(of request: Request) -> Request {
    var copy = request
    copy.options.delivery = .streamed
    copy.head.headerFields[.acceptEncoding] = "identity"
    return copy
  }

  /// Returns the request to send: for the remainder or a part only if the version is unchanged, and only for
  /// another version if the target is complete.
  func request(from request: Request) -> Request {
    var copy = Self.base(of: request)
    if let record {
      copy.head.headerFields[.range] = missingPart?.rangeText ?? "bytes=\(offset)-"
      copy.head.headerFields[text: .ifRange] = record.validator.fieldValue
    } else if requestsFirstPart {
      copy.head.headerFields[.range] = (0..<division.firstLength).rangeText
    }
    switch complete?.validator {
    case .entityTag(let tag): copy.head.headerFields[text: .ifNoneMatch] = tag
    case .lastModified(let date): copy.head.headerFields[.ifModifiedSince] = date
    case nil: break
    }
    return copy
  }

  /// Returns how to handle a response, from its head and the length of its body.
  ///
  /// - Parameter decoded: The coding that the dispatcher has decoded; nil if the content is as it was sent.
  func judge(_ head: HTTPResponse, length: Int64?, decoded: ContentCoding? = nil) -> DownloadVerdict {
    if let error = Self.refusal(of: head, decoded: decoded) { return .refuse(error) }
    switch head.status {
    case .ok:
      // A remainder of decoded content can't be requested.
      let record = decoded == nil ? record(of: head, total: length) : nil
      return .writeAnew(record, total: length)
    case .partialContent:
      return requestsFirstPart
        ? judgeFirstPart(head, length: length) : judgePart(head, length: length)
    case .rangeNotSatisfiable where requestsFirstPart: return .askAnew
    case .notModified:
      guard let complete, let length = complete.total else { return .refuse(.download(.status(head))) }
      return complete.validator.isContradicted(by: head.headerFields) ? .askAnew : .unchanged(length: length)
    case .rangeNotSatisfiable where record != nil: return judgeUnsatisfied(head)
    default: return .refuse(.download(.status(head)))
    }
  }

  /// Returns the error for a part that the dispatcher decoded, or whose place is ambiguous; nil for any other
  /// response.
  static func refusal(of head: HTTPResponse, decoded: ContentCoding?) -> NetworkError? {
    if head.status == .partialContent, let decoded { return .download(.contentCoded(decoded.name)) }
    do throws(RepeatedFieldError) {
      _ = try head.headerFields.single(.contentRange)
      return nil
    } catch {
      return .downloadContradiction(error)
    }
  }

  /// Returns the version of a response's content; nil if the server states none that is strong.
  private func record(of head: HTTPResponse, total: Int64?) -> DownloadRecord? {
    DownloadValidator(head.headerFields).map {
      DownloadRecord(
        identity: identity, owner: owner, validator: $0, total: total,
        codings: head.headerFields.contentCodings)
    }
  }

  /// Without a strong validator or the total length, the whole content is requested in one response.
  private func judgeFirstPart(_ head: HTTPResponse, length: Int64?) -> DownloadVerdict {
    guard
      case .part(0, let last, let total?)? = ContentRange(in: head.headerFields),
      last < division.firstLength, length ?? (last + 1) == last + 1
    else { return .askAnew }
    var record = record(of: head, total: total)
    guard last + 1 < total else { return .writeAnew(record, total: total) }
    record?.parts = DownloadParts(first: last + 1, of: total, by: division)
    return record.map { .writeParts($0, upTo: last + 1) } ?? .askAnew
  }

  private func judgePart(_ head: HTTPResponse, length: Int64?) -> DownloadVerdict {
    if let record, let missingPart {
      return switch PartPlan.judge(head, length: length, missing: missingPart, of: record) {
      case .content(let end): .resumeParts(upTo: end)
      case .replaced: .askAnew
      case .refuse(let error): .refuse(error)
      }
    }
    guard let record else {
      return .refuse(
        NetworkError(
          .protocolViolation,
          "The server sent a part of the file although all of it was requested; check the server.",
          requestMayHaveBeenProcessed: true))
    }
    guard case .part(let first, let last, let total)? = ContentRange(in: head.headerFields),
      record.isConfirmed(by: head.headerFields, total: total),
      first == offset, last < .max, length ?? (last - first + 1) == last - first + 1,
      last < total ?? record.total ?? .max
    else { return .askAnew }
    return .append(upTo: last + 1, total: total ?? record.total)
  }

  private func judgeUnsatisfied(_ head: HTTPResponse) -> DownloadVerdict {
    guard let record, case .unsatisfied(let total)? = ContentRange(in: head.headerFields), total == offset,
      record.isConfirmed(by: head.headerFields, total: total)
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
  /// The response is the first part, up to this offset, of a file that is written from the start.
  case writeParts(DownloadRecord, upTo: Int64)
  /// The response is the first missing part, up to this offset.
  case resumeParts(upTo: Int64)
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
