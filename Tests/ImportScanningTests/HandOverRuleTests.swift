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
      (.state, variables + "switch manager.state {}", "4:16:"),
      (.state, variables + "_ = self.rates?.state", "4:17:"),
      (.state, variables + "_ = copy.state", "4:10:"),
      (.async, variables + "try await manager.load()", "4:19:"),
      (.async, variables + "let x = try await self.manager\n  .load(cacheMode: nil)", "5:4:"),
      (.async, variables + "async let x = copy.load(cacheMode: nil)", "4:20:"),
      (.async, variables + "x = rates.load(.output)", "4:11:"),
      (.async, variables + "manager.load(form, for: params)", "4:9:"),
      (.async, variables + "try? await client.load(RatesAPI())", "4:19:"),
      (.async, variables + "for try await x in client.updates(of: api, p) {}", "4:27:"),
      (.async, "try await APIManager<A>(A(), client: c).load(.response)", "1:41:"),
      (.async, "func made(_ a: A) -> any APIManaging {}\nawait made(A()).load()", "2:17:"),
      (.async, "func f(network: Net) async { await network.load(A()) }\ntypealias Net = APIClient", "1:44:"),
      (.async, variables + "#if DEBUG\ntry await client.download(a, to: f)\n#endif", "5:18:"),
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
    ])
  func others(text: String) {
    for way in HandOver.allCases { #expect(violations(text, permitted: way) == [], "\(way)") }
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
    arguments: [").load", "(", "APIManager<", "a.load("])
  func hostile(piece: String) {
    _ = violations(String(repeating: piece, count: 5_000), permitted: .state)
  }
}
