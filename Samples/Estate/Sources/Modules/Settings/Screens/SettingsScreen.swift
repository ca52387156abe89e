import Screens
import SettingsRoutes

/// What is switched, what the app is loading, and what it has recorded.
struct SettingsScreen: ContentScreen {
  let switchboard: Switchboard
  let addresses: @MainActor @Sendable () -> KnownAddresses
  let status: @MainActor @Sendable () -> [String]
  let journal: @MainActor @Sendable () -> [String]

  var content: ScreenContent {
    let settings = switchboard.settings
    let known = addresses()
    return ScreenContent(
      title: "Settings",
      blocks: [
        .choices(
          Self.group(
            "Environment", of: settings.environment, at: "environment", detail: "server \(settings.server)")),
        .choices(Self.group("Network", of: settings.network, at: "network")),
        .choices(Self.group("Signatures", of: settings.signatures, at: "signatures")),
      ] + status().map(ContentBlock.text) + [known.block, .text(known.network)]
        + [.heading("Recorded actions")] + journal().map(ContentBlock.text),
      actions: [
        .show("Recorded actions", "estate://settings/activity"),
        .show("Addresses", "estate://settings/network"),
        .perform("Log out", "estate://logout"),
      ])
  }

  private static func group<Choice: RawRepresentable<String> & CaseIterable & Equatable>(
    _ label: String, of selected: Choice, at path: String, detail: String? = nil
  ) -> ChoiceGroup {
    ChoiceGroup(
      label, detail: detail,
      options: Choice.allCases.map { choice in
        .init(
          choice.rawValue, route: "estate://settings/\(path)/\(choice.rawValue)",
          isSelected: choice == selected)
      })
  }
}
