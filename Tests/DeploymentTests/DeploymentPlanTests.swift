import Deployment
import FeatureFlags
import Interception
import Synchronization
import Testing
import WebPages

@Suite("A deployment plan", .timeLimit(.minutes(5)))
struct DeploymentPlanTests {
  /// Contents that change all that documents can change.
  static func parts(_ label: String = "Price") throws -> [String: [UInt8]] {
    var package = try PagePackage(site: "www.estate.example", version: 3)
    try package.add("index.html", type: "text/html", Array(label.utf8))
    let pages = try package.signed(withPrivateKeyPEM: Documents.privateKeys["2024"] ?? "")
    let texts = [
      "flags": "{\"checkout.express\": true, \"checkout.attempts\": 5, \"price.label\": \"\(label)\"}",
      "routes": #"{"rules": [{"from": "estate://old/{id:int}", "to": "estate://home/{id:int}"}],"#
        + #" "modulesOff": ["Mortgage"]}"#,
      "downgrades": #"{"switchedOff": [{"service": "estate", "api": "offer", "reason": "Until 9."}]}"#,
      "endpoints": #"[{"service": "estate", "api": "houses.list", "timeouts": {"idle": 40}, "cache": 600}]"#,
      "addresses": #"{"api.estate.example": ["1.1.1.1"]}"#, "note": "noted",
    ]
    return texts.mapValues { Array($0.utf8) }.merging(["pages/www.estate.example": pages]) { $1 }
  }

  static func signed(
    version: UInt64, _ parts: [String: [UInt8]], by key: String = "2026",
    _ change: (inout DeploymentDraft) -> Void = { _ in }
  ) throws -> [UInt8] {
    var draft = Documents.draft(version: version)
    for (name, content) in parts { draft.setPart(name, to: content) }
    change(&draft)
    return try Documents.signed(draft, by: key)
  }

  /// A document that is refused, and what the error says.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let error: String
    var now = Documents.now
    let bytes: @Sendable ([UInt8]) throws -> [UInt8]

    init(
      _ title: String, _ error: String, now: WallTime = Documents.now,
      _ bytes: @escaping @Sendable (_ applied: [UInt8]) throws -> [UInt8]
    ) {
      (testDescription, self.error, self.now, self.bytes) = (title, error, now, bytes)
    }

