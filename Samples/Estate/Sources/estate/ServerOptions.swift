import ArgumentParser
import EstateApp
import Foundation
import Logging

/// Where the server is.
struct ServerOptions: ParsableArguments {
  @Option(help: "The server's URL, as estate-server prints it.")
  var server = "https://localhost:8443"

  @Option(help: "The server's state folder, with ca.pem and demo-key.json.")
  var state = ".estate"

  @Option(
    help: ArgumentHelp(
      "A redirect table, JSON, with its Ed25519 signature in FILE.sig.",
      discussion: "It is checked with redirect-key.pem of the state folder.", valueName: "file"))
  var redirects: String?

  @Flag(help: "Also shows the log of every request.")
  var verbose = false

  var logger: Logger {
    var logger = Logger(label: "estate") { label in StreamLogHandler.standardError(label: label) }
    logger.logLevel = verbose ? .debug : .error
    return logger
  }

  /// Puts the redirect table in force, if one is named.
  @MainActor func prepare(_ shell: EstateShell) {
    if let redirects { shell.applyRedirects(from: redirects) }
  }

  func configuration() throws -> AppConfiguration {
    do {
      return try AppConfiguration(server: server, state: state)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
