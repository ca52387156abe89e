import HTTPTypes
import Interception
import RequestLogging

/// What is known of one call: a pure function of its events.
///
/// It keeps no stream, task, error object or context of the call.
struct CallRecord: Sendable {
  /// The maximum numbers of steps and exchanges that are kept.
  private static let stepLimit = 512
  private static let exchangeLimit = 64
  private static let alterationLimit = 64
  /// What a record, a step and an exchange take besides texts and bodies.
  private static let overhead = 1_024
  private static let stepOverhead = 128
  private static let exchangeOverhead = 512

  /// What an event changed.
  struct Change: Equatable {
    /// The number of bytes by which the record grew.
    var growth = 0
    /// Whether the line of the call in a list changed.
    var isNews = false
  }

  let id: Int
  /// The ID of the request, which other calls may share.
  let requestID: RequestID
  let startedAt: WallTime
  let start: Duration
  /// The request as it was called.
  let request: RecordedRequest
  let options: RequestOptions
  let api: APIIdentity?
  let cacheRule: CacheRule
  /// The account on whose behalf the request is sent; it is never shown.
  let partition: String
  /// The header fields that are credentials in the request as it was called, or as it was sent.
  private(set) var credentialFields: CredentialFields
  private(set) var steps: [RecordedStep] = []
  private(set) var exchanges = ExchangeList()
  private(set) var outcome: Outcome?
  /// What interventions did to the call.
  private(set) var alterations: [CallAlteration] = []
  /// The moment at which the call or the last of its streams ended, by the pipeline's clock.
  private(set) var end: Duration?
  /// The number of the last change of the line in a list.
  var sequence = 0
  /// The number of bytes that the record takes.
  private(set) var byteCount = 0
  private let bodyLimit: Int

  /// How the call ended for its caller.
  enum Outcome: Sendable {
    case delivered(RecordedResponse, Exchange.ChainReport)
    case failed(RecordedError)
  }

  /// Creates the record of a call that starts now.
  init(
    _ request: Request, id: Int, startedAt: WallTime, at start: Duration, keepingUpTo bodyLimit: Int
  ) {
    self.id = id
    requestID = request.id
    self.startedAt = startedAt
    self.start = start
    self.bodyLimit = bodyLimit
    self.request = RecordedRequest(request, keepingUpTo: bodyLimit)
    options = request.options
    let context = request.context
    api = context.api
    cacheRule = context.cacheRule
    partition = context.partition
    credentialFields = context.credentialFields
    byteCount = Self.overhead + self.request.byteCount
  }

  /// Takes an event, and returns what it changed.
  mutating func take(_ event: CallEvent, at time: Duration) -> Change {
    let change = apply(event, at: time)
    byteCount += change.growth
    return change
  }

  private mutating func apply(_ event: CallEvent, at time: Duration) -> Change {
    switch event {
    case .entered(let step, let frame, let parent, let attempt):
      // Frames are numbered in the order of this event.
      guard frame == steps.count, frame < Self.stepLimit else { return Change() }
      if steps.isEmpty { steps.reserveCapacity(8) }
      steps.append(RecordedStep(step: step, attempt: attempt, parent: parent, start: time - start))
      return Change(growth: Self.stepOverhead)
    case .left(let frame, let own, let total, let end):
      guard frame < steps.count else { return Change() }
      steps[frame].leave(own: own, total: total, end)
      return Change()
    case .sent(let request, let exchange):
      guard exchange == exchanges.count, exchange < Self.exchangeLimit else { return Change() }
      let sent = RecordedRequest(request, keepingUpTo: bodyLimit)
      let growth = Self.exchangeOverhead + sent.byteCount
      credentialFields.formUnion(request.credentialFields)
      exchanges.append(RecordedExchange(attempt: request.attempt, start: time - start, request: sent))
      return Change(growth: growth, isNews: exchange > 0)
    case .received(let response, let exchange):
      guard exchange < exchanges.count else { return Change() }
      let received = RecordedResponse(response, keepingUpTo: bodyLimit)
      let (growth, end) = (received.byteCount, time - start)
      exchanges.change(exchange) { $0.receive(received, response.transport, at: end) }
      return Change(growth: growth, isNews: outcome != nil)
    case .failed(let error, let exchange):
      guard exchange < exchanges.count else { return Change() }
      let failure = RecordedError(error)
      let end = time - start
      exchanges.change(exchange) { $0.fail(failure, at: end) }
      return Change(growth: failure.byteCount, isNews: outcome != nil)
    case .transported(let report, let exchange):
      guard exchange < exchanges.count else { return Change() }
      exchanges.change(exchange) { $0.transport = report }
      return Change(isNews: outcome != nil)
    case .streamed(let sample, let exchange): return takeStream(sample, of: exchange, at: time)
    case .delivered(let response, let stream): return takeDelivered(response, stream, at: time)
    case .refused(let error):
      let failure = RecordedError(error)
      outcome = .failed(failure)
      end = time
      return Change(growth: failure.byteCount, isNews: true)
    }
  }

  /// Takes a note of an intervention, and returns what it changed.
  mutating func take(_ alteration: CallAlteration) -> Change {
    guard alterations.count < Self.alterationLimit else { return Change() }
    alterations.append(alteration)
    let change = Change(
      growth: alteration.rule.utf8.count + alteration.effect.utf8.count + Self.stepOverhead, isNews: true)
    byteCount += change.growth
    return change
  }

