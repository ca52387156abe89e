import EstateNetwork
import Foundation
import RequestLogging

extension ShellCommand {
  /// The commands that show what was recorded about requests, and about the user.
  static let telemetry = [
    ShellCommand("metrics", "the calls of each API, their errors and mean times, and the connections") {
      shell, _ in
      for line in await shell.metricsLines() { shell.say("  " + line) }
    },
    ShellCommand("spans", "the spans of the last call that sent a request") { shell, _ in
      let lines = shell.spanLines
      for line in lines.isEmpty ? ["no request was sent yet"] : lines { shell.say("  " + line) }
    },
    ShellCommand("har", taking: "FILE", "writes the last exchanges, redacted, as an HTTP archive") {
      shell, file in
      guard let file else { return shell.say("  ! say har FILE") }
      shell.writeArchive(to: String(file))
    },
    ShellCommand("activity", "the user's actions: those that wait, were uploaded or lost") {
      shell, _ in
      let lines = shell.journal?.lines ?? ["the user's actions are not recorded"]
      for line in lines { shell.say("  " + line) }
    },
  ]
}

extension EstateShell {
  /// Writes the last exchanges to a file, and prints why that is not possible.
  public func writeArchive(to file: String) {
    do {
      try Data(telemetry.archive.archive()).write(to: URL(filePath: file))
      say("  written to \(file); the network panel of a browser imports it")
    } catch {
      say("  ! \(file) can't be written: \(error.localizedDescription)")
    }
  }
}
