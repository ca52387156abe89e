import Foundation
import Mediation
import MediationFixtures
import RouteRedirects
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct RedirectTrustTests {
  /// A stand-in for cryptography: the signature is the sum of the bytes.
  private struct SumVerifier: RedirectVerifier {
    static func signature(of payload: [UInt8]) -> [UInt8] { [payload.reduce(7) { $0 &+ $1 }] }
    func isValid(_ signature: [UInt8], of payload: [UInt8]) -> Bool {
      signature == Self.signature(of: payload)
    }
  }

  private static func table(_ version: Int, _ id: Int = 1) -> RedirectTable {
    RedirectTable(version: version, rules: [.redirect("estate://old", to: "estate://villa/\(id)")])
  }

  private static func json(_ bytes: [UInt8]) throws -> RedirectTable {
    try JSONDecoder().decode(RedirectTable.self, from: Data(bytes))
  }

  @Test("A signed table is decoded and accepted only with its signature")
  func signed() async throws {
    let journal = Journal()
    let app = try RedirectedApp(journal, .signed(by: SumVerifier()))
    let text = #"""
      {"version": 3, "rules": [
        {"from": "estate://home/{id:int}", "to": "estate://villa/{id:int}?tab={tab?}", "values": {"tab": "map"}},
        {"from": "estate://cellar/{id:int}", "disabled": true}]}
      """#
    let payload = Array(text.utf8)
    let signature = SumVerifier.signature(of: payload)
    let decoded = Atomic(0)
    func apply(_ payload: [UInt8], _ signature: [UInt8]) -> String? {
      RedirectedApp.errorName { () throws(RedirectTableError) in
        try app.redirects.apply(payload, signature: signature) { bytes in
          decoded.add(1, ordering: .relaxed)
          return try Self.json(bytes)
        }
      }
    }
    #expect(apply(payload, []) == "badSignature")
    #expect(apply(payload + [32], signature) == "badSignature")
    #expect(apply(Array(repeating: 32, count: 1_048_577), signature) == "tooLarge 1048576")
    #expect(decoded.load(ordering: .relaxed) == 0)
    #expect(
      RedirectedApp.errorName { () throws(RedirectTableError) in try app.redirects.apply(Self.table(3)) }
        == "unsigned")
    #expect(app.redirects.version == nil)
    #expect(apply([1, 2], SumVerifier.signature(of: [1, 2])) == "undecodable")
    #expect(apply(payload, signature) == nil)
    #expect(app.redirects.version == 3)
    try await app.mediator.open("estate://home/5")
    #expect(journal.lines.contains("villa 5 map"))
    #expect(!app.mediator.canOpen("estate://cellar/1"))
  }

  @Test("By default no table is accepted, and without a verifier no signed one")
  func defaults() throws {
    let closed = try RedirectedApp(Journal(), .refused)
    #expect(
      RedirectedApp.errorName { () throws(RedirectTableError) in try closed.redirects.apply(Self.table(1)) }
        == "refused")
    #expect(
      RedirectedApp.errorName { () throws(RedirectTableError) in
        try closed.redirects.apply([], signature: []) { _ in Self.table(1) }
      } == "refused")
    let trusting = try RedirectedApp(Journal())
    #expect(
      RedirectedApp.errorName { () throws(RedirectTableError) in
        try trusting.redirects.apply([], signature: []) { _ in Self.table(1) }
      } == "noVerifier")
  }

  @Test("An old table cannot be replayed, even after a revert")
  func rollback() throws {
    let journal = Journal()
    let app = try RedirectedApp(journal, .unsigned(minimumVersion: 5))
    func apply(_ version: Int, _ id: Int = 1) -> String? {
      RedirectedApp.errorName { () throws(RedirectTableError) in
        try app.redirects.apply(Self.table(version, id))
      }
    }
    #expect(apply(4) == "notNewer 4 5")
    #expect(apply(5) == nil)
    // Applying the same table again is harmless, another one with the same version is not.
    #expect(apply(5) == nil)
    #expect(apply(5, 2) == "notNewer 5 6")
    #expect(apply(7) == nil)
    #expect(apply(6) == "notNewer 6 8")
    #expect(app.redirects.revert() == 5)
    #expect(apply(7) == "notNewer 7 8")
    #expect(app.redirects.revert() == nil)
    #expect(app.redirects.revert() == nil)
    #expect(apply(.max) == nil)
    app.redirects.removeAll()
    #expect(app.redirects.version == nil)
    #expect(
      journal.lines == [
        "redirects 5", "redirects 7", "redirects 5", "redirects -", "redirects -", "redirects \(Int.max)",
        "redirects -",
      ])
  }

  @Test("Eight previous tables are remembered")
  func depth() throws {
    let app = try RedirectedApp(Journal())
    for version in 1...20 { try app.redirects.apply(Self.table(version)) }
    for version in (12...19).reversed() { #expect(app.redirects.revert() == version) }
    #expect(app.redirects.revert() == nil)
  }

  @Test(
    "An invalid rule is not decoded",
    arguments: [
      #"{"from": "a://b"}"#, #"{"from": "a://b", "disabled": false}"#, #"{"to": "a://b"}"#,
      #"{"from": "a://b", "to": "a://c", "disabled": true}"#,
      #"{"from": "a://b", "disabled": true, "values": {}}"#,
      #"{"from": 1, "to": "a://c"}"#,
    ])
  func senseless(_ text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(RedirectRule.self, from: Data(text.utf8))
    }
  }

  @Test("A table reads back from its JSON")
  func coding() throws {
    let table = RedirectTable(
      version: 2, rules: [.redirect("a://b/{c}", to: "a://d/{c}", values: ["e": "f"]), .disable("a://g")])
    #expect(try JSONDecoder().decode(RedirectTable.self, from: JSONEncoder().encode(table)) == table)
  }

  @Test("Readers see one table or another, never a mixture")
  func atomic() async throws {
    let app = try RedirectedApp(Journal())
    // Each table has two hops, and their ends differ, so a mixture would lead nowhere.
    func table(_ version: Int) -> RedirectTable {
      let (way, end) = version % 2 == 0 ? ("even", "villa") : ("odd", "home")
      return RedirectTable(
        version: version,
        rules: [
          .redirect("estate://start", to: "estate://\(way)"),
          .redirect("estate://\(way)", to: "estate://\(end)/1"),
        ])
    }
    try app.redirects.apply(table(1))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<500 {
            let name = try? app.mediator.resolve("estate://start").name
            #expect(name == "VillaRoute" || name == "HouseRoute")
          }
        }
      }
      group.addTask {
        for version in 2...100 {
          #expect(throws: Never.self) { try app.redirects.apply(table(version)) }
          if version % 7 == 0 { app.redirects.revert() }
          await Task.yield()
        }
      }
    }
    #expect(app.redirects.version == 100)
  }

  @Test("Tables that belong to no mediator are not applied")
  func notConnected() throws {
    let redirects = RedirectTables(.unsigned())
    #expect(
      RedirectedApp.errorName { () throws(RedirectTableError) in try redirects.apply(Self.table(1)) }
        == "notConnected")
    #expect(redirects.revert() == nil)
    _ = try Mediator(schemes: ["estate"], modules: [TestModule { _ in }], redirector: redirects)
    try redirects.apply(RedirectTable(version: 1, rules: []))
    #expect(redirects.version == 1)
  }

  @Test("Redirect tables serve one mediator only")
  func secondMediator() throws {
    let app = try RedirectedApp(Journal())
    let issue = #expect(throws: RouteTableIssue.self) {
      try Mediator(schemes: ["estate"], modules: [TestModule { _ in }], redirector: app.redirects)
    }
    guard case .redirector(let text)? = issue?.faults.first else {
      Issue.record("\(String(describing: issue))")
      return
    }
    #expect(text.contains("create one RedirectTables for each"))
    try app.redirects.apply(Self.table(1))
  }
}
