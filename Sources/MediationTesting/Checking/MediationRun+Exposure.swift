import Mediation

extension MediationRun {
  /// Checks that every route that links can reach has a guard that decides about links, or is listed as open.
  ///
  /// - Parameters:
  ///   - open: The names of the route types that any link may reach. It is a problem if no link can reach a
  ///     route with a listed name.
  ///   - appGuards: The ids of the app's guards that decide about links. The app's other guards do not count,
  ///     because they run for every route and may ignore some.
  /// - Throws: `MediationCheckFailure` with every route that is neither guarded nor open.
  public func checkExposure(
    open: Set<String> = [], decidedBy appGuards: Set<String> = []
  ) throws(MediationCheckFailure) {
    let links = mediator.routes.filter { $0.reach == .link }
    var problems: [String] = []
    for route in links where !open.contains(route.name) {
      let deciding = route.guards.filter { !self.appGuards.contains($0) || appGuards.contains($0) }
      if deciding.isEmpty {
        problems.append(
          "\(route.name) \"\(route.pattern ?? "")\" of module \(route.module) can be reached by links without a guard; guard it "
            + "(\(route.file):\(route.line)), narrow its exposure, or list it as open.")
      }
    }
    let known = Set(links.map(\.name))
    for name in open.subtracting(known).sorted() {
      problems.append(
        "\(name) is listed as open, but no link can reach a route with this name; remove it from the list.")
    }
    for id in appGuards.subtracting(self.appGuards).sorted() {
      problems.append("The app has no guard \"\(id)\"; correct the id.")
    }
    if problems.isEmpty { return }
    throw MediationCheckFailure(
      law: "Every route that links can reach is guarded or listed as open.", problems: problems)
  }
}
