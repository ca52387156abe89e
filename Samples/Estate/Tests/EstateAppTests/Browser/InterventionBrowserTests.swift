import EstateApp
import Foundation
import Inspection
import Switchyard
import SwitchyardTesting
import Testing

@Suite("Interventions on the inspector's page in Chromium", .browser, .serialized, .timeLimit(.minutes(5)))
@MainActor struct InterventionBrowserTests {
  private let inspector = Inspector(app: "Test")
  private let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
    Response(
      status: .ok, headerFields: [.contentType: "application/json"],
      bytes: Array(#"{"path": "\#(request.head.path ?? "")"}"#.utf8))
  }

  private static func click(_ label: String) -> String {
    "([...document.querySelectorAll('button, a.button')].find((it) => it.textContent === '\(label)').click(), 1)"
  }

  private func use(
    _ rules: InterventionRules,
    _ body: (HeadlessBrowser, Pipeline, InterventionInterceptor) async throws -> Void
  ) async throws {
    let interceptor = try InterventionInterceptor(rules, permission: .debugBuildsOnly)
    let pipeline = try Pipeline(over: dispatcher, observers: [inspector]) { interceptor }
    inspector.showsInterventions(of: interceptor)
    try await inspector.use { browser, address in
      try await browser.resize(to: 1_600)
      try await browser.load(address)
      try await browser.wait(for: HeadlessBrowser.shows("Interventions"))
      try await body(browser, pipeline, interceptor)
    }
  }

  @Test("The page says that calls are altered, and no longer when the user turns the rule off")
  func notice() async throws {
    let rule = InterventionRule("Mine", .answer(.init(json: "[]")))
    try await use([rule]) { browser, pipeline, interceptor in
      try await browser.wait(
        for: HeadlessBrowser.shows("1 rule of the interventions is on: calls are altered."))
      _ = try await pipeline.send(Request(authority: "a.test", path: "/homes"))
      try await browser.wait(
        for: "document.querySelector('.space .row .badge.bad')?.textContent === 'altered'")
      try await browser.evaluate("(location.hash = '#/calls/1')")
      try await browser.wait(for: HeadlessBrowser.shows("\"Mine\": answered with 200"))
      try await browser.evaluate(Self.click("Show them"))
      try await browser.wait(for: "document.querySelector('.rule input') !== null")
      try await browser.evaluate("(document.querySelector('.rule input').click(), 1)")
      try await browser.wait(for: "!" + HeadlessBrowser.shows("calls are altered."))
      #expect(interceptor.rules.rules.map(\.isOn) == [false])
    }
  }

  @Test("The user edits a paused request and its response, and the call continues with them")
  func editing() async throws {
    let rules: InterventionRules = [
      InterventionRule("Look", .pause(.request)), InterventionRule("Look back", .pause(.response)),
    ]
    try await use(rules) { browser, pipeline, _ in
      let task = Task { try await pipeline.send(Request(authority: "a.test", path: "/homes")) }
      try await browser.wait(for: HeadlessBrowser.shows("1 call waits for you."))
      try await browser.evaluate("(location.hash = '#/interventions')")
      try await browser.wait(for: "document.querySelector('.paused .url input, .paused input.url') !== null")
      try await browser.evaluate(
        "(document.querySelector('.paused input.url').value = 'https://a.test/edited', 1)")
      try await browser.evaluate(Self.click("Send as edited"))
      try await browser.wait(for: HeadlessBrowser.shows("paused at the response"))
      try await browser.wait(for: "document.querySelectorAll('.paused').length === 1")
      try await browser.evaluate(
        "(document.querySelector('.paused textarea:last-of-type').closest('article').querySelectorAll('textarea')[1].value = '[7]', 1)"
      )
      try await browser.evaluate(Self.click("Deliver as edited"))
      let response = try await task.value
      #expect(dispatcher.requests.map(\.head.path) == ["/edited"])
      #expect(try await response.body.collect(upTo: 100) == Array("[7]".utf8))
      try await browser.wait(for: HeadlessBrowser.shows("No call is paused."))
    }
  }

  @Test("The user lets later requests be answered as a recorded call was")
  func answerLike() async throws {
    try await use([]) { browser, pipeline, interceptor in
      _ = try await pipeline.send(Request(authority: "a.test", path: "/homes"))
      try await browser.evaluate("(location.hash = '#/calls/1')")
      try await browser.wait(for: HeadlessBrowser.shows("Answer like this"))
      try await browser.evaluate(Self.click("Answer like this"))
      try await browser.wait(for: HeadlessBrowser.shows("Like call 1"))
      #expect(interceptor.rules.rules.count == 1)
      _ = try await pipeline.send(Request(authority: "a.test", path: "/homes"))
      #expect(dispatcher.requests.count == 1)
    }
  }

  @Test("An app without interventions has a page without them, and loads nothing of them")
  func unchanged() async throws {
    let pipeline = try Pipeline(over: dispatcher, observers: [inspector]) {}
    _ = try await pipeline.send(Request(authority: "a.test", path: "/homes"))
    try await inspector.use { browser, address in
      try await browser.load(address)
      try await browser.wait(for: HeadlessBrowser.shows("/homes"))
      try await browser.evaluate("(location.hash = '#/calls/1')")
      try await browser.wait(for: HeadlessBrowser.shows("Copy cURL"))
      #expect(try await browser.evaluate(HeadlessBrowser.shows("Interventions")) == "false")
      #expect(try await browser.evaluate(HeadlessBrowser.shows("Answer like this")) == "false")
      #expect(
        try await browser.evaluate(
          "performance.getEntriesByType('resource').some((it) => it.name.includes('interventions'))")
          == "false")
    }
  }
}
