import Mediation

extension MediationRun {
  /// Checks that somebody decided about every route that links reach: a guard, or the test by calling it
  /// open.
  ///
  /// - Parameters:
  ///   - open: The names of the route types that anybody may reach; a name that is no link route's is a
  ///     problem as well.
  ///   - appGuards: The ids of guards of the whole app that decide about links. Others of the app's don't
  ///     count, since a guard that is asked for every route need not look at each.
  /// - Throws: `MediationCheckFailure` with every undecided route.
  public func checkExposure(
    open: Set<String> = [], decidedBy appGuards: Set<String> = []
  ) throws(MediationCheckFailure) {
    let links = mediator.routes.filter { $0.reach == .link }
    var problems: [String] = []
    for route in links where !open.contains(route.name) {
      let deciding = route.guards.filter { !self.appGuards.contains($0) || appGuards.contains($0) }
      if deciding.isEmpty {
        problems.append(
          "\(route.name) \"\(route.pattern ?? "")\" of module \(route.module) is open to links and no guard decides; guard it "
            + "(\(route.file):\(route.line)), narrow its exposure, or call it open.")
      }
    }
    let known = Set(links.map(\.name))
    for name in open.subtracting(known).sorted() {
      problems.append(
        "\(name) is called open, but no link reaches a route of that name; remove it from the list.")
    }
    for id in appGuards.subtracting(self.appGuards).sorted() {
      problems.append("The app has no guard \"\(id)\"; correct the id.")
    }
    if problems.isEmpty { return }
    throw MediationCheckFailure(
      law: "Every route that links reach is guarded or called open.", problems: problems)
  }
}
