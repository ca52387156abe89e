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

  /// Creates a plan from the unfinished file of an earlier run.
  init(identity: UInt64, found record: DownloadRecord?, size: Int64) {
    self.identity = identity
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

  /// Discards the progress, so that the next request is for the whole content.
  mutating func forget() { (record, offset) = (nil, 0) }

  /// Records that the file contains `offset` bytes of a version.
  mutating func advance(to offset: Int64, of record: DownloadRecord?) {
    (self.offset, self.record) = (offset, record)
  }

  /// Returns the request to send: without content coding, streamed, and for the remainder only if there is a
  /// part.
  func request(from request: Request) -> Request {
    var copy = request
    copy.options.delivery = .streamed
    copy.options.acceptedCodings = []
    copy.head.headerFields[.acceptEncoding] = "identity"
    if let record {
      copy.head.headerFields[.range] = "bytes=\(offset)-"
      copy.head.headerFields[.ifRange] = record.validator.fieldValue
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
