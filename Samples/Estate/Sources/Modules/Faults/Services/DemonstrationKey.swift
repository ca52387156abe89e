import Mediation

/// Whether the app lets failures be provoked; an app that does not say so does not.
package enum DemonstrationKey: RouteEnvironmentKey {
  package static let defaultValue = false
}
