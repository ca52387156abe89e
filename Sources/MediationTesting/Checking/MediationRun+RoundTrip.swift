public import Mediation

extension MediationRun {
  /// Checks that each route's URL leads back to an equal route, in the table of all modules.
  ///
  /// So it also finds a route whose URL another, more specific one takes.
  ///
  /// - Throws: `MediationCheckFailure` with every sample that does not come back.
  public func checkRoundTrip<R: Route & Equatable>(_ samples: R...) throws(MediationCheckFailure) {
    try check(samples) { sample, back, _ in
      back == sample ? nil : "reads back as \(back); write and read the same parameters"
    }
  }

  /// Checks that each route's URL leads back to a route that writes the same URL, in the table of all
  /// modules.
  ///
  /// - Throws: `MediationCheckFailure` with every sample that does not come back.
  public func checkRoundTrip<R: Route>(_ samples: R...) throws(MediationCheckFailure) {
    try check(samples) { [mediator] _, back, url in
      do throws(RouteError) {
        let again = try mediator.url(for: back)
        return again == url ? nil : "is written again as \(again); write and read the same parameters"
      } catch {
        return "is read, but then not written: \(error)"
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
            "\(sample): its URL \(url) leads to \(other.name) of module \(other.module); change one of the patterns."
        }
        return compare(sample, back, url).map { "\(sample): its URL \(url) \($0)." }
      } catch {
        return "\(sample): \(error)"
      }
    }
    if problems.isEmpty { return }
    throw MediationCheckFailure(law: "The URL of a route leads back to it.", problems: problems)
  }
}

extension MediationKit {
  /// Checks the round trip of a contract's routes by themselves, without any module.
  ///
  /// - Throws: `MediationCheckFailure` with every sample that does not come back, or `RouteTableIssue` if the
  ///   pattern is faulty.
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

/// Declares one route, which is never run.
private struct ContractModule<R: Route>: BusinessModule {
  let name = "Contract"

  func declare(into table: inout RouteTable) {
    table.route(R.self, file: #fileID, line: #line) { _, _ in .shown }
  }
}
