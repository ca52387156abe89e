import ArgumentParser
import EstateApp
import Foundation
import Switchyard

@main struct EstateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "estate",
    abstract: "Looks for homes: opens screens and services by URL, over the wire.",
    discussion: """
      Start estate-server first. Each request is printed in one line; with --trace also the interceptors in \
      order with their own time, and the transport's phases. At the end comes the waterfall of the slowest \
      request; the last line counts requests, answers from the cache and errors.
      """,
    subcommands: [TourCommand.self, OpenCommand.self, InteractiveCommand.self, WebCommand.self],
    defaultSubcommand: TourCommand.self)
}
