import BodyFormats
import HTTPTypes
import Interception
import Mediation
import MediationFixtures
import PageBridging
import SwitchyardTesting
import Testing

@testable import WebPages

/// A route that pages of the site may call.
private struct RateRoute: Route {
  typealias Output = Int
  static let pattern: RoutePattern = "estate://rate/{years:int}"
  static let exposure: Exposure = .link([.web(host: PageStoreFixture.site)])
  let years: Int
  init(from input: RouteInput) throws(RouteError) { years = try input.value("years") }
  func write(to output: inout RouteOutput) { output.set("years", to: years) }
}

/// A route that is listed, and not exposed to pages.
private struct InnerRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://inner"
}

@Suite(.timeLimit(.minutes(5))) struct PageCallingTests {
  private static let own: HTTPFields = [
    .contentType: "application/json", .origin: "estate-page://\(PageStoreFixture.site)",
    .referer: "estate-page://\(PageStoreFixture.site)/loan/",
  ]

  private static func handler(
    _ journal: Journal = Journal(), network: ScriptedDispatcher = ScriptedDispatcher(failing: .noNetwork),
    limits: PageCallLimits = PageCallLimits(),
    rate: @escaping @Sendable (RouteContext) async -> Int = { _ in 3 }
  ) throws -> PageHandler {
    let module = TestModule { table in
      table.action(RateRoute.self) { route, context in
        journal.note("rate \(route.years) for \(context.opener ?? "-")")
        return await rate(context)
      }
      table.action(InnerRoute.self) { _, _ in journal.note("inner") }
    }
    let calling = PageCalling(
      mediator: try Mediator(schemes: ["estate"], modules: [module]),
      methods: [PageMethod("rate", RateRoute.self), PageMethod("inner", InnerRoute.self)], limits: limits)
    return try PageHandler(
      scheme: "estate-page", sites: [PageStoreFixture.site], over: network, calls: calling, fields: [:])
  }

  private static func call(
    _ json: String, _ fields: HTTPFields = own, method: HTTPRequest.Method = .post
  ) -> Request {
    pageRequest("/app-calls", method: method, fields, body: method == .post ? .text(json) : .empty)
  }

  private static func replies(_ response: Response) async throws -> [PageReply] {
    let text = try await response.text()
    return try text.split(separator: "\n").map {
      try JSONCoding().decode(PageReply.self, from: Array($0.utf8))
    }
  }

  @Test("A page calls a listed route without a network, and the document's https URL is the opener")
  func success() async throws {
    let journal = Journal()
    let response = try await Self.handler(journal).response(
      to: Self.call(#"{"id":"7","method":"rate","params":{"years":"30"}}"#))
    #expect(response.status == .ok)
    #expect(try await Self.replies(response) == [PageReply(id: "7", event: .success(.int(3)))])
    #expect(journal.lines == ["rate 30 for https://www.estate.example/loan/"])
  }

  @Test(
    "Unlisted, unexposed and unknown routes look the same to a page",
    arguments: [
      #"{"id":"7","method":"inner"}"#, #"{"id":"7","url":"estate://inner"}"#,
      #"{"id":"7","method":"nothing"}"#,
      #"{"id":"7","url":"https://www.estate.example/"}"#,
    ])
  func refused(json: String) async throws {
    let journal = Journal()
    let response = try await Self.handler(journal).response(to: Self.call(json))
    #expect(try await Self.replies(response) == [PageReply(id: "7", event: .failure(.notFound))])
    #expect(journal.lines.isEmpty)
  }

  @Test("What is not a call of the site's own page is refused, and nothing runs or is sent")
  func illegal() async throws {
    let journal = Journal()
    let network = ScriptedDispatcher()
    let pages = try Self.handler(journal, network: network)
    let json = #"{"id":"7","method":"rate","params":{"years":"30"}}"#
    var form = Self.own
    form[.contentType] = "text/plain"
    var unknown = Self.own
    unknown[.origin] = nil
    for (request, status) in [
      (Self.call(json, method: .get), .methodNotAllowed), (Self.call(json, form), .unsupportedMediaType),
      (Self.call(json, unknown), .forbidden), (Self.call("{"), .badRequest), (Self.call("[]"), .badRequest),
      (Self.call(#"{"id":""}"#), .badRequest),
      (Self.call(#"{"id":"","method":"rate"}"#), .badRequest),
      (Self.call(String(repeating: " ", count: 60_000)), .contentTooLarge),
    ] as [(Request, HTTPResponse.Status)] {
      #expect(try await pages.response(to: request).status == status)
    }
    var foreign = Self.own
    foreign[.origin] = "https://evil.example"
    await #expect(throws: NetworkError.self) { try await pages.response(to: Self.call(json, foreign)) }
    #expect(journal.lines.isEmpty && network.requests.isEmpty)
  }

  @Test("Releasing or cancelling the response cancels the call, and makes room for another one")
  func cancelled() async throws {
    let (started, cancelled) = (WaitableValue(0), WaitableValue(0))
    let pages = try Self.handler(limits: PageCallLimits(calls: 1)) { _ in
      let gate = Gate()
      started.update { $0 += 1 }
      await withTaskCancellationHandler {
        await gate.wait()
      } onCancel: {
        cancelled.update { $0 += 1 }
        gate.open()
      }
      return 1
    }
    let json = #"{"id":"7","method":"rate","params":{"years":"1"}}"#
    for number in 1...3 {
      do {
        let response = try await pages.response(to: Self.call(json))
        let busy = try await pages.response(to: Self.call(json))
        #expect(try await Self.replies(busy) == [PageReply(id: "7", event: .failure(.busy))])
        try await waitUntil("call \(number) runs") { started.value == number }
        withExtendedLifetime(response) {}
      }
      try await waitUntil("call \(number) was cancelled") { cancelled.value == number }
    }
  }

  @Test("A load of a call delivers its reply, and none once it is cancelled")
  @MainActor func loads() async throws {
    let record = RecordedLoad()
    let pages = try Self.handler()
    _ = pages.start(Self.call(#"{"id":"7","url":"estate://rate/15"}"#), record.receive)
    try await waitUntil("the load has ended") { record.isEnded }
    #expect(record.text == #"{"event":"success","id":"7","value":3}"# + "\n")
    #expect(record.head?.headerFields[.contentType] == "application/x-ndjson")
  }

  @Test("A path that is none, and a site that can't call, are faults of the configuration")
  func configuration() throws {
    let mediator = try Mediator(schemes: ["estate"], modules: [])
    for path in ["", "calls", "/a b", "/a?b", "/a#b"] {
      #expect(throws: PageHandlerError.callPath(path)) {
        try PageHandler(
          scheme: "estate-page", sites: ["a.example"], over: ScriptedDispatcher(),
          calls: PageCalling(path: path, mediator: mediator, methods: []))
      }
    }
    #expect(throws: PageHandlerError.self) {
      try PageHandler(
        scheme: "estate-page", sites: ["a.example:8443"], over: ScriptedDispatcher(),
        calls: PageCalling(mediator: mediator, methods: []))
    }
  }
}
