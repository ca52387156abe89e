import ArgumentParser
import HTTPTypes
import ToolCommands

struct GetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Sends a GET, and writes the content of the response.")

  @Argument(help: "The URL, with https:// or http://.") var url: String
  @OptionGroup var options: ResponseOptions

  func run() async throws {
    try await perform(options.chain.color) { [url, options] in try await options.send(.get, url, nil) }
  }
}

struct PostCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Sends a POST with JSON, a file or a form.")

  @Argument(help: "The URL, with https:// or http://.") var url: String
  @OptionGroup var content: ContentOptions
  @OptionGroup var options: ResponseOptions

  func run() async throws {
    try await perform(options.chain.color) { [url, options, content] in
      try await options.send(.post, url, content)
    }
  }
}

struct SendCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Sends a request with any method, such as PUT, DELETE or HEAD.")

  @Argument(help: "The method.") var method: String
  @Argument(help: "The URL, with https:// or http://.") var url: String
  @OptionGroup var content: ContentOptions
  @OptionGroup var options: ResponseOptions

  func run() async throws {
    let method = try MethodArgument.method(method)
    try await perform(options.chain.color) { [url, options, content] in
      try await options.send(method, url, content)
    }
  }
}

/// A method on the command line.
enum MethodArgument {
  static func method(_ text: String) throws -> HTTPRequest.Method {
    guard let method = HTTPRequest.Method(text) else {
      throw ValidationError("\"\(Printable.text(text))\" is no method of HTTP, such as PUT.")
    }
    return method
  }
}
