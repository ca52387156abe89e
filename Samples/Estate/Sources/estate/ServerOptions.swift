import Account
import ArgumentParser
import EstateApp
import Foundation
import Inspection
import Switchyard

/// The options of all subcommands: the server, and what is printed about its requests.
struct ServerOptions: ParsableArguments {
  @Option(help: "The server's URL, as estate-server prints it.")
  var server = "https://localhost:8443"

  @Option(help: "The server's state folder, with ca.pem and demo-key.json.")
  var state = ".estate"

  @Option(help: "The environment in which the app starts: production or staging.")
  var environment = Environment.production

  @Flag(help: "Starts in the environment that was chosen last, and keeps the choice in the state folder.")
  var rememberEnvironment = false

  @Option(
    help: ArgumentHelp(
      "A redirect table, JSON, with its Ed25519 signature in FILE.sig.",
      discussion: "It is checked with redirect-key.pem of the state folder.", valueName: "file"))
  var redirects: String?

  @Option(
    help: ArgumentHelp(
      "Serves the inspector on this port of 127.0.0.1; 0 for any free one.",
      discussion: "Its address, which is printed, stays the same as long as the state folder does.",
      valueName: "port"))
  var inspector: UInt16?

  @Flag(
    help: "Keeps the inspector's calls in the state folder, so that the page shows those of earlier runs too."
  )
  var keepCalls = false

  @Option(
    help: ArgumentHelp(
      "Alters calls by the rules of this file, JSON, which the inspector shows.",
      discussion: "A release build also needs SWITCHYARD_INTERVENTIONS=1.", valueName: "file"))
  var interventions: String?

  @Flag(help: "Prints every step of each request, instead of one line and the waterfall of the slowest.")
  var trace = false

  @Flag(help: "Also prints the log of every request.")
  var verbose = false

  @Option(
    help: ArgumentHelp(
      "Prints the time from this moment to the first answer.", valueName: "seconds since 1970",
      visibility: .hidden))
  var startedAt: Double?

  enum Environment: String, ExpressibleByArgument {
    case production
    case staging
  }

  var logger: Logger {
    var logger = Logger(label: "estate") { label in StreamLogHandler.standardError(label: label) }
    logger.logLevel = verbose ? .debug : .error
    return logger
  }

  /// Creates the app, applies the redirect table if one is named, and serves the inspector if its port is.
  @MainActor func shell(
    prompt: any CredentialPrompt, host: (any NavigationHost)? = nil
  ) async throws -> EstateShell {
    let inspector = inspector.map { _ in Inspector.estate() }
    do {
      if keepCalls { try inspector?.keepCalls(in: state + "/inspector-calls.sqlite") }
    } catch { StandardConsole().write("estate: calls are not kept for the next run: \(error)") }
    let interventions = try interventions.map(Self.interventions(of:))
    let shell = try EstateShell(
      configuration(), console: StandardConsole(), prompt: prompt, logger: logger, host: host,
      detail: trace ? .steps : .line, startedAt: startedAt.map(Date.init(timeIntervalSince1970:)),
      inspector: inspector, interventions: interventions)
    await shell.launch()
    if let redirects { shell.applyRedirects(from: redirects) }
    if let inspector, let port = self.inspector {
      let token = try KeptToken.kept(as: "inspector-token", in: state)
      // The sample is also run in release builds, and shows only what its own server has.
      let address = try await inspector.serve(port: port, token: token, inRelease: true)
      StandardConsole().write("estate: the inspector is at \(address)")
    }
    return shell
  }

  /// Reads the rules of a file, and tells that they are in effect.
  private static func interventions(of path: String) throws -> InterventionInterceptor {
    do {
      let rules = try InterventionRules(contentsOf: path)
      let interceptor = try InterventionInterceptor(rules, permission: .releaseBuildsToo)
      let names = rules.rules.filter(\.isOn).map { "\"\($0.name)\"" }.joined(separator: ", ")
      StandardConsole().write("estate: calls are altered by \(names.isEmpty ? "no rule yet" : names)")
      return interceptor
    } catch {
      throw ValidationError("\(error)")
    }
  }

  private func configuration() throws -> AppConfiguration {
    do {
      return try AppConfiguration(
        server: server, state: state, isStaging: environment == .staging,
        remembersEnvironment: rememberEnvironment, hasQueues: true)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
