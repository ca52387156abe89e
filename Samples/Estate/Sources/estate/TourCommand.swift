import ArgumentParser
import EstateApp

struct TourCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tour",
    abstract: "Walks through the app: lists, a cache hit, a login detour, and planted faults.",
    discussion: "On a terminal each step waits for Enter; q ends the tour.")

  @OptionGroup var options: ServerOptions

  @Flag(help: "Does not wait between the steps.")
  var noPaging = false

  @MainActor func run() async throws {
    let shell = try await options.shell(prompt: ScriptedPrompt(EstateShell.tourAnswers))
    let isAsExpected = await shell.tour(noPaging ? .none : .terminal)
    await shell.finish()
    if !isAsExpected { throw ExitCode.failure }
  }
}
