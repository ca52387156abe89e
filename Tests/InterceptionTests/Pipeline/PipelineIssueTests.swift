import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("A pipeline that cannot be built")
struct PipelineIssueTests {
  @Test(
    "G1: A wrong order, duplicates and unmet requirements are reported together, by name and with remedies")
  func everything() throws {
    let issue = try #require(throws: PipelineIssue.self) {
      try Pipeline(over: ScriptedDispatcher(capabilities: [])) {
        Standing("Cache", .caching)
        Signer()
        Standing(
          "Router",
          InterceptorTraits(stage: .routing, allowsSeveral: true, requires: [.dispatcher(.connectTarget)]))
        Signer()
        Standing(
          "Auditor", InterceptorTraits(stage: .logging, allowsSeveral: true, requires: [.stage(.validation)]))
        Standing("Wire", InterceptorTraits(stage: .wire, allowsSeveral: true, callsNext: .anyNumber))
      }
    }
    #expect(
      issue.faults == [
        .misplaced("Signer", .signing, after: "Cache", .caching),
        .misplaced("Signer", .signing, after: "Cache", .caching),
        .misplaced("Signer", .signing, after: "Router", .routing),
        .repeated("Signer", count: 2),
        .missingCapability(.connectTarget, neededBy: "Router", dispatcher: "ScriptedDispatcher"),
        .missingStage(.validation, neededBy: "Auditor"),
        .wireCallsNextFreely("Wire"),
      ])
    let lines = issue.description.split(separator: "\n")
    #expect(lines.count == 7)
    #expect(
      lines.prefix(2) == [
        "Signer (signing, 400) is listed after Cache (caching, 500); move it before Cache.",
        "Signer (signing, 400) is listed after Cache (caching, 500) and Router (routing, 600); move it before Cache.",
      ])
    #expect(lines.last == "The right order: Signer, Signer, Cache, Router, Auditor, Wire.")
    for name in ["Signer", "Cache", "Router", "connectTarget", "Auditor", "validation", "Wire"] {
      #expect(issue.description.contains(name))
    }
  }

  @Test("Faults of equal interceptors that read the same share a line")
  func equalFaults() throws {
    let issue = try #require(throws: PipelineIssue.self) {
      try Pipeline(over: ScriptedDispatcher()) {
        Standing("Cache", .caching)
        Standing("Signer", .signing)
        Standing("Signer", .signing)
      }
    }
    #expect(issue.faults.count == 2)
    #expect(
      issue.description == """
        Signer (signing, 400) is listed after Cache (caching, 500); move it before Cache.
        The right order: Signer, Signer, Cache.
        """)
  }

  @Test("G1: Interceptors registered in the order of their stages form a valid pipeline")
  func standardOrder() throws {
    let stages: [Stage] = [
      .validation, .sharing, .redirects, .retry, .authorization, .signing, .caching, .routing, .compression,
      .logging, .wire,
    ]
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      for stage in stages { Standing(stage.name, stage) }
    }
    #expect(pipeline.names == stages.map(\.name))
  }

  @Test("Every pair of stages in the wrong order is reported")
  func everyPair() {
    let stages: [Stage] = [.validation, .retry, .signing, .caching, .routing, .compression, .logging]
    for outer in stages {
      for inner in stages where outer > inner {
        let issue = #expect(throws: PipelineIssue.self) {
          try Pipeline(over: ScriptedDispatcher()) {
            Standing("first", outer)
            Standing("second", inner)
          }
        }
        #expect(issue?.faults == [.misplaced("second", inner, after: "first", outer)])
      }
    }
  }

  @Test("Of a reversed chain every pair is reported, and the order in the last line is free of faults")
  func reversed() throws {
    let stages: [Stage] = [.logging, .caching, .signing, .retry, .validation]
    func pipeline(_ names: [String]) throws -> Pipeline {
      try Pipeline(over: ScriptedDispatcher()) {
        for name in names { Standing(name, stages.first { $0.name == name } ?? .wire) }
      }
    }
    let issue = try #require(throws: PipelineIssue.self) { try pipeline(stages.map(\.name)) }
    #expect(issue.faults.count == 10)
    let lines = issue.description.split(separator: "\n").map(String.init)
    #expect(
      lines.dropLast().last
        == "validation (validation, 100) is listed after logging (logging, 800), caching (caching, 500), "
        + "signing (signing, 400) and retry (retry, 300); move it before logging.")
    let order = try #require(lines.last?.wholeMatch(of: /The right order: (.*)\./)?.1)
    #expect(try pipeline(order.split(separator: ", ").map(String.init)).names.first == "validation")
  }

  @Test(
    "The right order keeps interceptors of one stage as they are listed, and is shown only if one is misplaced"
  )
  func stable() throws {
    let issue = try #require(throws: PipelineIssue.self) {
      try Pipeline(over: ScriptedDispatcher()) {
        Standing("second", .signing)
        Standing("first", .retry)
        Standing("third", .signing)
      }
    }
    #expect(issue.description.hasSuffix("The right order: first, second, third."))
    let doubled = try #require(throws: PipelineIssue.self) {
      try Pipeline(over: ScriptedDispatcher()) {
        Signer()
        Signer()
      }
    }
    #expect(!doubled.description.contains("order"))
  }

  @Test("A custom stage is ordered by its rank")
  func ownStage() throws {
    let tenant = Stage(rank: 450, name: "tenant")
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      Standing("signer", .signing)
      Standing("tenant", tenant)
      Standing("cache", .caching)
    }
    #expect(pipeline.names == ["signer", "tenant", "cache"])
  }

  @Test("The builder accepts conditions, optionals, loops and lists", arguments: [true, false])
  func builder(isOn: Bool) throws {
    let optional: (any Interceptor)? = isOn ? Standing("optional", .logging) : nil
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      if isOn { Standing("validation", .validation) }
      if isOn { Standing("signing", .signing) } else { Standing("caching", .caching) }
      optional
      [Standing("listed", .logging)]
    }
    #expect(
      pipeline.names == (isOn ? ["validation", "signing", "optional", "listed"] : ["caching", "listed"]))
  }
}

/// An interceptor type that may be registered only once.
private struct Signer: Interceptor {
  let traits = InterceptorTraits(stage: .signing)

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    try await next.dispatch(request)
  }
}
