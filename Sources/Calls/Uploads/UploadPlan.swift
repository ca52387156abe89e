import HTTPTypes
import Interception

/// Decides, without I/O, which request an upload sends next and what its response means.
struct UploadPlan: Sendable {
  /// A request of an upload.
  enum Step: Sendable, Hashable {
    /// Asks a tus server what it supports.
    case discover
    /// Creates the upload on the server, without content.
    case create
    /// Asks for the position up to which the server has stored the content.
    case locate
    /// Sends a part of the content.
    case append(Range<Int64>, isLast: Bool)
  }

  /// What a response means for the run.
  enum Verdict: Sendable {
    /// The next step follows.
    case proceed
    /// The upload was created: its record is written before the next step.
    case created
    /// The upload is complete.
    case finished
    /// The step failed, but may succeed later.
    case failed(NetworkError)
    /// The upload can't be continued.
    case refused(NetworkError)
    /// The server refused the complete content, so that the upload can't be resumed either.
    case rejected(NetworkError)
  }

  /// How much content of the present upload was handed to the transport.
  struct Sent: Sendable, Hashable {
    /// The farthest position of all requests.
    var farthest: Int64 = 0
    /// The position that the latest request with content reached.
    var latest: Int64 = 0
  }

  /// The maximum number of times that a run begins anew because the server no longer has the upload.
  static let maximumRestarts = 2
  /// The maximum number of times that a run makes its requests smaller.
  private static let maximumRefusedSizes = 24
  /// The size that a 413 to a larger request suggests.
  private static let commonLimit: Int64 = 64 << 20
  /// The size of a request below which a 413 ends the upload.
  private static let smallestRequest: Int64 = 64 << 10

  let resumption: UploadProtocol
  /// The length of the file.
  let length: Int64
  /// The URL of the upload; nil until it is created.
  private(set) var target: UploadTarget?
  /// The number of bytes that the server has confirmed.
  private(set) var offset: Int64 = 0
  /// The time after which the server may remove the upload.
  private(set) var expires: WallTime?
  /// The number of bytes left by earlier runs.
  private(set) var resumedFrom: Int64 = 0
  private var requestLimit: Int64?
  private var limits = UploadLimits()
  private var knowsOffset = false
  private var hasLocated = false
  private var hasDiscovered = false
  /// Whether this run created the upload, so that it knows what was sent.
  private var isOwn = false
  /// Whether the server may have completed the upload without its response having arrived.
  private var mayBeComplete = false
  private var restarts = 0
  /// The number of responses with the status 413.
  private var refusedSizes = 0

  /// Creates a plan from the record of an earlier run, if there is one.
  init(
    _ resumption: UploadProtocol, length: Int64, requestLimit: Int64? = nil, target: UploadTarget? = nil,
    expires: WallTime? = nil
  ) {
    self.resumption = resumption
    self.length = length
    self.requestLimit = requestLimit
    self.target = target
    self.expires = expires
  }

  /// Returns the next request.
  ///
  /// - Throws: ``UploadFault/gone`` if the upload has expired again after it was begun anew.
  mutating func step(now: WallTime) throws(NetworkError) -> Step {
    // What may be complete is not sent again before the server was asked.
    if target != nil, !mayBeComplete, let expires, expires <= now { try beginAnew() }
    if resumption.isTus, !hasDiscovered, target == nil || resumption.checksum != nil { return .discover }
    guard target != nil else { return .create }
    guard knowsOffset else { return .locate }
    let end = offset + min(partLimit, length - offset)
    return .append(offset..<end, isLast: end == length)
  }

  /// The maximum length of the next part.
  private var partLimit: Int64 {
    let maximum = min(requestLimit ?? .max, limits.maximumAppend ?? .max)
    return max(min(max(maximum, limits.minimumAppend ?? 1), limits.maximumAppend ?? .max), 1)
  }

  /// Begins anew after the server said that it no longer has the upload.
  private mutating func takeLoss() -> Verdict {
    do throws(NetworkError) {
      try beginAnew()
      return .proceed
    } catch {
      return .refused(error)
    }
  }

  private mutating func beginAnew() throws(NetworkError) {
    guard restarts < Self.maximumRestarts else { throw .upload(.gone) }
    restarts += 1
    (target, expires, offset, resumedFrom) = (nil, nil, 0, 0)
    (knowsOffset, mayBeComplete) = (false, false)
    limits = UploadLimits()
  }

