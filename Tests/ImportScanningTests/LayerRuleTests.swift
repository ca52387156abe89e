import ImportScanning
import Testing

@Suite struct LayerRuleTests {
  private let rule = LayerRule(module: "Listings")

  /// Returns the violations without the module's name, each with the file that it is in.
  private func violations(_ files: [(place: String, text: String)], shared: [String] = []) -> [String] {
    rule.violations(
      in: files.map { ModuleSource(path: $0.place, place: $0.place, text: $0.text.utf8) }, of: "Listings",
      using: shared.map { ModuleSource(path: "Shared.swift", place: "Shared.swift", text: $0.utf8) }
    )
    .map { $0.description.replacing("error: module 'Listings': ", with: "") }
  }

  /// Returns the violations of a screen's source text.
  private func screen(_ text: String) -> [String] { violations([("Screens/S.swift", text)]) }

  private static let module = """
    import Mediation
    public struct ListingsModule: BusinessModule { func declare() { _ = HomeScreen.self } }
    """
  private static let clean: [(place: String, text: String)] = [
    ("ListingsModule.swift", module),
    ("Items/Home.swift", "struct Home { struct Kind {} }"),
    ("DataCenter/Homes.swift", "final class Homes { var homes: [Home] = [] }"),
    (
      "Services/HomeService.swift",
      "import CurlTransport\nstruct HomeService { let homes: Homes; let d: Dispatcher }"
    ),
    (
      "Screens/Home/HomeScreen.swift",
      "import SwiftUI\nstruct HomeScreen { let kind: Home.Kind; let s: HomeService }"
    ),
  ]

  @Test("A module whose layers use themselves and those before them passes")
  func clean() { #expect(violations(Self.clean) == []) }

  @Test(
    "J4: a layer that uses a type of a higher one is reported with file, line and remedy",
    arguments: [
      (
        "Items/A.swift", "\nlet a: HomeScreen?",
        "Items/A.swift:2:8: Items may not use 'HomeScreen' of Screens"
      ),
      ("Items/A.swift", "let a = Homes()", "Items/A.swift:1:9: Items may not use 'Homes' of DataCenter"),
      (
        "DataCenter/A.swift", "struct A { func f(_ s: some Sequence<HomeService>) {} }",
        "DataCenter/A.swift:1:38: DataCenter may not use 'HomeService' of Services"
      ),
      (
        "Services/A.swift", "extension HomeScreen {}",
        "Services/A.swift:1:11: Services may not use 'HomeScreen' of"
      ),
      ("Services/A.swift", "let a = Listings.HomeScreen.self", "Services/A.swift:1:18: Services may not use"),
      (
        "Services/A.swift", "let a: ListingsScreens.HomeScreen", "Services/A.swift:1:24: Services may not use"
      ),
      ("Services/A.swift", "typealias A = [HomeScreen]", "Services/A.swift:1:16: Services may not use"),
      (
        "Services/A.swift", "#if NEVER\nlet a: `HomeScreen`\n#endif",
        "Services/A.swift:2:8: Services may not use"
      ),
      ("Services/A.swift", "let a = \"\\(HomeScreen.self)\"", "Services/A.swift:1:12: Services may not use"),
      (
        "Services/A.swift", "let a: Listings /* */\n  .HomeScreen",
        "Services/A.swift:2:4: Services may not use"
      ),
      (
        "Screens/A.swift", "let a: ListingsModule",
        "Screens/A.swift:1:8: Screens may not use 'ListingsModule' of the"
      ),
      ("Items/A.swift", "import SwiftUI", "Items/A.swift:1:8: Items may not import 'SwiftUI' of Screens"),
      ("Items/A.swift", "@testable import ListingsScreens", "Items/A.swift:1:18: Items may not import"),
      (
        "Services/A.swift", "import struct Screens.Card",
        "Services/A.swift:1:15: Services may not import 'Screens'"
      ),
      ("DataCenter/A.swift", "import ListingsServices", "DataCenter/A.swift:1:8: DataCenter may not import"),
    ])
  func upwards(place: String, text: String, expected: String) {
    let found = violations(Self.clean + [(place, text)])
    #expect(found.count == 1 && found.allSatisfy { $0.hasPrefix(expected) }, "\(found)")
  }

  @Test("The whole sentence names the module and the remedy")
  func sentence() {
    let sources = (Self.clean + [("Items/A.swift", "let a: HomeScreen?")]).map {
      ModuleSource(path: "/m/\($0.place)", place: $0.place, text: $0.text.utf8)
    }
    #expect(
      rule.violations(in: sources, of: "/m").map(\.description) == [
        "/m/Items/A.swift:1:8: error: module 'Listings': Items may not use 'HomeScreen' of Screens; move what both "
          + "need down into Items, or this code up into Screens"
      ])
  }

