import ArgumentParser
import EstateApp

struct OpenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Opens URLs one after another; exits with 1 if one of them failed.")

  @OptionGroup var options: ServerOptions
  @Flag(help: "Prints the content of each screen as a line of JSON, instead of its text.")
  var json = false

  @Argument(help: "URLs, such as estate://home/42 or https://api.estate.test/help.html.")
  var urls: [String]

  @MainActor func run() async throws {
    let shell = try await options.shell(
      prompt: TerminalPrompt(), host: json ? JSONHost(console: StandardConsole()) : nil)
    var failures = 0
    for url in urls where await shell.open(url) != .done { failures += 1 }
    await shell.finish()
    if failures > 0 { throw ExitCode.failure }
  }
}
