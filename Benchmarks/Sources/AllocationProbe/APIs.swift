import ArgumentParser
import SwitchyardLoad

extension AllocationProbe {
  struct APIs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "apis", abstract: "Measures loads of an API by a client over a stub.")
    @Option(help: "The API's params.") var params: APILoad.Params
    @Flag(help: "Only sends the API's request.") var sends = false
    @Option(help: "The number of calls in the shorter load.") var requests: Int

    func run() async throws {
      let load = try APILoad(params)
      try await AllocationProbe.count(requests: requests) { count in
        if sends { try await load.send(count) } else { try await load.load(count) }
      }
    }
  }
}
