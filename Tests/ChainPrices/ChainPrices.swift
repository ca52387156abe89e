import CAllocationCounting
import ChainFixtures
import Interception

/// Prints the heap objects that a part adds to a request through the chain of an app over a stub, or without
/// a part what the whole chain adds to none: `chain-prices [PART]`.
///
/// A program of its own, because it replaces malloc.
@main struct ChainPrices {
  static func main() async throws {
    let names = CommandLine.arguments.dropFirst()
    let parts = names.compactMap { AppChain.Part(rawValue: $0) }
    guard names.count < 2, parts.count == names.count else {
      return print("usage: chain-prices [\(AppChain.Part.allCases.map(\.rawValue).joined(separator: " | "))]")
    }
    let stub = StubDispatcher(cacheControl: "no-store")
    let whole = try AppChain().pipeline(over: stub, authority: AppChain.authority)
    let rest =
      try parts.first.map { try AppChain(leavingOut: $0).pipeline(over: stub, authority: AppChain.authority) }
      ?? Pipeline(over: stub) {}
    print(try await objects(of: whole) - objects(of: rest))
  }

  private static func objects(of chain: Pipeline) async throws -> Double {
    try await HeapObjects.perRequest(requests: 100, counter: { allocation_count() }) { count in
      try await send(count, through: chain)
    }
  }

  @concurrent private static func send(_ count: Int, through chain: Pipeline) async throws {
    for _ in 0..<count { _ = try await chain.send(AppChain.request) }
  }
}
