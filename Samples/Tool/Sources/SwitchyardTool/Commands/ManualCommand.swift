import ArgumentParser
import ToolCommands

/// Writes the manual page; hidden, because it is for those who package the program.
struct ManualCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Writes the manual page, for man -l or a directory man1.",
    shouldDisplay: false)

  func run() async throws {
    try await perform {
      let page = try ManualPage(
        description: SwitchyardCommand._dumpHelp(), version: ConnectionOptions.version)
      try Terminal.output.write(Array(page.text.utf8))
    }
  }
}
