import Mediation

/// Refuses the module's routes in an app that is no demonstration.
struct DemonstrationGuard: RouteGuard {
  let id = "demonstration"

  func check(_ target: RouteSummary, _ context: RouteContext) async throws -> GuardVerdict {
    context[DemonstrationKey.self]
      ? .proceed : .reject("this app does not let \(context.opener ?? "its user") provoke failures")
  }
}

/// Whether the app lets failures be provoked; an app that does not say so does not.
package enum DemonstrationKey: RouteEnvironmentKey {
  package static let defaultValue = false
}
