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

  @Flag(help: "Also shows the log of every request.")
  var verbose = false

  var logger: Logger {
    var logger = Logger(label: "estate") { label in StreamLogHandler.standardError(label: label) }
    logger.logLevel = verbose ? .debug : .error
    return logger
  }

  func configuration() throws -> AppConfiguration {
    do {
      return try AppConfiguration(server: server, state: state)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