    /// A document of the next version with one part changed.
    init(_ part: String, _ content: String, _ error: String) {
      self.init("\(part): \(content.prefix(60))", error) { _ in
        try signed(version: 13, try parts("New").merging([part: Array(content.utf8)]) { $1 })
      }
    }
  }

  static let refusals = [
    Refusal("the applied one again", "version 12 was accepted before") { $0 },
    Refusal("an older version", "version 12 was accepted before") { _ in
      try signed(version: 11, try parts("Old"))
    },
    Refusal("the same version with other content", "version 12 was accepted before") { _ in
      try signed(version: 12, try parts("New"))
    },
    Refusal("expired", "was valid until", now: Documents.now.advanced(by: .seconds(365 * 86_400))) { _ in
      try signed(version: 13, try parts("New"))
    },
    Refusal("too early", "is valid from", now: Documents.now.advanced(by: .seconds(-365 * 86_400))) { _ in
      try signed(version: 13, try parts("New"))
    },
    Refusal("forged", "not valid for the key \"2026\"") { _ in
      var draft = Documents.draft(version: 13)
      draft.setPart("note", to: Array("forged".utf8))
      return try draft.signed(by: "2026", privateKeyPEM: Documents.privateKeys["2024"] ?? "")
    },
    Refusal("a changed byte", "not valid for the key") { applied in
      var bytes = applied
      bytes[bytes.count - 3] ^= 1
      return bytes
    },
    Refusal("torn", "not valid for the key") { _ in
      try signed(version: 13, try parts("New")).dropLast(100)
    },
    Refusal("an unknown key", "does not trust a key \"2030\"") { _ in
      try Documents.draft(version: 13).signed(
        by: "2030", privateKeyPEM: Documents.privateKeys["2026"] ?? "")
    },
    Refusal("a revoked key", "was revoked") { _ in
      try signed(version: 13, try parts("New"), by: "2024")
    },
    Refusal("for a later app", "needs version 4") { _ in
      try signed(version: 13, try parts("New")) { $0.minimumAppVersion = "4" }
    },
    Refusal("a part that the app doesn't have", "part \"screens\": the app has no such part") { _ in
      try signed(version: 13, try parts("New").merging(["screens": []]) { $1 })
    },
    Refusal("10 MB of flags", "part \"flags\": it has more than 1048576 bytes") { _ in
      let flags = (0..<250_000).map { "\"flag.number.\($0)\": \"a value of a flag\"" }.joined(
        separator: ",\n")
      return try signed(version: 13, try parts("New").merging(["flags": Array("{\(flags)}".utf8)]) { $1 })
    },
    Refusal("a document of 17 MB", "more than 16777216 bytes") { applied in
      applied + [UInt8](repeating: 0x20, count: 17 << 20)
    },
    Refusal(
      "routes",
      """
      {"rules": [
        {"from": "estate://a", "to": "estate://b"},
        {"from": "estate://b", "to": "estate://a"}]}
      """, "form a loop"),
    Refusal("routes", "{\"rules\": [\n{\"from\": \"estate://a\", \"to\": \"estate://ledger\"}]}", "line 2"),
    Refusal("routes", "{\n\"modulesOff\": [\"Mortgages\"]}", "line 2: No module \"Mortgages\""),
    Refusal("routes", #"{"rulez": []}"#, "unknown key \"rulez\""),
    Refusal("flags", "{\n\"price.label\": 7}", "line 2: \"price.label\" should be a text"),
    Refusal("flags", "{\"price.label\": \"a\"", "but ends within"),
    Refusal("flags", #"{"a": 1, "a": 2}"#, "more than once"),
    Refusal("flags", String(repeating: "[", count: 100_000), "nests more than the 32"),
    Refusal("flags", #"{"a": {"b": 1}}"#, "should be true, false, a number or a text"),
    Refusal("downgrades", "{\n\"switchedOff\":\n [{\"service\": \"estate\"}]}", "line 3"),
    Refusal(
      "endpoints", "[\n{\"service\": \"estate\", \"api\": \"offer\", \"cache\": 5}]",
      "line 2: the endpoint of estate/offer"),
    Refusal("addresses", "{\"api.estate.example\":\n[\"127.0.0.1\"]}", "line 2: 127.0.0.1"),
    Refusal("pages/www.estate.example", "switchyard page package 1\n", "ends in its signature"),
    Refusal("note", "bad", "part \"note\", line 1: should be a good text"),
    Refusal("note", String(repeating: "x", count: 101), "it has more than 100 bytes"),
  ]

  @Test(
    "K4: A deployment document is applied whole or not at all; a forged, replayed, expired, older or malformed one changes nothing and says why",
    arguments: refusals)
  func whole(_ refusal: Refusal) async throws {
    let app = try DeployedApp()
    let builtIn = await app.state()
    var record = DeploymentRecord()
    let bytes = try Self.signed(version: 12, try Self.parts()) { $0.revokedKeys = ["2024"] }
    try app.apply(bytes, &record)
    let applied = await app.state()
    #expect(
      applied == """
        flags true 5 1.0 Price
        redirects 12
        addresses ["1.1.1.1"]
        pages 3
        note noted
        estate://home/1 opens
        estate://mortgage is refused
        https://estate.example/mortgage is refused
        idle 40.0 seconds
        cache 600.0 seconds
        """)
    let before = record
    let text = Documents.refusal { try app.apply(try refusal.bytes(bytes), now: refusal.now, &record) }
    #expect(text?.contains(refusal.error) == true, "\(text ?? "accepted")")
    #expect(
      text.map { $0.hasPrefix("Deployment document 1") || $0.hasPrefix("The deployment document") } == true)
    #expect(await app.state() == applied && record == before)
    // What a later document doesn't have is as the app was built.
    try app.apply(try Self.signed(version: 14, [:]), &record)
    #expect(await app.state() == builtIn)
    // Going back on purpose is the older content under a newer version.
    try app.apply(try Self.signed(version: 15, try Self.parts()), &record)
    #expect(await app.state() == applied.replacing("redirects 12", with: "redirects 15"))
  }

  @Test("Two parts of one name are refused, because only one of them would be meant")
  func repeatedPart() throws {
    let parts = [1, 2].map { _ in
      DeploymentPart("a") { _ in
        {}
      } reset: {
      }
    }
    let refusal = Documents.refusal { _ = try DeploymentPlan(try Documents.document(), parts: parts) }
    #expect(refusal?.contains("the name \"a\"") == true)
  }

  @Test("Parts are checked before any is applied, in whatever order the document has them")
  func order() throws {
    for bad in ["addresses", "note"] {
      let app = try DeployedApp()
      #expect(throws: DeploymentError.self) {
        let good = ["flags": "{\"price.label\": \"New\"}", "addresses": "{}", "note": "new"]
        try app.apply(good.merging([bad: "bad"]) { $1 })
      }
      #expect(app.flags[Flags.label] == "Asking price" && app.own.note.withLock { $0 } == "built in")
    }
  }
}
