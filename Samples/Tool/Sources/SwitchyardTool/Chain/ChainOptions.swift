import ArgumentParser
import Interception
import RequestLogging
import ToolCommands

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
    help: ArgumentHelp(
      "Whether there are colours: auto has them on a terminal only, always in a pipe too, also in the content.",
      valueName: "auto|always|never"),
    completion: .list(ColorChoice.allCases.map(\.rawValue)), transform: ChainOptions.color)
  var color = ColorChoice.auto

  @Option(
    help: ArgumentHelp("Writes the drawing of --trace as SVG.", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var traceSvg: String?

  @Flag(
    help: """
      Says on standard error why it went as it did: address, protocol, redirects, retries and cache, in one \
      sentence each.
      """)
  var explain = false

  @Option(
    help: ArgumentHelp("Writes what was sent as an HTTP Archive, with secrets hidden.", valueName: "file"),
    completion: .file(extensions: ["har"]))
  var har: String?

  @Option(
    help: ArgumentHelp(
      "A name in queries whose values may be shown; all others are hidden in what is drawn, explained or archived.",
      valueName: "name"))
  var showQuery: [String] = []

  func validate() throws {
    guard (0...100).contains(retry ?? 0) else { throw ValidationError("--retry must be 0 to 100.") }
    guard (0...1_000).contains(maxRedirects) else {
      throw ValidationError("--max-redirects must be 0 to 1000; --no-redirects follows none.")
    }
  }

  private static func color(_ text: String) throws -> ColorChoice {
    guard let choice = ColorChoice(rawValue: text) else {
      throw ValidationError("--color must be auto, always or never.")
    }
    return choice
  }

  /// Returns what an explanation has to know of the command line.
  func explanationOptions() throws(ToolFailure) -> Explanation.Options {
    var options = Explanation.Options()
    options.sockets = try connection.sockets()
    (options.http2Hosts, options.triesHTTP3) = (connection.knownHTTP2Hosts, connection.http3)
    options.proxyOption = connection.proxy != nil ? "--proxy" : connection.envProxies ? "--env-proxies" : nil
    options.retries = (retry ?? 0) > 0
    return options
  }

  var redaction: Redaction { Redaction(showingQueryValuesOf: Set(showQuery)) }
}
