import HTTPTypes
import Interception
import Testing

@testable import Downloads

@Suite("The plan of a file's parts")
struct PartPlanTests {
  private static let lost = NetworkError(.transport, "The connection was lost.")

  /// A plan of the parts 0..<20, 20..<40, 40..<60, 60..<80 and 80..<100.
  private func plan(_ count: Int = 4, failureLimit: Int = 5) -> PartPlan {
    let division = PartDivision(count: 4, minimum: 10)
    return PartPlan(
      DownloadParts(first: 20, of: 100, by: division), policy: DownloadPolicy(failureLimit: failureLimit),
      division: PartDivision(count: count, minimum: 10))
  }

  /// The actions as texts, or the end.
  private func texts(_ step: PartPlan.Step) -> [String] {
    switch step {
    case .run(let actions):
      actions.map { action in
        switch action {
        case .request(let part, let range): "\(part) \(range)"
        case .wait(let part, let duration): "\(part) waits \(duration.components.seconds)"
        }
      }
    case .complete: ["complete"]
    case .end(let error): ["end \(error.label) \(error.retryRefusal?.label ?? "-")"]
    }
  }

  private func finish(_ part: Int, of plan: inout PartPlan) -> [String] {
    plan.advance(part, to: plan.parts.list[part].range.upperBound)
    return texts(plan.ended(part))
  }

  private func fail(_ part: Int, of plan: inout PartPlan, _ error: NetworkError = lost) -> [String] {
    texts(
      plan.failed(
        part, error, remaining: nil, now: WallTime(secondsSince1970: 784_111_777), random: 1))
  }

  private static func status(_ code: Int, _ fields: HTTPFields = [:]) -> NetworkError {
    .download(.status(HTTPResponse(status: .init(code: code), headerFields: fields)))
  }

  @Test("As many parts as allowed are requested at a time, in order, until all are complete")
  func order() {
    var plan = plan(3)
    #expect(texts(plan.start(after: 0)) == ["1 20..<40", "2 40..<60"])
    #expect(finish(2, of: &plan) == ["3 60..<80"])
    #expect(finish(0, of: &plan) == ["4 80..<100"])
    #expect(finish(1, of: &plan) == [] && finish(4, of: &plan) == [])
    #expect(finish(3, of: &plan) == ["complete"])
  }

  @Test("One at a time is possible as well, as for a file whose parts were left by another policy")
  func oneAtATime() {
    var plan = plan(1)
    #expect(texts(plan.start(after: 0)) == [])
    #expect(finish(0, of: &plan) == ["1 20..<40"])
  }

  @Test("A response with less than the part is followed by a request for the rest of it")
  func short() {
    var plan = plan(1)
    _ = plan.start(after: 0)
    plan.advance(0, to: 7)
    #expect(texts(plan.ended(0)) == ["0 7..<20"])
  }

  @Test("A lost part waits and continues, and the others are not affected")
  func lost() {
    var plan = plan(2)
    #expect(texts(plan.start(after: 0)) == ["1 20..<40"])
    plan.advance(1, to: 25)
    #expect(fail(1, of: &plan) == ["1 waits 1", "2 40..<60"])
    #expect(texts(plan.waited(1)) == [])
    #expect(finish(0, of: &plan) == ["1 25..<40"])
    #expect(plan.survivedFailures == 1)
  }

  @Test("A failure after the last byte of a part is none")
  func lostAfterEnd() {
    var plan = plan(1, failureLimit: 1)
    _ = plan.start(after: 0)
    plan.advance(0, to: 20)
    #expect(fail(0, of: &plan) == ["1 20..<40"] && plan.survivedFailures == 0)
  }

  @Test("The last failure in a row of one part ends the run with the reason")
  func noAttemptsLeft() {
    var plan = plan(4, failureLimit: 2)
    _ = plan.start(after: 0)
    #expect(fail(1, of: &plan) == ["1 waits 1", "4 80..<100"])
    // Another part has failures of its own.
    #expect(fail(2, of: &plan) == ["2 waits 1"])
    #expect(texts(plan.waited(1)) == ["1 20..<40"])
    #expect(fail(1, of: &plan) == ["end transport no_attempts_left"])
  }

  @Test(
    "A failure that no run survives ends it at once",
    arguments: [
      status(404), status(500), NetworkError(.cancelled(.task), "Cancelled."), NetworkError(.offline, "Off."),
      .download(.noSpace),
    ])
  func definitive(error: NetworkError) {
    var plan = plan()
    _ = plan.start(after: 0)
    #expect(fail(2, of: &plan, error) == ["end \(error.label) -"])
  }

