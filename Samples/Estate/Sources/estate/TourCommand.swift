import ArgumentParser
import EstateApp

/// Walks through the app.
struct TourCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tour",
    abstract: "Walks through the app: lists, a cache hit, a login detour, and planted faults.")

  @OptionGroup var options: ServerOptions

  @MainActor func run() async throws {
    let shell = try EstateShell(
      options.configuration(), console: StandardConsole(), prompt: ScriptedPrompt(EstateShell.tourAnswers),
      logger: options.logger)
    options.prepare(shell)
    let isAsExpected = await shell.tour()
    StandardConsole().write(shell.summary)
    if !isAsExpected { throw ExitCode.failure }
  }
}
