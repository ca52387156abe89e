import Screens
import SettingsRoutes

/// What is switched, what the app is loading, and what it has recorded.
struct SettingsScreen: ContentScreen {
  let switchboard: Switchboard
  let addresses: @MainActor @Sendable () -> KnownAddresses
  let status: @MainActor @Sendable () -> [String]
  let journal: @MainActor @Sendable () -> [String]

  var content: ScreenContent {
    let known = addresses()
    return ScreenContent(
      title: "Settings",
      blocks: [
        Self.choices(
          "Environment", of: switchboard.environment, at: "environment",
          detail: "server \(switchboard.server)"),
        Self.choices("Network", of: switchboard.network, at: "network"),
        Self.choices("Signatures", of: switchboard.signatures, at: "signatures"),
      ] + status().map(ContentBlock.text) + [known.block, .text(known.network)]
        + [.heading("Recorded actions")] + journal().map(ContentBlock.text),
      actions: [
        .show("Recorded actions", "estate://settings/activity"),
        .show("Addresses", "estate://settings/network"),
        .perform("Log out", "estate://logout"),
      ])
  }

  private static func choices<Choice: RawRepresentable<String> & CaseIterable & Equatable>(
    _ label: String, of selected: Choice, at path: String, detail: String? = nil
  ) -> ContentBlock {
    let all = Array(Choice.allCases)
    return .choices(
      label, detail: detail,
      options: all.map { .perform($0.rawValue, "estate://settings/\(path)/\($0.rawValue)") },
      selected: all.firstIndex(of: selected))
  }
}
