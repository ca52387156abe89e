import HTTPTypes

/// What a download asks for, and what it makes of the answer: decisions without input or output.
struct DownloadPlan: Sendable {
  /// A number that stands for what is downloaded.
  let identity: UInt64
  /// How many bytes are there already.
  private(set) var offset: Int64
  /// The version that they are of; nil when they cannot be gone on with.
  private(set) var record: DownloadRecord?

  /// Makes a plan from what an earlier run left.
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

  /// A number made of what tells one download from another one (FNV-1a, 64 bits).
  static func identity(of fields: [String]) -> UInt64 {
    var list = LengthPrefixed()
    for field in fields { list.append(field) }
    return list.bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// Forgets what is there: the next request asks for the whole content.
  mutating func forget() { (record, offset) = (nil, 0) }

  /// Takes note that the file has this many bytes of a version.
  mutating func advance(to offset: Int64, of record: DownloadRecord?) {
    (self.offset, self.record) = (offset, record)
  }

  /// Returns the request to send: uncoded, streamed, and for the rest alone where there is a part already.
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

  /// Judges an answer by its head and the length of its body.
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
          "The server sent a part of the file although the whole was asked for; look at the server.",
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