  /// Records that a request had no response.
  ///
  /// - Parameter mayHaveArrived: Whether the server may have processed it.
  mutating func lose(_ step: Step, sent: Sent, mayHaveArrived: Bool = true) {
    guard case .append(_, let isLast) = step else { return }
    knowsOffset = false
    if isLast, mayHaveArrived, sent.latest >= length { mayBeComplete = true }
  }

  /// Returns what a response means, and records what it says.
  ///
  /// - Parameter base: The URL of the request that was answered, after redirects.
  mutating func take(_ reply: UploadReply, to step: Step, at base: String, sent: Sent) -> Verdict {
    if let repetition = reply.repetition { return .refused(.uploadViolation("sent \(repetition.clause)")) }
    if resumption.isTus, step != .discover, !reply.speaksTus { return .refused(.upload(.unsupportedVersion)) }
    switch step {
    case .discover: return takeDiscovery(reply)
    case .create: return takeCreation(reply, at: base)
    case .locate: return takePosition(reply, sent: sent)
    case .append(let range, let isLast): return takeAppend(reply, of: range, isLast: isLast, sent: sent)
    }
  }

  // MARK: Creation

  private mutating func takeDiscovery(_ reply: UploadReply) -> Verdict {
    let fields = reply.head.headerFields
    if Self.isTransient(reply.code) { return .failed(.upload(.status(reply.head))) }
    hasDiscovered = true
    // A server may leave OPTIONS to other software, and still speak tus.
    let isKnown = reply.isSuccess && fields[upload: .tusVersion] != nil
    if isKnown, !Self.lists(fields[upload: .tusVersion], UploadProtocol.tusVersion) {
      return .refused(.upload(.unsupportedVersion))
    }
    if isKnown, case .value(let maximum) = UploadReply.Number(fields[upload: .tusMaxSize]), length > maximum {
      return .refused(Self.tooLarge(length, maximum))
    }
    if let checksum = resumption.checksum,
      !reply.isSuccess || !Self.lists(fields[upload: .tusChecksumAlgorithm], "\(checksum)")
    {
      return .refused(.upload(.unsupportedChecksum))
    }
    return .proceed
  }

  private mutating func takeCreation(_ reply: UploadReply, at base: String) -> Verdict {
    guard reply.isSuccess else {
      if reply.code == 413 { return .refused(Self.tooLarge(length, reply.limits.maximumSize)) }
      let error = NetworkError.upload(.status(reply.head))
      return Self.isTransient(reply.code) ? .failed(error) : .refused(error)
    }
    do throws(NetworkError) {
      target = try UploadTarget(of: reply.head, to: base)
    } catch {
      return .refused(error)
    }
    switch reply.offset {
    case .missing, .value(0): break
    default: return .refused(.uploadViolation("claims to have content of an upload that was just created"))
    }
    (isOwn, knowsOffset, offset) = (true, true, 0)
    note(reply)
    if let maximum = limits.maximumSize, length > maximum { return .refused(Self.tooLarge(length, maximum)) }
    return resumption.isTus && length == 0 ? .finished : .created
  }

  // MARK: The position

  private mutating func takePosition(_ reply: UploadReply, sent: Sent) -> Verdict {
    guard reply.isSuccess else {
      if isGone(reply) { return mayBeComplete ? .refused(.upload(.completionUnknown)) : takeLoss() }
      let error = NetworkError.upload(.status(reply.head))
      return Self.isTransient(reply.code) || reply.code == 500 ? .failed(error) : .refused(error)
    }
    guard case .value(let position) = reply.offset else {
      return .refused(.uploadViolation("does not say how much of the upload it has"))
    }
    if let fault = positionFault(position, reply, sent: sent) { return .refused(fault) }
    if !isOwn, !hasLocated { resumedFrom = position }
    (offset, knowsOffset, hasLocated, mayBeComplete) = (position, true, true, false)
    note(reply)
    guard reply.isComplete ?? (resumption.isTus && position == length) else { return .proceed }
    return position == length
      ? .finished : .refused(.uploadViolation("completed the upload without all of its content"))
  }

