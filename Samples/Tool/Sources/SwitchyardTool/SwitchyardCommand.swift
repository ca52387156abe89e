import ArgumentParser
import ToolCommands

@main
struct SwitchyardCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "switchyard",
    abstract: "Sends HTTP requests through Switchyard's chain, and shows what it did.",
    discussion: """
      Redirects are followed, certificates are always verified, and secrets are hidden in --trace and --har. \
      Proxies of the environment are ignored.

      EXIT STATUS (numbers that curl has too mean the same)
      \(ExitStatus.table)

      ENVIRONMENT
        NO_COLOR                if set, no colours
        CLICOLOR_FORCE          if set, and not 0, colours in a pipe too; not in content, see --color
        \(SigningKeyText.variable)  the key of sign and verify, ID:SECRET

      Completions: switchyard --generate-completion-script bash (or zsh, fish)
      Manual page: switchyard manual | man -l -
      """,
    version: ConnectionOptions.version,
    subcommands: [
      GetCommand.self, PostCommand.self, SendCommand.self, RunCommand.self, DownloadCommand.self,
      UploadCommand.self, BenchCommand.self, CookiesCommand.self, SignCommand.self, VerifyCommand.self,
      AdviseCommand.self, RoutesCommand.self, DeployCommand.self, GenerateCommand.self, TestCommand.self,
      ManualCommand.self,
    ])

  static func main() async {
    let names = configuration.subcommands.compactMap { $0.configuration.commandName }
    if let typed = CommandLine.arguments.dropFirst().first, !typed.hasPrefix("-"),
      !(names + ["help"]).contains(typed)
    {
      let near = CommandName.suggestion(for: typed, among: names).map { "; did you mean \($0)?" }
      Terminal.note("there is no command \"\(Printable.text(typed))\"\(near ?? "; see switchyard --help.")")
      exit(withError: ExitCode(ExitStatus.usage.rawValue))
    }
    await main(nil)
  }
}
