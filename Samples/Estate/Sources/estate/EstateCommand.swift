import ArgumentParser
import EstateApp
import Foundation
import Logging

/// The terminal app of the sample.
@main struct EstateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "estate",
    abstract: "Looks for homes: opens screens and services by URL, over the wire.",
    discussion: """
      Start estate-server first. For every request its trace is shown: the interceptors in order with \
      their own time, what the cache did, and the transport's phases. The last line counts requests, \
      answers from the cache and errors.
      """,
    subcommands: [TourCommand.self, OpenCommand.self, InteractiveCommand.self, WebCommand.self],
    defaultSubcommand: TourCommand.self)
}
