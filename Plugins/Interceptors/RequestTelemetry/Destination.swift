import HTTPTypes
import Interception
import Metrics
import Synchronization
import Tracing

/// The requests of one API with one method to one origin: what their spans and metrics have in common.
///
/// It is determined once, so that no host is split and no label is hashed for each request.
final class Destination: Sendable {
  /// What determines a destination.
  struct Key: Hashable, Sendable {
    let api: APIIdentity?
    let method: HTTPRequest.Method
    let scheme: String?
    let authority: String?

    init(_ head: HTTPRequest, _ api: APIIdentity?) {
      self.api = api
      (method, scheme, authority) = (head.method, head.scheme, head.authority)
    }

    func hash(into hasher: inout Hasher) {
      // Destinations of the same API and authority are few.
      hasher.combine(authority)
      hasher.combine(api?.name)
    }
  }

  /// The maximum number of different answers, and of timers of calls, that are kept.
  static let keptLimit = 8

  let key: Key
  let method: MethodLabel
  /// The name of a request's span.
  let requestName: String
  /// The name of a call's span.
  let callName: String
  /// The beginning of the attribute `url.full`, before the path.
  let origin: String
  /// The attributes of a request's span that are known before it is sent, with an empty `url.full`.
  private let attributes: AttributeList
  private let kept = Mutex(Kept())

  /// What was recorded before, the latest last.
  private struct Kept: Sendable {
    var answers: [Answer] = []
    var callTimers: [(source: ResponseSource, status: HTTPResponse.Status, timer: Timer)] = []

    func callTimer(_ source: ResponseSource, _ status: HTTPResponse.Status) -> Timer? {
      for kept in callTimers where kept.source == source && kept.status == status { return kept.timer }
      return nil
    }
  }

  init(_ key: Key) {
    self.key = key
    method = MethodLabel(key.method)
    requestName = SpanName.request(method, key.api)
    callName = SpanName.call(key.api)
    let head = HTTPRequest(method: key.method, scheme: key.scheme, authority: key.authority, path: nil)
    origin = SpanURL.origin(of: head)
    var attributes = AttributeList(capacity: 12)
    attributes.add(head, method, url: "", resendCount: 0)
    self.attributes = attributes
  }

  /// Returns what is recorded of an answered request, and the timer of a call that ends with the same status,
  /// if there was one.
  ///
  /// - Parameter series: The metrics; nil if there are none.
  func answer(
    _ status: HTTPResponse.Status, _ transport: TransportReport?, in series: MetricSeries?
  ) -> (answer: Answer, callTimer: Timer?) {
    let known: (Answer, Timer?)? = kept.withLock { kept in
      for answer in kept.answers where answer.describes(status, transport) {
        return (answer, kept.callTimer(.network, status))
      }
      return nil
    }
    if let known { return known }
    // Metrics are created outside the lock.
    let answer = Answer(status, transport, of: self, request: attributes, in: series)
    return kept.withLock { kept in
      if kept.answers.count == Self.keptLimit { kept.answers.removeFirst() }
      kept.answers.append(answer)
      return (answer, kept.callTimer(.network, status))
    }
  }

  /// Whether requests with a head, of an API, have this destination.
  func matches(_ head: HTTPRequest, _ api: APIIdentity?) -> Bool {
    key.authority == head.authority && key.api == api && key.method == head.method
      && key.scheme == head.scheme
  }

  /// Returns the attributes of a request that failed, with an empty `url.full`.
  func attributes(of outcome: RequestOutcome, _ transport: TransportReport?) -> AttributeList {
    var list = attributes
    list.add(outcome)
    if let transport { list.add(transport) }
    return list
  }

  /// Returns the timer of calls with an outcome.
  func timer(ofCall source: ResponseSource, _ outcome: RequestOutcome, in series: MetricSeries) -> Timer {
    guard case .answered(let status) = outcome else { return series.callTimer(key.api, source, outcome) }
    if let timer = kept.withLock({ $0.callTimer(source, status) }) { return timer }
    let timer = series.callTimer(key.api, source, outcome)
    kept.withLock { kept in
      if kept.callTimers.count == Self.keptLimit { kept.callTimers.removeFirst() }
      kept.callTimers.append((source, status, timer))
    }
    return timer
  }
}

/// What is recorded of requests to a destination with the same answer from the same address.
final class Answer: Sendable {
  let status: HTTPResponse.Status
  let api: APIIdentity?
  private let hasTransport: Bool
  private let version: TransportReport.HTTPVersion?
  private let address: String?
  /// The attributes of a request's span, with an empty `url.full`.
  let request: AttributeList
  /// The attributes of the event of a call's span, for its first request.
  let event: SpanAttributes
  /// The attributes of the span of a call that ends with the same status.
  let call: SpanAttributes
  private let timer: Timer?
  private let service: ServiceMetrics?

  init(
    _ status: HTTPResponse.Status, _ transport: TransportReport?, of destination: Destination,
    request: AttributeList, in series: MetricSeries?
  ) {
    let outcome = RequestOutcome.answered(status)
    self.status = status
    api = destination.key.api
    hasTransport = transport != nil
    (version, address) = (transport?.version, transport?.remoteAddress)
    var request = request
    request.add(outcome)
    if let transport { request.add(transport) }
    self.request = request
    event = AttributeList.event(outcome, resendCount: 0).attributes
    call = AttributeList.call(of: api, outcome).attributes
    timer = series?.requestTimer(api, destination.method, outcome)
    service = transport == nil ? nil : series?.metrics(of: api?.service)
  }

  /// Whether the same is recorded of an answer.
  func describes(_ status: HTTPResponse.Status, _ transport: TransportReport?) -> Bool {
    self.status == status && hasTransport == (transport != nil) && version == transport?.version
      && address == transport?.remoteAddress
  }

  /// Whether a call to a destination that ends with an outcome ends as the request did.
  func ends(with outcome: RequestOutcome, at destination: Destination) -> Bool {
    guard case .answered(let status) = outcome else { return false }
    return status == self.status && api == destination.key.api
  }

  /// Records a request in the metrics.
  func measure(_ duration: @autoclosure () -> Duration, _ transport: TransportReport?) {
    timer?.record(duration())
    if let transport { service?.record(transport) }
  }
}

/// The destinations that were used, of a bounded number.
struct DestinationTable: Sendable {
  /// The maximum number of destinations; beyond it they are determined anew.
  static let limit = 512

  private var destinations: [Destination.Key: Destination] = [:]
  /// The one that was used last, which is usually used again.
  private var latest: Destination?

  /// The number of destinations.
  var count: Int { destinations.count }

  /// Returns the destination of requests with a head, of an API.
  mutating func destination(of head: HTTPRequest, _ api: APIIdentity?) -> Destination {
    if let latest, latest.matches(head, api) { return latest }
    let key = Destination.Key(head, api)
    let destination = destinations[key] ?? added(key)
    latest = destination
    return destination
  }

  private mutating func added(_ key: Destination.Key) -> Destination {
    if destinations.count >= Self.limit { destinations.removeAll() }
    let destination = Destination(key)
    destinations[key] = destination
    return destination
  }
}
