import CommandRunning
import Foundation
import HTTPTypes
import RequestLogging
import SwitchyardTesting
import Testing

@testable import Inspection
@testable import Interception

@Suite struct InterventionRulesTests {
  private static let every: InterventionRules = [
    InterventionRule("Late", matching: .init(host: "api.estate.test"), .delay(.milliseconds(1_500))),
    InterventionRule(
      "No homes",
      matching: .init(
        method: .get, host: "*.test:8443", path: "/v1/homes*", query: ["q": "a \"b\"*", "": "", "A": "*"]),
      times: 3,
      .answer(.init(json: #"{"homes": []}"#))),
    InterventionRule(
      "A page", isOn: false,
      .answer(
        .init(
          status: .notFound,
          headerFields: [.contentType: "text/html", .setCookie: "a=1", .setCookie: "b=\"2\""],
          body: Array("<p>no\n</p>".utf8), isStorable: true))),
    InterventionRule(
      "A picture", .answer(.init(headerFields: [.contentType: "image/png"], body: [0x89, 0xFF]))),
    InterventionRule(
      "Login", matching: .init(service: "estate", api: "login"), times: 1, .fail(.timeout(.idle))),
    InterventionRule("Train", .network(.slow3G)),
    InterventionRule("Tunnel", .network(.offline)),
    InterventionRule(
      "Own",
      .network(
        .init(
          name: "ship", latency: .milliseconds(700), sentBytesPerSecond: 9_000,
          receivedBytesPerSecond: 30_000,
          loss: 0.25, seed: 7))),
    InterventionRule("Look", .pause(.request)),
    InterventionRule("Look back", .pause(.response)),
  ]

  @Test("Rules of every kind are the same after they were written and read")
  func roundTrip() throws {
    let text = String(decoding: Self.every.json, as: UTF8.self)
    #expect(try InterventionRules(json: Self.every.json) == Self.every, "\(text)")
    #expect(text.contains(#""network": "slow-3g""#))
    #expect(text.contains(#""json": {"homes": []}"#))
    #expect(try InterventionRules(json: InterventionRules().json) == InterventionRules())
  }

  @Test("A damaged document is refused with its faults, or read as rules that are written as they were read")
  func damaged() throws {
    var random = SeededRandom(seed: 56)
    let original = Self.every.json
    let pieces = original.split(separator: UInt8(ascii: "\""))
    var readCount = 0
    for round in 0..<3_000 {
      var bytes = original
      for _ in 0...Int.random(in: 0...2, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch round % 3 {
        case 0: bytes[place] = UInt8.random(in: 0x20...0x7E, using: &random)
        case 1: bytes.removeSubrange(place..<min(place + Int.random(in: 1...20, using: &random), bytes.count))
        default: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
        }
      }
      do throws(InterventionError) {
        let rules = try InterventionRules(json: bytes)
        let again = try InterventionRules(json: rules.json)
        #expect(again == rules, "\(String(decoding: bytes, as: UTF8.self))")
        readCount += 1
      } catch {
        guard case .faults(let faults) = error.reason else {
          Issue.record("\(error)")
          continue
        }
        #expect((1...50).contains(faults.count))
        #expect(faults.allSatisfy { $0.sentence.utf8.count < 1_000 })
      }
    }
    #expect(readCount > 100)
  }

  @Test("Every failure that a file can name is read as the kind of that label")
  func failures() throws {
    for (label, kind) in NetworkError.Kind.ofInterventions {
      let rules = try InterventionRules(
        json: Array(#"{"version": 1, "rules": [{"name": "a", "match": {}, "fail": "\#(label)"}]}"#.utf8))
      #expect(rules.rules.map(\.action) == [.fail(kind)])
    }
  }

  @Test("All faults of a file are reported at once, with their lines, paths and remedies")
  func faults() throws {
    let text = """
      {
        "version": 1,
        "rules": [
          {"name": "a", "match": {"methode": "GET"}, "delay": 1},
          {"name": "a", "match": {}, "delay": -1},
          {"name": "b", "match": {}, "delay": 1},
          {"name": "b", "match": {}, "delay": 1, "fail": "offline"},
          {"name": "c", "match": {}, "fail": "offlin"},
          {"name": "d", "match": {"path": "v1?x=1"}, "answer": {"status": 99, "json": 1, "text": "x"}},
          {"match": {}, "network": {"latency": "slow", "lost": 1}},
          {"name": "e", "match": {}},
          {"name": "b", "match": {}, "pause": "request"},
          {"name": "f", "match": {}, "answer": {"file": "a.json", "fields": {"a b": "c", "d": "e\\nf"}}}
        ]
      }
      """
    let error = try #require(throws: InterventionError.self) { try InterventionRules(json: Array(text.utf8)) }
    let lines = error.description.split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "interventions:4: `rules[0].match.methode` is an unknown key; it is probably \"method\".",
        "interventions:5: `rules[1].delay` should be 0.0 to 3600.0.",
        "interventions:7: `rules[3]` has the actions fail and delay; use exactly one of \"answer\", \"fail\", "
          + "\"delay\", \"network\", \"pause\".",
        "interventions:8: `rules[4].fail` is \"offlin\"; it is probably \"offline\".",
        "interventions:9: `rules[5].match.path` has a query; give its names and values as \"query\".",
        "interventions:9: `rules[5].answer.status` should be 200 to 599.",
        "interventions:9: `rules[5].answer.json` is one of several contents (json, text); keep one.",
        "interventions:10: `rules[6]` needs the key \"name\"; add it.",
        "interventions:10: `rules[6].network.lost` is an unknown key; it is probably \"loss\".",
        "interventions:10: `rules[6].network.latency` should be Double, but is a string.",
        "interventions:11: `rules[7]` has no action; use exactly one of \"answer\", \"fail\", \"delay\", "
          + "\"network\", \"pause\".",
        "interventions:12: `rules[8]` has the name \"b\" of an earlier rule; rename one of them.",
        "interventions:13: `rules[9].answer.fields.a b` has a name that is no name of a header field; correct it.",
        "interventions:13: `rules[9].answer.fields.d` has a line break or another character that a header field "
          + "can't have; remove it.",
        "interventions:13: `rules[9].answer.file` is a file, but the rules have no folder; use \"json\", "
          + "\"text\" or \"base64\".",
      ], "\(error)")
  }

  @Test(
    "A text that isn't a document of rules is refused with its place",
    arguments: [
      ("", "interventions: The content should be JSON, but is empty."),
      ("{\"version\": 1,\n\"rules\": [}", "interventions:2: "),
      ("[]", "interventions:1: The content should be an object, but is an array."),
      ("{}", "interventions:1: The content needs the key \"version\"; add it."),
      (
        #"{"version": 2, "rules": []}"#,
        "interventions:1: `version` is 2, but this library knows version 1; update the library"
      ),
      (
        #"{"version": 1, "rules": [\#(Array(repeating: "{}", count: 201).joined(separator: ","))]}"#,
        "interventions:1: `rules` has 201 rules; keep at most 200."
      ),
    ])
  func documents(_ text: String, _ beginning: String) throws {
    let error = try #require(throws: InterventionError.self) { try InterventionRules(json: Array(text.utf8)) }
    #expect(error.description.hasPrefix(beginning), "\(error)")
  }

  @Test("A file's answers have the contents of files in its folder, and none from outside of it")
  func files() throws {
    let folder = try TemporaryFolder(prefix: "interventions")
    func write(_ text: String, to file: String) throws {
      let url = folder.url.appending(path: file)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    try write(#"{"homes": [1]}"#, to: "answers/homes.json")
    func path(_ file: String) throws -> String {
      try write(
        #"{"version": 1, "rules": [{"name": "a", "match": {}, "answer": {"file": "\#(file)"}}]}"#,
        to: "rules.json")
      return folder.url.path + "/rules.json"
    }
    let rules = try InterventionRules(contentsOf: path("answers/homes.json"))
    #expect(rules.rules.map(\.action) == [.answer(.init(json: #"{"homes": [1]}"#))])
    for file in ["../a.json", "/etc/hostname", "answers//homes.json", "./a"] {
      let path = try path(file)
      let error = try #require(throws: InterventionError.self) { try InterventionRules(contentsOf: path) }
      #expect(
        error.description
          == "\(path):1: `rules[0].answer.file` should be a path within the folder of the rules, without \"..\"."
      )
    }
    let missing = try path("none.json")
    #expect(throws: InterventionError.self) { try InterventionRules(contentsOf: missing) }
    let error = try #require(throws: InterventionError.self) {
      try InterventionRules(contentsOf: "/none/a.json")
    }
    #expect(
      error.description
        == "The interventions in \"/none/a.json\" can't be read: there is no such file; create it, or correct the "
        + "path.")
  }

  @Test("An answer can be that of an entry of an archive, without the fields of its exchange")
  func archive() async throws {
    let folder = try TemporaryFolder(prefix: "interventions")
    let recorded = Response(
      status: .accepted,
      headerFields: [
        .contentType: "application/json", .contentLength: "9", .setCookie: "a=b", .eTag: "\"1\"",
      ], bytes: Array(#"{"id": 7}"#.utf8))
    let redaction = Redaction(
      showingHeaders: [.contentType, .eTag, .contentLength], showingQueryValuesOf: ["id"])
    let inspector = Inspector(app: "Test", redaction: redaction)
    let pipeline = try Pipeline(over: ScriptedDispatcher(answering: recorded), observers: [inspector]) {}
    _ = try await pipeline.send(Request(authority: "a.test", path: "/"))
    try Data(inspector.archive()).write(to: folder.url.appending(path: "calls.har"))
    func rules(_ answer: String) throws -> InterventionRules {
      let text = #"{"version": 1, "rules": [{"name": "a", "match": {}, "answer": \#(answer)}]}"#
      let path = folder.url.path + "/rules.json"
      try Data(text.utf8).write(to: URL(filePath: path))
      return try InterventionRules(contentsOf: path)
    }
    #expect(
      try rules(#"{"har": "calls.har", "entry": 0, "storable": true}"#).rules.map(\.action) == [
        .answer(
          .init(
            status: .accepted, headerFields: [.contentType: "application/json", .eTag: "\"1\""],
            body: Array(#"{"id": 7}"#.utf8), isStorable: true))
      ])
    for (answer, problem) in [
      (#"{"har": "calls.har", "entry": 1}"#, "`rules[0].answer.har` has 1 entries; choose one, from 0."),
      (#"{"har": "calls.har"}"#, "needs the key \"entry\" beside it, the number of an entry from 0; add it."),
      (#"{"entry": 1}"#, "`rules[0].answer.entry` is the number of an entry of an archive; add \"har\"."),
      (#"{"har": "calls.har", "entry": 0, "status": 200}"#, "stands beside \"har\", which has it"),
      (#"{"har": "rules.json", "entry": 0}"#, "is no archive: `log` is required, but is missing."),
      (#"{"har": "none.har", "entry": 0}"#, "names a file that does not exist"),
    ] {
      let error = try #require(throws: InterventionError.self) { try rules(answer) }
      #expect(error.description.contains(problem), "\(error)")
    }
  }

  @Test(
    "A pattern matches with any characters where it has a star",
    arguments: [
      ("/v1/homes*", "/v1/homes", true), ("/v1/homes*", "/v1/homes/7/photos", true),
      ("/v1/homes", "/v1/homes/7", false), ("*", "", true), ("*/photos", "/a/photos/photos", true),
      ("*a*b", "xaxxbxb", true), ("*a*b", "xaxxbxc", false), ("", "a", false), ("**", "a", true),
    ])
  func patterns(_ pattern: String, _ text: String, _ matches: Bool) {
    #expect(TextPattern(pattern).matches(text) == matches)
  }

  @Test("A pattern with many stars is decided in bounded time", .timeLimit(.minutes(5)))
  func slowPattern() {
    let pattern = TextPattern(String(repeating: "*a", count: 2_000) + "b")
    #expect(!pattern.matches(String(repeating: "a", count: 20_000)))
  }

  @Test(
    "A rule applies to requests that have all of its properties",
    arguments: [
      (InterventionRule.Match(), true), (.init(method: .get), true), (.init(method: .post), false),
      (.init(host: "API.estate.test"), true), (.init(host: "api.estate.test:443"), false),
      (.init(host: "*:8443"), true), (.init(host: "estate.test"), false), (.init(path: "/v1/homes"), true),
      (.init(path: "/v1"), false), (.init(service: "estate", api: "homes"), true),
      (.init(api: "home"), false),
      (.init(method: .get, host: "*.test", path: "/v2*"), false), (.init(query: ["page": "2"]), true),
      (.init(path: "/v1/*", query: ["q": "é *", "page": "*"]), true), (.init(query: ["page": "3"]), false),
      (.init(query: ["tag": "b"]), true), (.init(query: ["tag": "c"]), false),
      (.init(query: ["pages": "*"]), false), (.init(query: ["": ""]), false),
      (.init(query: ["on": ""]), true),
    ])
  func matches(_ match: InterventionRule.Match, _ isIncluded: Bool) {
    var request = Request(
      authority: "api.estate.test:8443", path: "/v1/homes?q=%C3%A9+x&page=2&tag=a&tag=b&on#page=3")
    request.context.api = APIIdentity(service: "estate", name: "homes")
    #expect(match.includes(request) == isIncluded)
  }

  @Test(
    "Release builds need both switches, and debug builds none",
    arguments: [InterventionPermission.debugBuildsOnly, .releaseBuildsToo], [nil, "1", "yes"])
  func permission(_ permission: InterventionPermission, _ variable: String?) {
    #expect(permission.refusal(isRelease: false, variable: variable) == nil)
    let refusal = permission.refusal(isRelease: true, variable: variable)
    if permission == .debugBuildsOnly {
      #expect(refusal == InterventionError(.releaseBuild))
    } else {
      #expect(refusal == (variable == "1" ? nil : InterventionError(.variableMissing)))
    }
    #expect(refusal.map { $0.description.contains("SWITCHYARD_INTERVENTIONS=1") } ?? true)
  }
}
