import Switchyard

/// Prints what happens to links, redirect tables and modules, which no screen shows.
struct RouteReport: RouteObserver {
  let console: any Console

  func observe(_ event: RouteEvent) {
    switch event {
    case .linkWaits(let url, _): console.write("  · \(url) waits until the app can show it")
    case .redirected(let from, let to, _, let version):
      console.write("  · \(from) leads to \(to), says redirect table \(version)")
    case .redirectsChanged(let version?): console.write("  · redirect table \(version) is in force")
    case .redirectsChanged(nil): console.write("  · no redirect table is in force")
    case .opened(let route, let origin, _) where origin.isExternal:
      console.write("  · \(route.name) is opened by a link from outside")
    case .opened, .answered, .verdict, .fellBack, .failed: break
    }
  }

  func observe(_ event: ModuleEvent) {
    switch event {
    case .loaded(let name, _, _): console.write("  · \(name) is created at its first use")
    case .loadFailed(let name, _, let error, _): console.write("  · \(name) could not be created: \(error)")
    case .released(let name): console.write("  · \(name) is released until its next use")
    case .delivered(let event, let entry):
      let result = entry.failure.map { "failed: \($0)" } ?? "done"
      let delay = entry.ownTime > .milliseconds(100) ? ", which took \(entry.ownTime)" : ""
      console.write("  · \(event.kind) in \(entry.module): \(result)\(delay)")
    }
  }
}
