/// The state of a browser's connection: what was read, what is to be written, and when it is closed.
struct PageConnection: Sendable {
  /// How long a connection may do nothing, and how many there may be.
  struct Limits: Sendable {
    var connections = 32
    /// The time without a request, or within one.
    var idle = Duration.seconds(30)
    /// The time in which a browser reads nothing of what is written to it.
    var stall = Duration.seconds(10)
    /// The time between two bytes of a stream of events.
    var heartbeat = Duration.seconds(15)
    /// The time between two events.
    var pause = Duration.milliseconds(100)
  }

  private var parser = PageRequestParser()
  private var output: [UInt8] = []
  private var writtenCount = 0
  private var lastProgress: Duration
  private var closesAfterOutput = false
  /// The number of the last change that the stream of events has told; nil if it isn't one.
  private var toldChange: Int?

  init(at now: Duration) { lastProgress = now }

  /// Whether bytes wait to be written.
  var hasOutput: Bool { writtenCount < output.count }
  /// The bytes that wait to be written.
  var pendingOutput: ArraySlice<UInt8> { output[writtenCount...] }
  var isEventStream: Bool { toldChange != nil }
  /// Whether bytes are read: not before the response to the last request is written.
  var isReading: Bool { isEventStream || !hasOutput && !closesAfterOutput }
  /// Whether everything is written and no request is awaited.
  var isFinished: Bool { closesAfterOutput && !hasOutput }

  /// Takes bytes, and answers the requests that they complete.
  mutating func receive(
    _ bytes: some Collection<UInt8>, at now: Duration, _ answer: (PageRequest) -> PageAnswer
  ) {
    // What a browser sends on a stream of events is ignored.
    guard !isEventStream else { return }
    if !parser.isWithinRequest { lastProgress = now }
    parser.append(bytes)
    answerNext(at: now, answer)
  }

  /// Answers the next request that has been read completely, if the one before has its response.
  private mutating func answerNext(at now: Duration, _ answer: (PageRequest) -> PageAnswer) {
    guard isReading, !isEventStream else { return }
    switch parser.next() {
    case .incomplete: break
    case .refused(let status):
      closesAfterOutput = true
      write(PageAnswer.status(status).bytes(closes: true), at: now)
    case .complete(let request):
      let response = answer(request)
      if response.isEventStream, request.method == "GET" {
        // The first event names the run, also of an app that has recorded nothing.
        toldChange = -1
      } else {
        closesAfterOutput = request.closes || response.closes
      }
      write(response.bytes(hasContent: request.method != "HEAD", closes: closesAfterOutput), at: now)
    }
  }

  /// Notes that bytes were written; then the next request, which has been read, is answered.
  mutating func noteWritten(_ count: Int, at now: Duration, _ answer: (PageRequest) -> PageAnswer) {
    writtenCount += count
    lastProgress = now
    guard !hasOutput else { return }
    (output, writtenCount) = ([], 0)
    answerNext(at: now, answer)
  }

  /// Tells a stream of events the last change, unless it knows it or hasn't read the one before.
  mutating func tell(_ change: Int, _ text: String, at now: Duration) {
    guard let toldChange, toldChange < change, !hasOutput else { return }
    self.toldChange = change
    write(Array("event: change\ndata: \(text)\n\n".utf8), at: now)
  }

  /// Whether a stream of events has to be told a change.
  func awaits(_ change: Int) -> Bool { toldChange.map { $0 < change } ?? false }

  /// Writes a comment to a stream of events that has been silent, and returns whether to close.
  mutating func isOverdue(at now: Duration, _ limits: Limits) -> Bool {
    let silence = now - lastProgress
    if hasOutput { return silence >= limits.stall }
    guard isEventStream else { return silence >= limits.idle }
    if silence >= limits.heartbeat { write(Array(": \n\n".utf8), at: now) }
    return false
  }

  /// The moment at which ``isOverdue(at:_:)`` has something to do.
  func deadline(_ limits: Limits) -> Duration {
    lastProgress + (hasOutput ? limits.stall : isEventStream ? limits.heartbeat : limits.idle)
  }

  private mutating func write(_ bytes: [UInt8], at now: Duration) {
    if !hasOutput { lastProgress = now }
    output += bytes
  }
}
