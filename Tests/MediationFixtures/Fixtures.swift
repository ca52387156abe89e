package import Mediation
import Synchronization

package struct HouseRoute: Route, Equatable {
  package static let pattern: RoutePattern = "estate://home/{id:int}?tab={tab?}"
  package static let exposure: Exposure = .link([
    .scheme("estate"), .universal(host: "estate.example"), .push,
  ])
  package let id: Int
  package var tab: String?

  package init(id: Int, tab: String? = nil) {
    self.id = id
    self.tab = tab
  }

  package init(from input: RouteInput) throws(RouteError) {
    id = try input.value("id")
    tab = try input.optional("tab")
  }

  package func write(to output: inout RouteOutput) {
    output.set("id", to: id)
    output.set("tab", to: tab)
  }
}

package struct PriceRoute: Route {
  package typealias Output = Int
  package static let pattern: RoutePattern = "estate://price?id={id:int}"
  package let id: Int

  package init(id: Int) { self.id = id }
  package init(from input: RouteInput) throws(RouteError) { id = try input.value("id") }
  package func write(to output: inout RouteOutput) { output.set("id", to: id) }
}

package struct LoginRoute: ParameterlessRoute {
  package typealias Output = Bool
  package static let pattern: RoutePattern = "estate://login"

  package init() {}
}

package struct LedgerRoute: ParameterlessRoute {
  package typealias Output = String
  package static let pattern: RoutePattern = "estate://ledger"
  package static let exposure: Exposure = .moduleOnly

  package init() {}
}

/// A route with a value that no URL can carry.
package struct MapRoute: NativeRoute {
  package typealias Output = String
  package let transform: @Sendable (String) -> String

  package init(transform: @escaping @Sendable (String) -> String) { self.transform = transform }
}

/// A module whose declarations are a closure.
package struct TestModule: BusinessModule {
  package let name: String
  let declaring: @Sendable (inout RouteTable) -> Void

  package init(_ name: String = "Homes", _ declaring: @escaping @Sendable (inout RouteTable) -> Void) {
    self.name = name
    self.declaring = declaring
  }

  package func declare(into table: inout RouteTable) { declaring(&table) }
}

package struct TestGuard: RouteGuard {
  package let id: String
  package var priority = 0
  let checking: @Sendable (RouteSummary, RouteContext) async throws -> GuardVerdict

  package init(
    _ id: String, priority: Int = 0,
    _ checking: @escaping @Sendable (RouteSummary, RouteContext) async throws -> GuardVerdict
  ) {
    self.id = id
    self.priority = priority
    self.checking = checking
  }

  package func check(_ target: RouteSummary, _ context: RouteContext) async throws -> GuardVerdict {
    try await checking(target, context)
  }
}

/// Records events, one line each.
package final class Journal: RouteObserver {
  private let state = Mutex<[String]>([])

  package init() {}

  package var lines: [String] { state.withLock { $0 } }

  package func note(_ line: String) { state.withLock { $0.append(line) } }

  package func observe(_ event: RouteEvent) {
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
package final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  package init() {}

  package func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  package func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

extension RouteError {
  package var caseName: String {
    switch self {
    case .malformedURL: "malformedURL"
    case .notFound: "notFound"
    case .forbidden: "forbidden"
    case .parameter(let name, let reason, _): "parameter \(name) \(reason)"
    case .rejected(let guardID, _): "rejected \(guardID)"
    case .overdue(let guardID, let limit): "overdue \(guardID) \(limit)"
    case .linkDropped(let limit): "linkDropped \(limit)"
    case .linkSuperseded(let url): "linkSuperseded \(url)"
    case .redirectLoop: "redirectLoop"
    case .dismissed: "dismissed"
    case .cancelled: "cancelled"
    case .resultMismatch(let expected, let got): "resultMismatch \(expected) \(got)"
    case .failed: "failed"
    }
  }
}

/// Returns the name of the error that an operation throws, or nil.
package func errorName(_ operation: () async throws(RouteError) -> Void) async -> String? {
  do throws(RouteError) {
    try await operation()
    return nil
  } catch {
    return error.caseName
  }
}