  @Test("Parts that the server refuses for now wait until others are complete", arguments: [429, 503])
  func refused(code: Int) {
    var plan = plan()
    _ = plan.start(after: 0)
    #expect(fail(3, of: &plan, Self.status(code, [.retryAfter: "2"])) == ["3 waits 3"])
    #expect(fail(2, of: &plan, Self.status(code)) == ["2 waits 1"])
    #expect(plan.limit == 2)
    #expect(texts(plan.waited(2)) == [] && texts(plan.waited(3)) == [])
    #expect(finish(0, of: &plan) == ["2 40..<60"])
    #expect(finish(1, of: &plan) == ["3 60..<80"])
  }

  @Test(
    "A part for which the dispatcher has no room waits for another one, and alone it fails",
    arguments: [.timeout(.queue), .queueFull, .descriptorsExhausted] as [NetworkError.Kind])
  func noRoom(kind: NetworkError.Kind) {
    let error = NetworkError(kind, "No room.")
    var plan = plan(2)
    _ = plan.start(after: 0)
    #expect(fail(1, of: &plan, error) == [] && plan.limit == 1)
    #expect(finish(0, of: &plan) == ["1 20..<40"])
    #expect(plan.survivedFailures == 0)
    #expect(fail(1, of: &plan, error) == ["end \(error.label) -"])
  }

  @Test("A server that sends a few bytes at a time is given up")
  func endless() {
    var plan = plan(1)
    var step = plan.start(after: 0)
    for _ in 0..<PartPlan.maximumRequests { step = plan.ended(0) }
    #expect(texts(step) == ["end protocol_violation -"])
  }

  @Test("The progress is recorded after every interval of further bytes, by one part at a time")
  func recording() {
    var plan = plan()
    _ = plan.start(after: 0)
    plan.advance(0, to: 20)
    plan.advance(1, to: 39)
    #expect(plan.startRecording() == nil)
    plan.advance(1, to: 40)
    #expect(plan.startRecording()?.downloaded == 40)
    plan.advance(2, to: 60)
    plan.advance(3, to: 80)
    #expect(plan.startRecording() == nil)
    plan.endRecording()
    #expect(plan.startRecording()?.downloaded == 80)
  }

  @Test(
    "A response is a part only if it is the missing one of the same version",
    arguments: [
      (206, "bytes 25-39/100", "\"v1\"", 15, "content 40"),
      (206, "bytes 25-39/*", "\"v1\"", nil, "content 40"),
      (206, "bytes 25-29/100", "\"v1\"", 5, "content 30"), (206, "bytes 25-39/100", nil, 15, "replaced"),
      (206, "bytes 25-39/100", "\"v2\"", 15, "replaced"),
      (206, "bytes 25-39/100", "W/\"v1\"", 15, "replaced"),
      (206, "bytes 24-39/100", "\"v1\"", 16, "replaced"), (206, "bytes 25-40/100", "\"v1\"", 16, "replaced"),
      (206, "bytes 25-99/100", "\"v1\"", 75, "replaced"), (206, "bytes 25-39/101", "\"v1\"", 15, "replaced"),
      (206, "bytes 25-39/100", "\"v1\"", 14, "replaced"), (206, nil, "\"v1\"", 15, "replaced"),
      (200, nil, "\"v1\"", 100, "replaced"), (416, "bytes */100", "\"v1\"", 0, "replaced"),
      (404, nil, nil, 0, "refuse"), (500, nil, "\"v1\"", 0, "refuse"), (304, nil, "\"v1\"", 0, "refuse"),
    ] as [(Int, String?, String?, Int64?, String)])
  func judging(code: Int, range: String?, tag: String?, length: Int64?, verdict: String) {
    var fields = HTTPFields()
    fields[.contentRange] = range
    fields[.eTag] = tag
    #expect(word(code, fields, length) == verdict)
  }

  @Test("A part needs no modification date, but not another one, and no other content coding")
  func dates() {
    let date = DownloadValidatorTests.early
    func word(_ fields: HTTPFields) -> String {
      self.word(206, fields, 15, of: .lastModified(date))
    }
    #expect(word([.contentRange: "bytes 25-39/100"]) == "content 40")
    #expect(word([.contentRange: "bytes 25-39/100", .lastModified: date]) == "content 40")
    #expect(
      word([.contentRange: "bytes 25-39/100", .lastModified: DownloadValidatorTests.later]) == "replaced")
    #expect(word([.contentRange: "bytes 25-39/*"]) == "replaced")
    #expect(word([.contentRange: "bytes 25-39/100", .contentEncoding: "br"]) == "replaced")
  }

  private func word(
    _ code: Int, _ fields: HTTPFields, _ length: Int64?,
    of validator: DownloadValidator = .entityTag("\"v1\"")
  ) -> String {
    let record = DownloadRecord(identity: 7, validator: validator, total: 100)
    let head = HTTPResponse(status: .init(code: code), headerFields: fields)
    return switch PartPlan.judge(head, length: length, missing: 25..<40, of: record) {
    case .content(let end): "content \(end)"
    case .replaced: "replaced"
    case .refuse: "refuse"
    }
  }
}
