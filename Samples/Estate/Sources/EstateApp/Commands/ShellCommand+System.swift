import Switchyard

extension ShellCommand {
  /// The commands that stand for reports of the system.
  static let system = [
    ShellCommand("background", "the app is no longer visible") { shell, _ in
      await shell.deliver(.background)
    },
    ShellCommand("foreground", "the app is visible again") { shell, _ in await shell.deliver(.foreground) },
    ShellCommand("memory", "memory is low") { shell, _ in await shell.deliver(.memoryWarning) },
  ]
}
