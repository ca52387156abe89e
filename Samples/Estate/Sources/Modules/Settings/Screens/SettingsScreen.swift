import SettingsRoutes
import TerminalScreens

/// What is switched, and what the app is loading.
struct SettingsScreen: TerminalScreen {
  let title = "Settings"
  let lines: [String]

  init(settings: AppSettings, status: @MainActor () -> [String]) {
    lines =
      [
        "Environment: \(settings.environment.rawValue), server \(settings.server)",
        "Network: \(settings.network.rawValue)",
        "Signatures: \(settings.signatures.rawValue)",
      ] + status()
  }
}
