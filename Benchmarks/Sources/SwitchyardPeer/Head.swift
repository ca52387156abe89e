import ArgumentParser
import PeerReporting
import SwitchyardLoad

extension SwitchyardPeer {
  struct Head: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the bytes of header that one request of an app has where it leaves the chain.")
    @Flag(help: "Sends it without a chain.") var bare = false
    @Option(help: "The part that the chain leaves out; none by default.") var leavingOut: AppChain.Part?

    func run() throws {
      try Waiting.wait { [self] in
        print("header-bytes=\(try await HeadLoad.bytes(hasChain: !bare, leavingOut: leavingOut))")
      }
    }
  }
}