  private mutating func takeDelivered(_ response: Response, _ stream: Int?, at time: Duration) -> Change {
    var delivered = RecordedResponse(response, keepingUpTo: bodyLimit)
    if stream != nil { delivered.body.noteSameStream() }
    let report = response.chainReport
    let urls = report.redirects.reduce(0) { $0 + $1.url.utf8.count }
    let isShared = exchanges.lastBody.map(delivered.body.shares) == true
    let growth = delivered.byteCount - (isShared ? delivered.body.bytes.count : 0) + urls
    outcome = .delivered(delivered, report)
    end = time
    return Change(growth: growth, isNews: true)
  }

  private mutating func takeStream(
    _ sample: CallEvent.StreamSample, of exchange: Int?, at time: Duration
  ) -> Change {
    if let exchange {
      guard exchange < exchanges.count else { return Change() }
      let (limit, end) = (bodyLimit, time - start)
      exchanges.change(exchange) { $0.takeStream(sample, keepingUpTo: limit, at: end) }
    } else if case .delivered(var response, let report) = outcome {
      response.body.take(sample, keepingUpTo: bodyLimit)
      outcome = .delivered(response, report)
    }
    if outcome != nil { end = max(end ?? time, time) }
    return Change(growth: min(sample.bytes.count, bodyLimit), isNews: outcome != nil)
  }
}

/// A step of a call's chain, as a waterfall shows it.
struct RecordedStep: Sendable {
  let step: PipelineEvent.Step
  let attempt: Int
  /// The step within which it ran.
  let parent: Int?
  /// The time from the call's start.
  let start: Duration
  /// The time without the inner steps; nil while it runs.
  private(set) var own: Duration?
  private(set) var total: Duration?
  private(set) var end: End?

  /// How the step ended.
  enum End: Sendable, Equatable {
    case answered(Int, Exchange.CacheStatus?)
    /// With an error, by its label.
    case failed(String)
  }

  init(step: PipelineEvent.Step, attempt: Int, parent: Int?, start: Duration) {
    (self.step, self.attempt, self.parent, self.start) = (step, attempt, parent, start)
  }

  fileprivate mutating func leave(own: Duration, total: Duration, _ end: CallEvent.StepEnd) {
    (self.own, self.total) = (own, total)
    switch end {
    case .answered(let status, let cache): self.end = .answered(status.code, cache)
    case .failed(let error): self.end = .failed(error.label)
    }
  }
}

/// A request to the dispatcher and what it led to: an attempt or a hop of a call.
struct RecordedExchange: Sendable {
  let attempt: Int
  /// The time from the call's start.
  let start: Duration
  let request: RecordedRequest
  private(set) var response: RecordedResponse?
  private(set) var failure: RecordedError?
  /// The time from the call's start to the end of the exchange.
  private(set) var end: Duration?
  var transport: TransportReport?

  init(attempt: Int, start: Duration, request: consuming RecordedRequest) {
    self.attempt = attempt
    self.start = start
    self.request = request
  }

  fileprivate mutating func receive(
    _ response: consuming RecordedResponse, _ transport: consuming TransportReport?, at end: Duration
  ) {
    self.response = response
    self.transport = transport
    self.end = end
  }

  fileprivate mutating func apply(_ body: (inout RecordedExchange) -> Void) { body(&self) }

  fileprivate mutating func fail(_ failure: RecordedError, at end: Duration) {
    (self.failure, self.end) = (failure, end)
  }

  fileprivate mutating func takeStream(
    _ sample: CallEvent.StreamSample, keepingUpTo limit: Int, at end: Duration
  ) {
    response?.body.take(sample, keepingUpTo: limit)
    if case .failed(let error) = sample.ending { failure = RecordedError(error) }
    self.end = end
  }
}

/// The exchanges of a call, the first of which takes no allocation of its own.
struct ExchangeList: RandomAccessCollection, Sendable {
  private var firstOne: RecordedExchange?
  private var others: [RecordedExchange] = []

  var startIndex: Int { 0 }
  var endIndex: Int { firstOne == nil ? 0 : others.count + 1 }

  subscript(position: Int) -> RecordedExchange {
    if position == 0, let firstOne { return firstOne }
    return others[position - 1]
  }

  /// The body of the last exchange's response, without copying the exchange.
  var lastBody: RecordedBody? {
    others.isEmpty ? firstOne?.response?.body : others[others.count - 1].response?.body
  }

  mutating func append(_ exchange: consuming RecordedExchange) {
    if firstOne == nil { firstOne = exchange } else { others.append(exchange) }
  }

  /// Changes an exchange in place.
  mutating func change(_ position: Int, _ body: (inout RecordedExchange) -> Void) {
    if position == 0 { firstOne?.apply(body) } else { others[position - 1].apply(body) }
  }
}

/// What is kept of an error: its texts, and not the objects that it refers to.
struct RecordedError: Sendable, Equatable {
  let label: String
  let reason: String
  let origin: String?
  let isCancellation: Bool
  let retryRefusal: Exchange.RetryRefusal?

  init(_ error: NetworkError) {
    label = error.label
    reason = error.reason
    isCancellation = if case .cancelled = error.kind { true } else { false }
    retryRefusal = error.retryRefusal
    origin =
      switch error.origin {
      case .interceptor(let name), .dispatcher(let name): name
      case .pipeline: "Pipeline"
      case nil: nil
      }
  }

  var byteCount: Int { reason.utf8.count + 64 }
}
