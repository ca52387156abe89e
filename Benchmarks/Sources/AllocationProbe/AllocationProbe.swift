import AllocationCounting
import ArgumentParser
import Interception
import MultiLoad
import PeerReporting
import SwitchyardLoad

@main struct AllocationProbe: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Counts the heap blocks per request, as the difference between a longer and a shorter load.",
    subcommands: [Wire.self, CWire.self, Chain.self, APIs.self])

  /// Prints the number of heap blocks per request, as ``HeapObjects`` counts them.
  static func count(requests: Int, _ load: (Int) async throws -> Void) async throws {
    let blocks = try await HeapObjects.perRequest(
      requests: requests, counter: { allocation_count() }, load)
    print("blocks=\(blocks)")
  }
}