  /// Returns why a position is impossible, or nil if it isn't.
  private func positionFault(_ position: Int64, _ reply: UploadReply, sent: Sent) -> NetworkError? {
    switch reply.length {
    case .missing, .value(length): break
    default: return .uploadViolation("has another length of the file than the announced one")
    }
    // What an earlier run sent last may arrive late, so only the length bounds its upload.
    guard position <= (isOwn ? min(max(sent.farthest, offset), length) : length) else {
      return .uploadViolation("claims to have more of the upload than was sent")
    }
    guard position >= offset else {
      return .uploadViolation("has less of the upload than it had confirmed")
    }
    return nil
  }

  // MARK: A part of the content

  private mutating func takeAppend(
    _ reply: UploadReply, of range: Range<Int64>, isLast: Bool, sent: Sent
  ) -> Verdict {
    knowsOffset = false
    if reply.isComplete == true {
      guard isLast else { return .refused(.uploadViolation("completed the upload before all was sent")) }
      guard reply.isSuccess else { return .rejected(.upload(.status(reply.head))) }
      offset = length
      return .finished
    }
    guard reply.isSuccess else { return takeRefusal(reply, of: range, isLast: isLast, sent: sent) }
    note(reply)
    let position: Int64
    switch reply.offset {
    case .value(let number): position = number
    case .missing where !resumption.isTus: position = isLast ? range.lowerBound : range.upperBound
    default: return .refused(.uploadViolation("does not say how much of the upload it has"))
    }
    guard range.lowerBound...range.upperBound ~= position else {
      return .refused(
        .uploadViolation("claims to have another part of the upload than the one that was sent"))
    }
    offset = position
    if resumption.isTus, position == length { return .finished }
    // The end of the content is confirmed by the draft's Upload-Complete alone.
    guard position == range.upperBound, !isLast else { return .failed(.upload(.incomplete)) }
    knowsOffset = true
    return .proceed
  }

  private mutating func takeRefusal(
    _ reply: UploadReply, of range: Range<Int64>, isLast: Bool, sent: Sent
  ) -> Verdict {
    let error = NetworkError.upload(.status(reply.head))
    if reply.code >= 500, isLast, sent.latest >= length { mayBeComplete = true }
    switch reply.code {
    case _ where isGone(reply): return takeLoss()
    case _ where reply.problem == .inconsistentLength: return .refused(error)
    // The position tells next what the server has stored.
    case _ where reply.problem != nil, 409, 500: return .failed(error)
    case 413: return shrink(below: range, reply)
    case 460 where resumption.isTus: return .failed(.upload(.checksumMismatch))
    default: return Self.isTransient(reply.code) ? .failed(error) : .refused(error)
    }
  }

  /// Halves the requests after the server found one too large.
  private mutating func shrink(below range: Range<Int64>, _ reply: UploadReply) -> Verdict {
    let count = range.upperBound - range.lowerBound
    refusedSizes += 1
    if reply.limits != UploadLimits() { limits = reply.limits }
    let isNamed = limits.maximumAppend.map { $0 < count } ?? false
    if isNamed, refusedSizes < Self.maximumRefusedSizes { return .proceed }
    guard refusedSizes < Self.maximumRefusedSizes, count > Self.smallestRequest,
      count > limits.minimumAppend ?? 0
    else {
      return .refused(
        .upload(
          .tooLarge,
          "The server refuses even requests with \(count) bytes of content; ask for a higher limit."
        ))
    }
    requestLimit = min(count / 2, Self.commonLimit)
    return .proceed
  }

  // MARK: What responses have in common

  private mutating func note(_ reply: UploadReply) {
    if let time = reply.expires { expires = time }
    if reply.limits != UploadLimits() { limits = reply.limits }
  }

  /// Whether the server no longer has the upload; tus has 403 for it, too.
  private func isGone(_ reply: UploadReply) -> Bool {
    switch reply.code {
    case 404, 410: reply.problem == nil
    case 403: resumption.isTus && reply.offset == .missing
    default: false
    }
  }

  private static func isTransient(_ code: Int) -> Bool { [408, 423, 429, 502, 503, 504].contains(code) }

  /// Whether a comma-separated list has an element.
  private static func lists(_ list: String?, _ element: String) -> Bool {
    FieldList.members(of: list ?? "").contains { $0 == element }
  }

  private static func tooLarge(_ length: Int64, _ maximum: Int64?) -> NetworkError {
    guard let maximum else { return .upload(.tooLarge) }
    return .upload(
      .tooLarge,
      "The file has \(length) bytes, and the server accepts at most \(maximum); ask for a higher limit.")
  }
}