  @Test(
    "Text that only resembles a higher type is no use of it",
    arguments: [
      "// HomeScreen", "/* HomeScreen */", "let a = \"HomeScreen\"", "let a = #\"\\(HomeScreen)\"#",
      "let a = \"\"\"\n  HomeScreen\n  \"\"\"", "let a = /HomeScreen/", "let a = Other.HomeScreen.self",
      "struct A<HomeScreen> { let a: HomeScreen }", "struct A { struct HomeScreen {}; let a: HomeScreen }",
      "let a = HomeScreenTitle()", "private struct HomeScreen {}\nprivate let a = HomeScreen()",
      "func f<HomeScreen>(_ a: HomeScreen) {}",
      "protocol A { associatedtype HomeScreen; var a: HomeScreen { get } }",
    ])
  func lookalikes(text: String) { #expect(violations(Self.clean + [("Items/A.swift", text)]) == []) }

  @Test(
    "A type that a higher layer keeps to its file, or that two layers have, is not taken for a higher one")
  func ambiguousNames() {
    let high = (
      "Screens/Row.swift", "fileprivate struct Row {}\nstruct Cell { private enum State {} }\nstruct Both {}"
    )
    let low = ("DataCenter/Both.swift", "struct Both {}")
    #expect(violations([high, low, ("Items/A.swift", "import Kit\nlet a: Row; let b: State")]) == [])
    let found = violations([high, low, ("Services/A.swift", "let a: Both"), ("Items/B.swift", "let b: Both")])
    #expect(found.map { $0.prefix(45) } == ["Items/B.swift:1:8: Items may not use 'Both' o"], "\(found)")
  }

  @Test(
    "A type that a higher layer adds to a lower one by an extension belongs to the higher layer",
    arguments: [
      "let a: Home.Card", "extension Home { var card: Card { Card() } }",
      "extension Home { struct B { let c: Card } }",
    ])
  func extensionMembers(text: String) {
    let files = Self.clean + [("Screens/Home+Card.swift", "extension Home { struct Card {} }")]
    let found = violations(files + [("Services/A.swift", text)])
    #expect(!found.isEmpty && found.allSatisfy { $0.contains("may not use 'Card' of Screens") }, "\(found)")
    #expect(violations(files + [("Services/A.swift", "struct Deck { let a: Deck.Card; let b: Card }")]) == [])
  }

  @Test(
    "J4: a screen that names a transport, a store or an interceptor is reported with file, line and remedy",
    arguments: [
      (
        "let a: CurlDispatcher",
        "1:8: a screen may not name the transport 'CurlDispatcher'; let a type in Services"
      ),
      ("let a: any Interception.Dispatcher", "1:25: a screen may not name the transport 'Dispatcher'"),
      ("_ = URLSession.shared", "1:5: a screen may not name the transport 'URLSession'"),
      ("_ = try Pipeline(over: x) {}", "1:9: a screen may not name the transport 'Pipeline'"),
      ("_ = client.dispatcher", "1:12: a screen may not name the transport 'dispatcher'"),
      (
        "let a: MemoryStore", "1:8: a screen may not name the store 'MemoryStore'; keep the data by a type in"
      ),
      ("let a = UserDefaults.standard", "1:9: a screen may not name the store 'UserDefaults'"),
      ("\n\nlet a: `SQLiteResponseStore`", "3:8: a screen may not name the store"),
      (
        "let a = LoggingInterceptor()",
        "1:9: a screen may not name the interceptor 'LoggingInterceptor'; give it"
      ),
      ("typealias Net = URLSession", "1:17: a screen may not name the transport 'URLSession'"),
      ("struct Slow: Interceptor {}", "1:8: a screen's file may not declare the interceptor 'Slow'; give it"),
      ("@testable import CurlTransport", "1:18: a screen may not import the transport 'CurlTransport'"),
      ("import class CurlTransport.CurlDispatcher", "1:14: a screen may not import the transport"),
      ("#if os(iOS)\nimport SQLiteStores\n#endif", "2:8: a screen may not import the store 'SQLiteStores'"),
      ("import RequestSigning", "1:8: a screen may not import the interceptor 'RequestSigning'"),
      ("let a = \"\\(URLSession.shared)\"", "1:12: a screen may not name the transport"),
      (
        "@AppStorage(\"tab\") var tab = 0", "1:2: a screen may not name the store 'AppStorage'; keep the data"
      ),
      ("@SwiftUI.SceneStorage(\"tab\") var tab = 0", "1:10: a screen may not name the store 'SceneStorage'"),
      ("let a: WebSocket", "1:8: a screen may not name the transport 'WebSocket'; let a type in Services"),
      ("let a: ReconnectingWebSocket?", "1:8: a screen may not name the transport 'ReconnectingWebSocket'"),
      ("let a = FileDownload(x)", "1:9: a screen may not name the transport 'FileDownload'"),
      ("let a: [FileUpload]", "1:9: a screen may not name the transport 'FileUpload'"),
      ("let a: MutationQueue", "1:8: a screen may not name the store 'MutationQueue'"),
      ("let a: ActivityLog", "1:8: a screen may not name the store 'ActivityLog'"),
      ("import WebSockets", "1:8: a screen may not import the transport 'WebSockets'"),
      ("import WebSocketCompression", "1:8: a screen may not import the transport 'WebSocketCompression'"),
      ("import Downloads", "1:8: a screen may not import the transport 'Downloads'"),
      ("import Uploads", "1:8: a screen may not import the transport 'Uploads'"),
      ("import OfflineMutations", "1:8: a screen may not import the store 'OfflineMutations'"),
      ("import ActivityReporting", "1:8: a screen may not import the store 'ActivityReporting'"),
    ])
  func screens(text: String, expected: String) {
    let found = screen(text)
    #expect(found.first?.hasPrefix("Screens/S.swift:\(expected)") == true, "\(found)")
  }

  @Test("A screen that uses an item, a client or a manager names none of them")
  func permitted() {
    #expect(
      screen(
        """
        import Interception
        import Switchyard
        // CurlDispatcher
        let a = "URLSession", b: APIClient, c: LoadState<Int, APIError>, restore = 1, dispatcher = 2
        func makeStore() {}
        #if canImport(CurlTransport)
        #endif
        """) == [])
    #expect(
      violations([
        ("Items/GroceryStore.swift", "struct GroceryStore {}"), ("Screens/S.swift", "let a: GroceryStore"),
      ]) == [])
  }

  @Test(
    "A name stands for what its declaration says, in the module and in the targets that it uses",
    arguments: [
      "typealias Net = CurlTransport.CurlDispatcher", "struct Net: Interceptor {}",
      "final class Net: URLSession {}",
      "typealias Net = Wire\nprotocol Wire: Dispatcher {}", "struct Net {}\nextension Net: ResponseStore {}",
      "typealias Wire = (\n  any Dispatcher)\ntypealias Net = Wire",
    ])
  func derived(declaration: String) {
    let use = ("Screens/S.swift", "let a: Net")
    for found in [
      violations([use, ("Services/Net.swift", declaration)]), violations([use], shared: [declaration]),
    ] {
      #expect(
        found.count == 1 && found[0].hasPrefix("Screens/S.swift:1:8: a screen may not name the"), "\(found)")
    }
    #expect(violations([use], shared: ["struct Net: Sendable { let a: CurlDispatcher }"]) == [])
  }

  @Test(
    "A declaration that a screen's file does not see makes no name in it a store or transport",
    arguments: [
      ("private final class Model: NSCache<A, B> {}", "struct Model {}\nlet a: Model"),
      ("fileprivate typealias Model = URLSession", "struct Model {}\nlet a: Model"),
      ("private class Model {}\nextension Model: ResponseStore {}", "let a: Model"),
      ("private enum Box { class Model: NSCache<A, B> {} }", "let a: Box.Model"),
      ("enum Box { final class Model: NSCache<A, B> {} }", "struct Model {}\nlet a: Model"),
      ("enum Box { private class Model: NSCache<A, B> {} }", "let a: Box.Model"),
      ("enum Box { class Model: NSCache<A, B> {} }", "struct Deck { struct Model {}; let a: Deck.Model }"),
      ("class Model: NSCache<A, B> {}", "private struct Model {}\nprivate let a: Model"),
      ("class Model: NSCache<A, B> {}", "struct Deck { struct Model {}; let a: Model }"),
    ])
  func unseen(service: String, text: String) {
    #expect(violations([("Services/Model.swift", service), ("Screens/S.swift", text)]) == [])
  }

  @Test(
    "A nested store is one where its owner names it, and a file-private one in its own file",
    arguments: [
      "let a: Box.Model", "extension Box { func f(_ a: Model) {} }", "typealias Kept = Box.Model",
      "private class Own: URLSession {}",
    ])
  func seen(text: String) {
    let found = violations([
      ("Services/Box.swift", "enum Box { class Model: NSCache<Key, Value> {} }"),
      ("Screens/S.swift", text),
    ])
    #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("Screens/S.swift:1:") }, "\(found)")
  }

  @Test(
    "A file in no layer is reported with the remedy",
    arguments: [
      ("Home.swift", "the file is in no layer; move it into Items, DataCenter, Services or Screens"),
      (
        "Helpers/Home.swift",
        "'Helpers' is no layer; move the file into Items, DataCenter, Services or Screens"
      ),
      ("Views/Screens/Home.swift", "'Views' is no layer; move the file into"),
      ("Screen/Home.swift", "'Screen' is no layer; rename the folder to Screens"),
      ("screens/Home.swift", "'screens' is no layer; rename the folder to Screens"),
      ("Sevrices/Home.swift", "'Sevrices' is no layer; rename the folder to Services"),
      ("Data Center/Home.swift", "'Data Center' is no layer; rename the folder to DataCenter"),
      ("Datacentre/Home.swift", "'Datacentre' is no layer; rename the folder to DataCenter"),
      ("Itmes/Home.swift", "'Itmes' is no layer; rename the folder to Items"),
    ])
  func places(place: String, expected: String) {
    let found = violations([(place, "let a = 1")])
    #expect(found.count == 1 && found[0].hasPrefix("\(place):1:1: \(expected)"), "\(found)")
  }

  @Test("Beside the layers is only what declares the module")
  func moduleFile() {
    #expect(
      violations([("ListingsModule.swift", "extension Array {}"), ("ListingsModule+Tabs.swift", "")]) == [])
    #expect(violations([("Module.swift", "struct M: Mediation.BusinessModule {}")]) == [])
    #expect(
      violations([
        ("ListingsModule.swift", "struct M: BusinessModule {}\nstruct HomeScreen { let a: URLSession }")
      ]) == [
        "ListingsModule.swift:2:8: 'HomeScreen' is declared beside the module and in no layer; move it into Items, "
          + "DataCenter, Services or Screens"
      ])
  }

  @Test(
    "The module may conform in an extension, through a refinement or an alias, and contain types",
    arguments: [
      ("struct ListingsModule {}\nextension ListingsModule: BusinessModule {}", ""),
      ("struct ListingsModule {}", "extension ListingsModule: BusinessModule {}"),
      ("struct ListingsModule: EstateModule {}", ""),
      ("struct ListingsModule: Contract.EstateModule {}", ""),
      ("struct ListingsModule: Renamed {}", ""),
      ("class ListingsModule: Base {}", ""),
      ("struct ListingsModule: BusinessModule { enum Key { case a } }", ""),
      ("struct ListingsModule: BusinessModule {}\nextension ListingsModule { private struct Helper {} }", ""),
    ])
  func conformances(text: String, other: String) {
    let shared = [
      "protocol EstateModule: BusinessModule {}", "typealias Renamed = EstateModule\nclass Base: Renamed {}",
    ]
    for name in ["ListingsModule.swift", "Module.swift"] {
      let files = [(name, text), ("ListingsModule+Mediation.swift", other)]
      #expect(violations(files, shared: shared) == [], "\(name)")
    }
  }

  @Test("A module without a Swift file is reported by its folder")
  func emptyModule() {
    #expect(
      rule.violations(in: [], of: "/m/Listings").map(\.description) == [
        "/m/Listings:1:1: error: module 'Listings': there is no Swift file; write ListingsModule.swift, or remove "
          + "the target"
      ])
    #expect(violations([("ListingsModule.swift", "")]) == [])
  }

  @Test(
    "Long and deeply nested text is read in time",
    .timeLimit(.minutes(5)),
    arguments: [
      "{", "}", "struct A<", "class ", "typealias A = ", "extension A.", "a.b", "protocol A: ", "private ",
      "#if\n",
      "func f<A, ", "actor A:", "extension A { struct B { b ",
    ])
  func hostile(piece: String) {
    #expect(screen(String(repeating: piece, count: 5_000) + "\n;let a: URLSession").count <= 1)
  }
}
