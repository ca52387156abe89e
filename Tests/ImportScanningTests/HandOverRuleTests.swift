import ImportScanning
import Testing

@Suite struct HandOverRuleTests {
  private func violations(_ text: String, permitted: HandOver, shared: String = "") -> [String] {
    HandOverRule(module: "Rates", permitted: permitted).violations(
      in: [ModuleSource(path: "R.swift", place: "Services/R.swift", text: text.utf8)],
      using: [ModuleSource(path: "N.swift", place: "N.swift", text: shared.utf8)]
    )
    .map(\.description)
  }

  private static let variables = """
    let manager: APIManager<RatesAPI>, client: APIClient
    let rates: any APIManaging
    let copy = self.manager
    let managers: [any APIManaging], homes: PagedItems<Home>, pager: Pager<Home>
    func made(_ a: A) -> any APIManaging {}

    """

  @Test(
    "Each spelling of a way is refused by the two others, with its line, and passes its own",
    arguments: [
      (
        HandOver.delegate, "final class S: APIManagerDelegate {}",
        "1:16: error: module 'Rates': 'APIManagerDelegate'"
      ),
      (.delegate, "\nextension S: APIManagers.APIManagerDelegate {}", "2:26:"),
      (.delegate, "typealias D = APIManagerDelegate\nclass S: D {}", "1:15:"),
      (.state, "func f(_ s: LoadState<Int, APIError>) {}", "1:13:"),
      (.state, variables + "switch manager.state {}", "6:16:"),
      (.state, variables + "_ = self.rates?.state", "6:17:"),
      (.state, variables + "_ = copy.state", "6:10:"),
      (.async, variables + "try await manager.load()", "6:19:"),
      (.async, variables + "let x = try await self.manager\n  .load(cacheMode: nil)", "7:4:"),
      (.async, variables + "async let x = copy.load(cacheMode: nil)", "6:20:"),
      (.async, variables + "x = rates.load(.output)", "6:11:"),
      (.async, variables + "manager.load(form, for: params)", "6:9:"),
      (.async, variables + "try? await client.load(RatesAPI())", "6:19:"),
      (.async, variables + "for try await x in client.updates(of: api, p) {}", "6:27:"),
      (.async, "try await APIManager<A>(A(), client: c).load(.response)", "1:41:"),
      (.async, "func made(_ a: A) -> any APIManaging {}\nawait made(A()).load()", "2:17:"),
      (.async, "func f(network: Net) async { await network.load(A()) }\ntypealias Net = APIClient", "1:44:"),
      (.async, variables + "for try await x in client.items(of: api) { p } content: { c } {}", "6:27:"),
      (.async, variables + "for try await x in homes {}", "6:20:"),
      (.async, variables + "let x = try await homes.reduce(0, +)", "6:19:"),
      (.async, variables + "for try await x in PagedItems(size: 5, load: f) {}", "6:20:"),
      (.async, variables + "let all = manager.items(by: r) { p }\nfor try await x in all {}", "7:20:"),
      (.state, variables + "show(pager.list.state)", "6:12:"),
      (.state, variables + "for await list in pager.changes {}", "6:25:"),
      (.state, variables + "let p = Pager(client.items(of: api))\nshow(p.list.items)", "7:8:"),
      (.state, "func show(_ l: PagedList<Home>) {}", "1:16:"),
      (.async, variables + "let m = made(a); try await m.load(.output)", "6:30:"),
      (.async, variables + "for m in managers { await m.load(.output) }", "6:29:"),
      (.async, variables + "await managers[0].load(.output)", "6:19:"),
      (.async, variables + "try await managers.first?.load()", "6:27:"),
      (.async, variables + "while let m = managers.popLast() { await m.load() }", "6:44:"),
      (.async, variables + "let m = self.container.manager\nx = m.load(.output)", "7:7:"),
      (
        .async,
        "struct Box { let m: APIManager<A> }\nclass S { let box: Box\nfunc f() async { await box.m.load() } }",
        "3:30:"
      ),
      (.async, "func f<M: APIManaging>(_ m: M) async { await m.load() }", "1:48:"),
      (.async, "func f<M>(_ m: M) async where M: APIManaging { await m.load() }", "1:56:"),
      (.async, "struct S<M: APIManaging> { let m: M; func f() async { await m.load() } }", "1:63:"),
      (.async, variables + "Task { [m = self.manager] in await m.load() }", "6:38:"),
      (
        .async, variables + "func f() async { guard let m = managers.first else { return }; await m.load() }",
        "6:72:"
      ),
      (.async, variables + "let m = x as? any APIManaging\nawait m?.load()", "7:10:"),
      (.async, "let all: [String: any APIManaging]\nawait all[key]?.load()", "2:17:"),
      (.async, variables + "#if DEBUG\ntry await client.download(a, to: f)\n#endif", "7:18:"),
    ])
  func ways(way: HandOver, text: String, place: String) {
    #expect(violations(text, permitted: way) == [])
    for other in HandOver.allCases where other != way {
      let found = violations(text, permitted: other)
      #expect(found.first?.hasPrefix("R.swift:\(place)") == true, "\(other): \(found)")
      #expect(
        found.allSatisfy {
          $0.contains("takes a load by \(way.rawValue), and only \(other.rawValue) is permitted;")
        })
    }
  }

  @Test(
    "Code that takes no load is no use of a way",
    arguments: [
      variables + "manager.load()", variables + "manager.load(params, cacheMode: .reload)",
      "await screen.load()", "gesture.state", "self.state", "// await client.load(a)",
      "let a = \"client.load(a)\"",
      variables + "// APIManagerDelegate LoadState", variables + "manager.cancelAll()", "load(client)",
      "class A: UITableViewDelegate {}", variables + "client.reachability.state",
      variables + "let p = Pager(client.items(of: api)) { p }", variables + "await show(homes)",
      variables + "for x in homes {}", variables + "pager.refresh()", "await pager.list.state",
      variables + "for home in await pages() { await home.load() }", variables + "managers.first?.load()",
    ])
  func others(text: String) {
    for way in HandOver.allCases { #expect(violations(text, permitted: way) == [], "\(way)") }
  }

  /// Returns the violations of source texts, each in a file of its own, by file and line.
  private func places(_ texts: [String], shared: String = "") -> [String] {
    HandOverRule(module: "Rates", permitted: .delegate).violations(
      in: texts.enumerated().map {
        ModuleSource(path: "\($0)", place: "Services/\($0).swift", text: $1.utf8)
      }, using: [ModuleSource(path: "N", place: "N.swift", text: shared.utf8)]
    )
    .map { "\($0.path):\($0.line)" }
  }

  @Test(
    "The nearest declaration of a name decides what it stands for",
    arguments: [
      "struct B { let client: ArchiveReader; func f() async { await client.load() } }",
      "struct B { let client: ArchiveReader; func f() async { await self.client.load() } }",
      "struct B { let manager: Panel; func f() { show(manager.state) } }",
      "func f(_ client: ArchiveReader) async { await client.load() }",
      "func f() async { let client = ArchiveReader(); await client.load() }",
      "func f() { read { client in client.load() } }",
      "func f() { read { (client: Archive) in client.load() } }",
      "func f() { for client in archives { client.load() } }",
      "func f() { for (client, n) in archives { client.load() } }",
      "func f() { let (client, n) = archive; client.load() }",
      "func f() { if let client = archive { client.load() } }",
      "func f() { switch a { case .archive(let client): client.load() } }",
      "func f(_ b: Archive) { b.client.load() }", "struct B: Archive { func f() { client.load() } }",
      "func f() { Task { [client = archive] in client.load() } }",
      "func f<client: Reader>(_ a: client) { a.load() }",
    ])
  func nearest(text: String) {
    let other = """
      final class A { let client: APIClient; let manager: APIManager<R>
      func f() async { await client.load(R()) }
      func g() { show(self.manager.state) } }
      """
    #expect(places([other, text]) == ["0:2", "0:3"])
    #expect(places([text, other]) == ["1:2", "1:3"])
  }

  @Test(
    "A name that another file declares for the same type, or that the type inherits, is followed",
    arguments: [
      ("final class A { let client: APIClient }", ""), ("", "class A { let client: APIClient }"),
      ("class Base { let client: APIClient }\nclass A: Base {}", ""),
      ("class A: Base {}", "public protocol Base { var client: APIClient { get } }"),
      ("let client: APIClient", ""),
      ("class A { let box: Box }", "struct Box { let client: Net }\ntypealias Net = APIClient"),
    ])
  func elsewhere(other: String, shared: String) {
    let receiver = other.contains("box") ? "box.client" : "client"
    let text = "extension A { func f() async {\nawait \(receiver).load(R()) } }"
    #expect(places([text, other], shared: shared) == ["0:2"])
  }

  @Test("A protocol of a shared target that refines the delegate's counts as it")
  func refined() {
    let shared = "public protocol Listener: APIManagerDelegate {}"
    #expect(violations("class S: Listener {}", permitted: .delegate, shared: shared) == [])
    #expect(
      violations("class S: Listener {}", permitted: .async, shared: shared) == [
        "R.swift:1:10: error: module 'Rates': 'Listener' takes a load by delegate, and only async is permitted; "
          + "await load(.output) of the manager or of the client"
      ])
  }

  @Test(
    "Hostile text is read in time", .timeLimit(.minutes(5)),
    arguments: [
      ").load", "(", "APIManager<", "a.load(", "let a = a.load; ", "{ a in ", "func f<", "for a in ", "if ",
      "a.",
      "await a.load {", "let a: [", "class A: A { let a: A; ", "func a() -> (",
    ])
  func hostile(piece: String) {
    _ = violations(String(repeating: piece, count: 5_000), permitted: .state)
  }
}
