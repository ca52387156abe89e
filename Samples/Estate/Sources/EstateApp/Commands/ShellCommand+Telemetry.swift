import EstateNetwork
import Foundation
import Switchyard

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
    ShellCommand("har", taking: "FILE", "writes the user's last exchanges, redacted, as an HTTP archive") {
      shell, file in
      guard let file else { return shell.say("  ! say har FILE") }
      shell.writeArchive(to: String(file))
    },
    ShellCommand(
      "cache", taking: "[FILE]", "what other limits of the cache would do; as a plot, SVG, in FILE"
    ) {
      shell, file in
      shell.showCacheAdvice(plotIn: file.map(String.init))
    },
    ShellCommand("activity", "the user's actions: those that wait, were uploaded or lost") {
      shell, _ in
      let lines = shell.journal?.lines ?? ["the user's actions are not recorded"]
      for line in lines { shell.say("  " + line) }
    },
  ]
}

extension EstateShell {
  /// Prints the hit ratios that this run would have had with other limits of the cache, and writes them as an
  /// SVG image if a file is named.
  func showCacheAdvice(plotIn file: String?) {
    for line in responses.adviceLines { say("  " + line) }
    guard let file else { return }
    do {
      try Data(responses.advicePlot.utf8).write(to: URL(filePath: file))
      say("  the plot is in \(file); a browser shows it")
    } catch {
      say("  ! \(file) can't be written: \(error.localizedDescription)")
    }
  }

  /// Writes the last exchanges of the present user, a member or a guest, to a file, and prints why that is
  /// not possible.
  public func writeArchive(to file: String) {
    do {
      try Data(telemetry.archive.archive(of: session.name ?? "")).write(to: URL(filePath: file))
      say("  written to \(file); the network panel of a browser imports it")
    } catch {
      say("  ! \(file) can't be written: \(error.localizedDescription)")
    }
  }
}
