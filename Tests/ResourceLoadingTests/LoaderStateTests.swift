import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResourceLoading

@Suite struct LoaderStateTests {
  @Test(
    "In random histories each caller ends once, and transfers, decodes and memory follow the model",
    .timeLimit(.minutes(5)), arguments: 0..<60)
  func histories(_ seed: Int) throws {
    var history = try LoaderHistory(seed: UInt64(seed))
    history.run(400)
    history.drain()
  }

  private static func variant(_ name: Int, _ change: (inout Request) -> Void = { _ in }) throws
    -> ResourceVariant
  {
    var request = PictureServer.request(name)
    change(&request)
    return ResourceVariant(key: try ResourceKey(request), size: nil)
  }

  /// Loads a variant as a prefetch, and returns whether it was.
  private static func prefetch(_ variant: ResourceVariant, in state: inout LoaderState<Int>) -> Bool {
    state.prefetch(variant, at: .zero)
    var isDone = false
    var actions = state.advance()
    while !actions.isEmpty {
      for action in actions {
        switch action {
        case .transfer(let id, _, _):
          state.finishTransfer(id, ResourceContent(bytes: [1], isStorable: true))
        case .decode(let id, let variant, _):
          _ = state.finishDecode(id, variant, keeping: DecodedResource(0, cost: 1000), at: .zero)
          isDone = true
        case .cancel: break
        }
      }
      actions = state.advance()
    }
    return isDone
  }

  @Test(
    "Prefetches pause while unseen values take half of the memory, and go on when they are seen or given up")
  func prefetchedMemory() throws {
    let own = 1000 + (try Self.variant(0).key.cost)
    var state = LoaderState<Int>(ResourceLimits(decodedBytes: 10 * own))
    for number in 0..<6 { #expect(Self.prefetch(try Self.variant(number), in: &state)) }
    #expect(!Self.prefetch(try Self.variant(6), in: &state))
    #expect(state.tier.count == 6)
    #expect(state.value(of: try Self.variant(0), at: .zero) == 0)
    #expect(Self.prefetch(try Self.variant(7), in: &state), "The one that waited goes first, then this one")
    state.cancelPrefetch(try Self.variant(1))
    state.cancelPrefetch(try Self.variant(2))
    #expect(Self.prefetch(try Self.variant(8), in: &state))
  }

  @Test("What is kept already is not prefetched, nor what could not be kept")
  func needlessPrefetches() throws {
    var state = LoaderState<Int>(ResourceLimits())
    #expect(Self.prefetch(try Self.variant(0), in: &state))
    #expect(!Self.prefetch(try Self.variant(0), in: &state))
    #expect(!Self.prefetch(try Self.variant(1) { $0 = $0.identified(as: .unknown) }, in: &state))
    #expect(!Self.prefetch(try Self.variant(1) { $0.context.cacheRule = .off }, in: &state))
    #expect(Self.prefetch(try Self.variant(1) { $0.context.cacheRule = .timed() }, in: &state))
  }
}
