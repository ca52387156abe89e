import Screens
import Switchyard

extension EstateShell {
  /// Opens the URLs and runs the commands that `readLine` returns, until it returns `nil` or "quit".
  package func interact(_ readLine: @Sendable () -> String?) async {
    say("Type a URL, such as estate://listings/house or estate://home/42, or a command; help lists them.")
    while let line = readLine(), await perform(line: line) {}
  }

  /// Opens the URL or runs the command of a line, and returns whether more lines should be read.
  package func perform(line: String) async -> Bool {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard let word = words.first else { return true }
    if ["quit", "exit"].contains(word) { return false }
    if word == "help" {
      listCommands()
    } else if let command = ShellCommand.all.first(where: { $0.name == word }) {
      await command.run(self, words.dropFirst().first)
    } else if RouteURL.isReadable(String(word)) {
      await open(String(word))
    } else {
      say("  ! \(word) is neither a URL nor a command; help lists the commands")
    }
    return true
  }

  private func listCommands() {
    let uses = ShellCommand.all.map { command in
      (command.argument.isEmpty ? command.name : "\(command.name) \(command.argument)", command.summary)
    }
    let width = uses.map(\.0.count).max() ?? 0
    for (use, summary) in uses + [("quit", "ends the app")] {
      say("  " + Amounts.padded(use, to: width + 2) + summary)
    }
  }
}
