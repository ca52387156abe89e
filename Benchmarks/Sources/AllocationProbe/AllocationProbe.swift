import AllocationCounting
import ArgumentParser
import Interception
import MultiLoad
import PeerReporting
import SwitchyardLoad

@main struct AllocationProbe: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Counts the heap blocks that a request takes, as the difference of two lengths of a load.",
    subcommands: [Wire.self, CWire.self, Chain.self])

  /// Prints the blocks for each request: what the longer load took beyond the shorter, over what it sent
  /// beyond it.
  ///
  /// The first run of `load` warms up.
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
