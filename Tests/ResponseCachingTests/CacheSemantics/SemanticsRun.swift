import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting

/// Runs one test through a real cache in a real pipeline; time advances only for the test's own pauses.
struct SemanticsRun {
  private let test: SemanticsTest
  private let audience: SemanticsTest.Audience
  private let rule: CacheRule
  private let clock = TestClock()
  private let origin: SemanticsOrigin
  private let cache: CachingInterceptor
  private let pipeline: Pipeline
  /// The server behind a socket, if the run uses sockets.
  private let server: SemanticsSocketServer?
  /// The default body of a response: 36 characters like a UUID, whose length some tests declare.
  private let content = "d0d1a8f0-7b1c-4c52-9a5e-0123456789ab"

  /// Thu, 01 Jan 2026 00:00:00 GMT; the data's dates are between 2020 and 2286.
  private static let start = WallTime(secondsSince1970: 1_767_225_600)
  /// The length of a pause.
  private static let pause = Duration.seconds(3)
  /// The responses' own lifetimes apply, or heuristic ones.
  static let rule = CacheRule.stated(heuristicLimit: .seconds(86_400))

  /// Prepares a test.
  ///
  /// - Parameters:
  ///   - audience: The kind of cache; for a proxy, a shared one.
  ///   - rule: The API's cache rule.
  ///   - phase: The fraction of a second of the server's clock, which dates don't show.
  ///   - latency: The one-way latency between client and server.
  ///   - transport: How requests reach the server.
  init(
    _ test: SemanticsTest, for audience: SemanticsTest.Audience, rule: CacheRule, phase: Duration,
    latency: Duration,
    over transport: SemanticsTransport = .inProcess
  ) throws {
    self.test = test
    self.audience = audience
    self.rule = rule
    let clock = clock
    let time = TimeSource(clock) { Self.start.advanced(by: phase + clock.now.offset) }
    let origin = SemanticsOrigin(test.steps, content: content, clock: clock, time: time, latency: latency)
    let cache = CachingInterceptor(isShared: audience == .proxy, time: time)
    self.origin = origin
    self.cache = cache
    switch transport {
    case .inProcess:
      server = nil
      pipeline = try Pipeline(over: origin, time: time) { cache }
    case .sockets(let dispatcher):
      server = try SemanticsSocketServer(origin)
      pipeline = try Pipeline(over: dispatcher, time: time) { cache }
    }
  }

  /// Runs the test.
  func outcome() async -> SemanticsOutcome {
    do throws(SemanticsFailure) {
      var responses: [Response] = []
      for index in test.steps.indices {
        let response = try await send(index, after: responses.last)
        responses.append(response)
        try await check(response, index)
        await cache.refreshesEnded()
        if test.steps[index].pausesAfterwards { clock.advance(by: Self.pause) }
      }
      try SemanticsLog(visits: origin.visits).check(test.steps, responses)
      return .passed
    } catch {
      return error.outcome
    }
  }

  private func send(_ index: Int, after former: Response?) async throws(SemanticsFailure) -> Response {
    do throws(NetworkError) {
      return try await pipeline.send(request(index, after: former))
    } catch {
      // Without a response nothing can pass.
      throw SemanticsFailure(outcome: .failed("request \(index + 1) has no response: \(error)"))
    }
  }

  private func request(_ index: Int, after former: Response?) -> Request {
    let step = test.steps[index]
    // The original client keeps its own cache out of the way of a proxy by these fields.
    var fields: HTTPFields =
      audience == .proxy ? [.named("Pragma"): "foo", .cacheControl: "nothing-to-see-here"] : [:]
    for field in step.requestFields {
      let name = HTTPField.Name.named(field.name)
      let isMagic = name == .ifModifiedSince && step.hasMagicDates
      let now = isMagic ? former?.serverNow : nil
      // The original client sends header fields in ISO 8859-1; the data has no other characters.
      let value = field.value.written(at: now ?? Self.start).unicodeScalars.map {
        UInt8(truncatingIfNeeded: $0.value)
      }
      fields.append(HTTPField(name: name, value: value))
    }
    // The Fetch standard requires this of a client before its cache is consulted.
    if step.cacheMode == "no-cache", !fields.contains(.cacheControl) { fields[.cacheControl] = "max-age=0" }
    fields[.named("Test-ID")] = test.id
    fields[SemanticsOrigin.requestNumber] = String(index + 1)
    var path = "/test/\(content)"
    if let filename = step.filename { path += "/\(filename)" }
    if let query = step.query { path += "?\(query)" }
    var request = Request(
      method: HTTPRequest.Method(step.method) ?? .get, scheme: "http",
      authority: server?.authority ?? "cache.test", path: path,
      headerFields: fields, body: step.requestBody.map { .text($0) } ?? .empty)
    request.context.cacheRule = rule
    // The cache of a browser has one user.
    if audience == .privateCache { request.context.partition = "reader" }
    return request
  }
}

