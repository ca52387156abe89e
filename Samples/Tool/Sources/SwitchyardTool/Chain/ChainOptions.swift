import ArgumentParser
import Interception
import RequestLogging

/// What the commands that send one request understand.
struct ChainOptions: ParsableArguments {
  @OptionGroup var connection: ConnectionOptions

  @Option(
    help: ArgumentHelp("How often a failed request is sent again, if that is safe.", valueName: "number"))
  var retry: Int?

  @Option(help: ArgumentHelp("The maximum number of redirects that are followed.", valueName: "number"))
  var maxRedirects = 20

  @Flag(help: "Follows no redirect; the response that redirects is the result.")
  var noRedirects = false

  @Option(
    help: ArgumentHelp("Keeps cookies in a file; those without an expiry are not kept.", valueName: "file"),
    completion: .file())
  var cookies: String?

  @Flag(help: "Draws on standard error what was sent and when: a waterfall, with secrets hidden.")
  var trace = false

  @Option(
    help: ArgumentHelp("Writes what was sent as an HTTP Archive, with secrets hidden.", valueName: "file"),
    completion: .file(extensions: ["har"]))
  var har: String?

  @Option(
    help: ArgumentHelp(
      "A name in queries whose values --trace and --har may show; all others are hidden.", valueName: "name"))
  var showQuery: [String] = []

  func validate() throws {
    guard (0...100).contains(retry ?? 0) else { throw ValidationError("--retry must be 0 to 100.") }
    guard (0...1_000).contains(maxRedirects) else {
      throw ValidationError("--max-redirects must be 0 to 1000; --no-redirects follows none.")
    }
  }

  var redaction: Redaction { Redaction(showingQueryValuesOf: Set(showQuery)) }
}
