import EstateNetwork
import Inspection
import Switchyard

/// Records each route that is opened: its name and module, and none of its parameters, which may be private.
struct ActivityObserver: RouteObserver {
  let journal: ActivityJournal
  let inspector: Inspector?

  func observe(_ event: RouteEvent) {
    guard case .opened(let route, _, _) = event else { return }
    journal.record("opened", ["route": route.name, "module": route.module])
    inspector?.note("Recorded: opened \(route.name)", detail: route.module, about: .action)
  }
}