extension SemanticsRun {
  private func check(_ response: Response, _ index: Int) async throws(SemanticsFailure) {
    let (step, number) = (test.steps[index], index + 1)
    let fields = response.head.headerFields
    let visits = (fields[SemanticsOrigin.numbers] ?? "").split(separator: " ")
    guard Set(visits).count == visits.count else { throw SemanticsFailure(outcome: .retried) }
    try checkSource(response, step, number)
    try checkStatus(response, step, number)
    for expectation in step.expectedFields {
      try SemanticsOutcome.check(
        expectation.holds(in: fields, at: response.serverNow), isPreparation: step.isPreparation(.fields),
        "response \(number): \(expectation) in \(fields)")
    }
    for expectation in step.missingFields {
      try SemanticsOutcome.check(
        !expectation.isFound(in: fields), isPreparation: step.isPreparation(.missingFields),
        "response \(number): no \(expectation) in \(fields)")
    }
    // The caller gets the final response alone.
    try SemanticsOutcome.check(
      step.expectedInformational.isEmpty, isPreparation: step.isPreparation(.informational),
      "response \(number) does not report informational responses")
    try await checkBody(response, step, number)
  }

  private func checkSource(
    _ response: Response, _ step: SemanticsStep, _ number: Int
  ) throws(SemanticsFailure) {
    let count = response.head.headerFields[SemanticsOrigin.serverCount].flatMap { Int($0) }
    let isPreparation = step.isPreparation(.source)
    switch step.source {
    case .cached:
      let isConfirmation = response.status == .notModified && count == nil
      try SemanticsOutcome.check(
        isConfirmation || count.map { $0 < number } ?? false, isPreparation: isPreparation,
        "response \(number) was not served from the cache")
    case .notCached:
      try SemanticsOutcome.check(
        count == number, isPreparation: isPreparation, "response \(number) was served from the cache")
    case .validatedByTag, .validatedByDate, nil: break
    }
  }

  private func checkStatus(
    _ response: Response, _ step: SemanticsStep, _ number: Int
  ) throws(SemanticsFailure) {
    let code = response.status.code
    let complaint = "response \(number) has status \(code)"
    switch step.expectedStatus {
    case .value(let expected):
      try SemanticsOutcome.check(
        code == expected, isPreparation: step.isPreparation(.status), "\(complaint), not \(expected)")
    case .null: break
    case .absent:
      if step.status == nil, code == 999 {
        try SemanticsOutcome.check(
          false, isPreparation: step.isPreparation(.source), "request \(number) has no condition")
      }
      let expected = step.status ?? 200
      try SemanticsOutcome.check(code == expected, isPreparation: true, "\(complaint), not \(expected)")
    }
  }

  private func checkBody(
    _ response: Response, _ step: SemanticsStep, _ number: Int
  ) async throws(SemanticsFailure) {
    guard step.checksBody else { return }
    let bytes: [UInt8]
    do throws(NetworkError) {
      bytes = try await response.body.collect(upTo: 1 << 20)
    } catch {
      throw SemanticsFailure(outcome: .failed("response \(number) ended early: \(error)"))
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let complaint = "response \(number) has the content \"\(text)\""
    switch (step.expectedText, step.responseBody) {
    case (.value(let expected), _):
      try SemanticsOutcome.check(
        text == expected, isPreparation: step.isPreparation(.text), "\(complaint), not \"\(expected)\"")
    case (.null, _): break
    case (.absent, .value(let expected)):
      try SemanticsOutcome.check(text == expected, isPreparation: true, complaint)
    case (.absent, _):
      guard !SemanticsOrigin.statusesWithoutContent.contains(response.status.code), step.method != "HEAD"
      else { return }
      try SemanticsOutcome.check(text == content, isPreparation: true, complaint)
    }
  }
}

extension Response {
  /// The server's time when it created the response.
  fileprivate var serverNow: WallTime? {
    head.headerFields[SemanticsOrigin.serverNow].flatMap { Int64($0) }.map {
      WallTime(secondsSince1970: $0 / 1_000, nanoseconds: $0 % 1_000 * 1_000_000)
    }
  }
}
