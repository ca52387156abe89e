import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization

/// The server of one test, without a transport: it responds as the test specifies, and keeps a log.
///
/// Each response contains the numbers of the requests that have reached the server, so that the client can
/// tell where a response was created. A conditional request gets a 304 if it has exactly the validator of the
/// previous response, else a 999. As a dispatcher it is in-process; ``SemanticsSocketServer`` puts it behind
/// sockets.
final class SemanticsOrigin: Sendable {
  /// A request that reached the server.
  struct Visit: Sendable {
    let number: Int
    let method: String
    let fields: HTTPFields
    /// The response fields that the client must receive unchanged.
    var sent: [(name: String, value: String)] = []
  }

  static let statusesWithoutContent: Set<Int> = [204, 304]
  static let serverNow = HTTPField.Name.named("Server-Now")
  static let serverCount = HTTPField.Name.named("Server-Request-Count")
  static let clientCount = HTTPField.Name.named("Client-Request-Count")
  static let numbers = HTTPField.Name.named("Request-Numbers")
  static let requestNumber = HTTPField.Name.named("Req-Num")

  fileprivate struct State {
    var visits: [Visit] = []
    /// The fields of the responses, by request number.
    var sent: [Int: HTTPFields] = [:]
  }

  private let steps: [SemanticsStep]
  private let content: String
  private let clock: TestClock
  private let time: TimeSource
  private let latency: Duration
  private let state = Mutex(State())

  init(
    _ steps: [SemanticsStep], content: String, clock: TestClock, time: TimeSource, latency: Duration
  ) {
    self.steps = steps
    self.content = content
    self.clock = clock
    self.time = time
    self.latency = latency
  }

  var visits: [Visit] { state.withLock { $0.visits } }

  /// Responds to a request; nil if it has no valid number.
  ///
  /// The clock advances by the latency in both directions, and by the test's delay.
  func answer(_ method: HTTPRequest.Method, _ target: String, _ fields: HTTPFields) -> SemanticsAnswer? {
    guard let number = fields[Self.requestNumber].flatMap({ Int($0) }), steps.indices.contains(number - 1)
    else { return nil }
    let step = steps[number - 1]
    let former = number > 1 ? steps[number - 2] : nil
    clock.advance(by: latency + .seconds(step.delay ?? 0))
    defer { clock.advance(by: latency) }
    return state.withLock {
      $0.answer(method, target, fields, number, step, after: former, content: content, at: time.wallTime())
    }
  }
}

extension SemanticsOrigin: Dispatcher {
  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    let head = request.head
    guard let answer = answer(head.method, head.path ?? "", head.headerFields)
    else { throw NetworkError(.invalidRequest, "The request has no valid number.") }
    guard let response = answer.response else {
      throw NetworkError(.transport, "The server closed the connection.", requestMayHaveBeenProcessed: true)
    }
    return response
  }
}

extension SemanticsOrigin.State {
  fileprivate mutating func answer(
    _ method: HTTPRequest.Method, _ target: String, _ requestFields: HTTPFields, _ number: Int,
    _ step: SemanticsStep, after former: SemanticsStep?, content: String, at now: WallTime
  ) -> SemanticsAnswer {
    let status = status(of: requestFields, number, step, after: former)
    var visit = SemanticsOrigin.Visit(number: number, method: method.rawValue, fields: requestFields)
    var fields: HTTPFields = [
      .named("Server-Base-Url"): target, SemanticsOrigin.clientCount: String(number),
      SemanticsOrigin.serverCount: String(visits.count + 1),
      SemanticsOrigin.serverNow: String(now.seconds * 1_000 + now.nanoseconds / 1_000_000),
    ]
    for field in step.responseFields {
      var value = field.value.written(at: now)
      let name = HTTPField.Name.named(field.name)
      if step.hasMagicLocations, name == .location || name == .contentLocation {
        value = target + (value.isEmpty ? "" : "/" + value)
      }
      fields.append(HTTPField(name: name, value: value))
      if field.mustArrive {
        visit.sent.removeAll { $0.name == field.name }
        visit.sent.append((field.name, fields[name] ?? ""))
      }
    }
    if !fields.contains(.contentType) { fields[.contentType] = "text/plain" }
    if !fields.contains(.date) { fields[.date] = HTTPDate.format(now) }
    sent[number] = fields
    visits.append(visit)
    fields[SemanticsOrigin.numbers] = visits.map { String($0.number) }.joined(separator: " ")
    let hasContent = !SemanticsOrigin.statusesWithoutContent.contains(status) && method != .head
    return SemanticsAnswer(
      status: status, fields: fields, content: hasContent ? step.responseBody.value ?? content : nil,
      informational: step.informational, disconnects: step.disconnects)
  }

  /// Returns the status; 999, which no cache knows, shows that a condition was expected and missing.
  private func status(
    of fields: HTTPFields, _ number: Int, _ step: SemanticsStep, after former: SemanticsStep?
  ) -> Int {
    guard step.source?.isValidated ?? false else { return step.status ?? 200 }
    let isConfirmed = [(HTTPField.Name.lastModified, HTTPField.Name.ifModifiedSince), (.eTag, .ifNoneMatch)]
      .contains { validator, condition in
        guard let stated = former?.responseFields.last(where: { .named($0.name) == validator }) else {
          return false
        }
        // A date is only known once it has been sent.
        let value: String? =
          if case .text(let text) = stated.value { text } else { sent[number - 1]?[validator] }
        return value != nil && fields[condition] == value
      }
    return isConfirmed ? 304 : 999
  }
}
