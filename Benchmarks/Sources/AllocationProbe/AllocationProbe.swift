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

  /// Prints the number of heap blocks per request, from the difference between a longer and a shorter load.
  ///
  /// The first run of `load` is a warm-up.
  static func count(requests: Int, _ load: (Int) async throws -> Void) async throws {
    try await load(requests)
    let start = allocation_count()
    try await load(requests)
    let middle = allocation_count()
    try await load(requests * 3)
    let end = allocation_count()
    let (short, long) = (Double(middle - start), Double(end - middle))
    print("blocks=\((long - short) / Double(requests * 2))")
  }
}
