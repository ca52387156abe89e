import Mediation

/// Prints what happens to links and redirect tables, which no screen shows.
struct RouteReport: RouteObserver {
  let console: any Console

  func observe(_ event: RouteEvent) {
    switch event {
    case .linkWaits(let url, _): console.write("  · \(url) waits until the app can show it")
    case .redirected(let from, let to, _, let version):
      console.write("  · \(from) leads to \(to), says redirect table \(version)")
    case .redirectsChanged(let version?): console.write("  · redirect table \(version) is in force")
    case .redirectsChanged(nil): console.write("  · no redirect table is in force")
    case .opened, .answered, .verdict, .fellBack, .failed: break
    }
  }
}
