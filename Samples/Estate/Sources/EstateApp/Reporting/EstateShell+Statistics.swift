import EstateNetwork
import Navigation

extension EstateShell {
  /// What the app does around the screens of all modules: it records how often and how long each is seen.
  ///
  /// A visit has two actions, when the screen is entered and when it is left for good, however often the user
  /// returns to it in between. They name routes and none of their parameters, which may be private.
  ///
  /// - Throws: `ScreenAspectIssue` if the aspects are in a wrong order.
  nonisolated static func aspects(_ journal: ActivityJournal?) throws -> ScreenAspects {
    guard let journal else { return ScreenAspects() }
    return try ScreenAspects([
      ScreenStatistics { entry in
        switch entry.kind {
        case .entered: journal.record(entry.name, attributes(of: entry))
        case .left: journal.record(entry.name, attributes(of: entry), milliseconds: entry.milliseconds)
        case .covered, .uncovered: break
        }
      }
    ])
  }

  nonisolated private static func attributes(of entry: ScreenStatistics.Entry) -> [String: String] {
    var attributes = entry.isRestored ? ["restored": "yes"] : [:]
    attributes["route"] = entry.route
    attributes["module"] = entry.module
    attributes["opener"] = entry.opener
    return attributes
  }
}
