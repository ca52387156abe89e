import ArgumentParser
import SwitchyardLoad

extension AllocationProbe {
  struct Chain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures a chain that ends in a stub.")
    @Option(help: "The chain.") var shape: ChainShape
    @Option(help: "The part that app-chain leaves out; none by default.") var leavingOut: AppChain.Part?
    @Option(help: "The number of requests in the shorter load.") var requests: Int

    func run() async throws {
      let load = try ChainLoad(shape, leavingOut: leavingOut)
      try await AllocationProbe.count(requests: requests) { try await load.send($0) }
    }
  }
}
