import ArgumentParser
import EstateApp
import Foundation

/// Opens what a person types.
struct InteractiveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "interactive", abstract: "Reads URLs from the terminal and opens them.")

  @OptionGroup var options: ServerOptions

  @MainActor func run() async throws {
    let shell = try EstateShell(
      options.configuration(), console: StandardConsole(), prompt: TerminalPrompt(), logger: options.logger)
    options.prepare(shell)
    await shell.interact {
      print("estate> ", terminator: "")
      fflush(nil)
      return readLine()
    }
    StandardConsole().write(shell.summary)
  }
}
