import Mediation
import Synchronization

struct HouseRoute: Route, Equatable {
  static let pattern: RoutePattern = "estate://home/{id:int}?tab={tab?}"
  static let exposure: Exposure = .link([.scheme("estate"), .universal(host: "estate.example"), .push])
  let id: Int
  var tab: String?

  init(id: Int, tab: String? = nil) {
    self.id = id
    self.tab = tab
  }

  init(from input: RouteInput) throws(RouteError) {
    id = try input.value("id")
    tab = try input.optional("tab")
  }

  func write(to output: inout RouteOutput) {
    output.set("id", to: id)
    output.set("tab", to: tab)
  }
}

struct PriceRoute: Route {
  typealias Output = Int
  static let pattern: RoutePattern = "estate://price?id={id:int}"
  let id: Int

  init(id: Int) { self.id = id }
  init(from input: RouteInput) throws(RouteError) { id = try input.value("id") }
  func write(to output: inout RouteOutput) { output.set("id", to: id) }
}

struct LoginRoute: ParameterlessRoute {
  typealias Output = Bool
  static let pattern: RoutePattern = "estate://login"
}

struct LedgerRoute: ParameterlessRoute {
  typealias Output = String
  static let pattern: RoutePattern = "estate://ledger"
  static let exposure: Exposure = .moduleOnly
}

/// A route with a value that no URL can carry.
struct MapRoute: NativeRoute {
  typealias Output = String
  let transform: @Sendable (String) -> String
}

/// A module whose declarations are a closure.
struct TestModule: BusinessModule {
  let name: String
  let declaring: @Sendable (inout RouteTable) -> Void

  init(_ name: String = "Homes", _ declaring: @escaping @Sendable (inout RouteTable) -> Void) {
    self.name = name
    self.declaring = declaring
  }

  func declare(into table: inout RouteTable) { declaring(&table) }
}

struct TestGuard: RouteGuard {
  let id: String
  var priority = 0
  let checking: @Sendable (RouteSummary, RouteContext) async throws -> GuardVerdict

  init(
    _ id: String, priority: Int = 0,
    _ checking: @escaping @Sendable (RouteSummary, RouteContext) async throws -> GuardVerdict
  ) {
    self.id = id
    self.priority = priority
    self.checking = checking
  }

  func check(_ target: RouteSummary, _ context: RouteContext) async throws -> GuardVerdict {
    try await checking(target, context)
  }
}

/// Records events, one line each.
final class Journal: RouteObserver {
  private let state = Mutex<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  func note(_ line: String) { state.withLock { $0.append(line) } }

  func observe(_ event: RouteEvent) {
    switch event {
    case .opened(let summary, let origin, let opener):
      note("opened \(summary.name) \(origin.isExternal ? "outside" : "inside") by \(opener ?? "-")")
    case .answered(let summary): note("answered \(summary.name)")
    case .verdict(let verdict, let guardID, _): note("verdict \(guardID) \(verdict)")
    case .linkWaits(let url, _): note("linkWaits \(url)")
    case .redirected(let from, let to, let rule, let version):
      note("redirected \(from) to \(to) by \(rule) of \(version)")
    case .redirectsChanged(let version): note("redirects \(version.map(String.init) ?? "-")")
    case .fellBack(let url, _, let error): note("fellBack \(url) \(error.caseName)")
    case .failed(_, let name, _, let error): note("failed \(name ?? "-") \(error.caseName)")
    }
  }
}

/// A gate that opens once and resumes all waiting tasks.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

extension RouteError {
  var caseName: String {
    switch self {
    case .malformedURL: "malformedURL"
    case .notFound: "notFound"
    case .forbidden: "forbidden"
    case .parameter(let name, let reason): "parameter \(name) \(reason)"
    case .rejected(let guardID, _): "rejected \(guardID)"
    case .overdue(let guardID, let limit): "overdue \(guardID) \(limit)"
    case .linkDropped(let limit): "linkDropped \(limit)"
    case .redirectLoop: "redirectLoop"
    case .dismissed: "dismissed"
    case .cancelled: "cancelled"
    case .resultMismatch(let expected, let got): "resultMismatch \(expected) \(got)"
    case .failed: "failed"
    }
  }
}

/// Yields until a condition holds or the test is cancelled by its time limit.
func until(_ condition: () -> Bool) async {
  while !condition(), !Task.isCancelled { await Task.yield() }
}

/// Returns the name of the error that an operation throws, or nil.
func errorName(_ operation: () async throws(RouteError) -> Void) async -> String? {
  do throws(RouteError) {
    try await operation()
    return nil
  } catch {
    return error.caseName
  }
}
