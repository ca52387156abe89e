import Screens

/// The state of the journal, and the newest actions that the server has.
struct ActivityScreen: ContentScreen {
  let content: ScreenContent

  init(journal: [String], server: RecentActivityAPI.Output) {
    let rows = server.events.map { action in
      let route = action.attributes.route.map { " \($0)" } ?? ""
      let module = action.attributes.module.map { " of \($0)" } ?? ""
      return "\(Self.time(action.time))  \(action.name)\(route)\(module)"
    }
    content = ScreenContent(
      title: "Activity",
      blocks: (journal + ["The server has received \(server.received); the last ones:"] + rows)
        .map(ContentBlock.text),
      actions: [.show("All settings", "estate://settings")])
  }

  /// The time of day in UTC, such as `09:05:00`.
  private static func time(_ secondsSince1970: Double) -> String {
    let seconds = Int(exactly: secondsSince1970.rounded(.down)) ?? 0
    let day = seconds % 86_400
    return [day / 3600, day / 60 % 60, day % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
