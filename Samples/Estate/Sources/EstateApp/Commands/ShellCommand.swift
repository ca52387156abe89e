import Switchyard

/// A word that can be typed instead of a URL.
struct ShellCommand: Sendable {
  let name: String
  /// What follows the name; empty if nothing does.
  let argument: String
  let summary: String
  let run: @MainActor @Sendable (EstateShell, Substring?) async -> Void

  init(
    _ name: String, taking argument: String = "", _ summary: String,
    _ run: @escaping @MainActor @Sendable (EstateShell, Substring?) async -> Void
  ) {
    self.name = name
    self.argument = argument
    self.summary = summary
    self.run = run
  }

  /// All commands, in the order in which they are listed.
  static let all = screens + photos + inspection + telemetry + system

  /// The commands that stand for reports of the system.
  private static let system = [
    ShellCommand("background", "the app is no longer visible") { shell, _ in
      await shell.deliver(.background)
    },
    ShellCommand("foreground", "the app is visible again") { shell, _ in await shell.deliver(.foreground) },
    ShellCommand("memory", "memory is low") { shell, _ in await shell.deliver(.memoryWarning) },
  ]
}
