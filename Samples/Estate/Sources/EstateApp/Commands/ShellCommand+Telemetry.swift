import EstateNetwork
import Foundation
import Switchyard

extension ShellCommand {
  /// The commands that show what was recorded about requests, and about the user.
  static let telemetry = [
    ShellCommand("metrics", "the calls of each API, their errors and mean times, and the connections") {
      shell, _ in shell.say(await shell.metricsLines())
    },
    ShellCommand("spans", "the spans of the last call that sent a request") { shell, _ in
      shell.say(shell.spanLines.isEmpty ? ["no request was sent yet"] : shell.spanLines)
    },
    ShellCommand("har", taking: "FILE", "writes the user's last exchanges, redacted, as an HTTP archive") {
      shell, file in
      guard let file else { return shell.say("  ! say har FILE") }
      shell.writeArchive(to: String(file))
    },
    ShellCommand("cache", "the hit ratios that this run would have had with other limits of the cache") {
      shell, _ in shell.say(shell.responses.adviceLines)
    },
    ShellCommand("activity", "the user's actions: those that wait, were uploaded or lost") {
      shell, _ in shell.say(shell.journal?.lines ?? ["the user's actions are not recorded"])
    },
  ]
}

extension EstateShell {
  /// Writes the last exchanges of the present user, a member or a guest, to a file, and prints why that is
  /// not possible.
  package func writeArchive(to file: String) {
    do {
      try Data(telemetry.archive.archive(of: session.name ?? "")).write(to: URL(filePath: file))
      say("  written to \(file); the network panel of a browser imports it")
    } catch {
      say("  ! \(file) can't be written: \(error.localizedDescription)")
    }
  }
}
