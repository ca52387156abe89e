public import Mediation

extension MediationRun {
  /// Checks that the URL of each route reads back as an equal route, in the table of all modules.
  ///
  /// This also finds a route whose URL matches another, more specific route. A route that isn't `Equatable`
  /// must read back as one that writes the same URL.
  ///
  /// - Throws: `MediationCheckFailure` with every sample that does not round-trip.
  public func checkRoundTrip<R: Route>(_ samples: R...) throws(MediationCheckFailure) {
    try check(samples) { [mediator] sample, back, url in
      if let isEqual = (sample as? any Equatable)?.equals(back) {
        return isEqual ? nil : "reads back as \(back); write and read the same parameters"
      }
      do throws(RouteError) {
        let again = try mediator.url(for: back)
        return again == url ? nil : "is written back as \(again); write and read the same parameters"
      } catch {
        return "can be read, but not written back: \(error)"
      }
    }
  }

  private func check<R: Route>(
    _ samples: [R], _ compare: (R, R, String) -> String?
  ) throws(MediationCheckFailure) {
    let module = mediator.routes.first { $0.pattern == R.pattern.text }?.module ?? ""
    let problems = samples.compactMap { sample -> String? in
      do throws(RouteError) {
        let url = try mediator.url(for: sample)
        guard let back = try mediator.route(at: url, asking: module) as? R else {
          let other = try mediator.resolve(url, origin: .native(module: module))
          return
            "\(sample): its URL \(url) opens \(other.name) of module \(other.module); change one of the patterns."
        }
        return compare(sample, back, url).map { "\(sample): its URL \(url) \($0)." }
      } catch {
        return "\(sample): \(error)"
      }
    }
    if problems.isEmpty { return }
    throw MediationCheckFailure(law: "The URL of a route opens that route.", problems: problems)
  }
}

extension Equatable {
  /// Whether another value of this type is equal; nil for a value of another type.
  fileprivate func equals(_ other: Any) -> Bool? { (other as? Self).map { $0 == self } }
}

extension MediationKit {
  /// Checks the round trip of a contract's routes on their own, without modules.
  ///
  /// - Throws: `MediationCheckFailure` with every sample that does not round-trip, or `RouteTableIssue` if
  ///   the pattern is faulty.
  @MainActor public static func checkRoundTrip<R: Route & Equatable>(_ samples: R...) throws {
    let (scheme, host) = parts(of: R.pattern)
    let run = try MediationKit(
      schemes: [scheme], hosts: [host], modules: [ContractModule<R>()]
    ).start()
    for sample in samples { try run.checkRoundTrip(sample) }
  }

  private static func parts(of pattern: RoutePattern) -> (scheme: String, host: String) {
    let scheme = pattern.text.prefix { $0 != ":" }
    let host = pattern.text.dropFirst(scheme.count + 3).prefix { $0 != "/" && $0 != "?" }
    return (String(scheme), scheme == "https" || scheme == "http" ? String(host) : "localhost")
  }
}

/// Declares one route, which never runs.
private struct ContractModule<R: Route>: BusinessModule {
  let name = "Contract"

  func declare(into table: inout RouteTable) {
    table.route(R.self, file: #fileID, line: #line) { _, _ in .shown }
  }
}

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
