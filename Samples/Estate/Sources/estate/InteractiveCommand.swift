import ArgumentParser
import EstateApp
import Foundation

struct InteractiveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "interactive", abstract: "Reads URLs from the terminal and opens them.")

  @OptionGroup var options: ServerOptions

  @MainActor func run() async throws {
    let shell = try await options.shell(prompt: TerminalPrompt())
    await shell.interact {
      print("estate> ", terminator: "")
      fflush(nil)
      return readLine()
    }
    await shell.finish()
  }
}
