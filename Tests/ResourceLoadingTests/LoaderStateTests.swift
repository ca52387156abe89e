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
  private static func prefetch(
    _ variant: ResourceVariant, in state: inout LoaderState<Int>, at now: Duration = .zero
  ) -> Bool {
    state.prefetch(variant, of: PictureServer.request(""), at: now)
    var isDone = false
    var actions = state.advance(at: now)
    while !actions.isEmpty {
      for action in actions {
        switch action {
        case .transfer(let id, _, _, _):
          state.finishTransfer(id, ResourceContent(bytes: [1], isStorable: true))
        case .decode(let id, let variant, _, _):
          _ = state.finishDecode(id, variant, keeping: DecodedResource(0, cost: 1000), at: now)
          isDone = true
        case .cancel: break
        }
      }
      actions = state.advance(at: now)
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

  @Test(
    "Values that were prefetched and have expired don't hold up prefetches of the same or of other rows",
    arguments: [0, 100])
  func expiredPrefetches(_ first: Int) throws {
    let own = 1000 + (try Self.variant(100).key.cost)
    var state = LoaderState<Int>(ResourceLimits(decodedBytes: 10 * own, lifetime: .seconds(300)))
    for number in 0..<6 { #expect(Self.prefetch(try Self.variant(number), in: &state)) }
    #expect(!Self.prefetch(try Self.variant(200), in: &state, at: .seconds(299)))
    state.cancelPrefetch(try Self.variant(200))
    for number in first..<first + 6 {
      #expect(Self.prefetch(try Self.variant(number), in: &state, at: .seconds(300)), "\(number)")
    }
    #expect(!Self.prefetch(try Self.variant(200), in: &state, at: .seconds(599)))
    #expect(state.tier.cost <= state.tier.limit)
  }

  /// A load in a history of two, as whose mode and with which limit it is sent.
  enum Sent: CaseIterable {
    case plain, preferStored, reload, revalidate, limited

    func change(_ request: inout Request) {
      switch self {
      case .plain: break
      case .preferStored: request.context.cacheRule.mode = .preferStored
      case .reload: request.context.cacheRule.mode = .reload
      case .revalidate: request.context.cacheRule.mode = .revalidate
      case .limited: request.options.delivery = .buffered(upTo: 1000)
      }
    }

    var asksServer: Bool { self == .reload || self == .revalidate }
  }

  /// In which order two transfers and their decodes start and end: letters for the first and the second one.
  private static let orders = [
    "sStTdD", "sSTtDd", "sSTDtd", "sStdTD", "sStTDd", "sSTtdD", "stSTdD", "stSTDd",
  ]

  @Test(
    "Of two loads at the same time the newer value is kept, in whatever order they end",
    arguments: Sent.allCases, Sent.allCases)
  func ages(_ first: Sent, _ second: Sent) throws {
    for order in Self.orders where first != second {
      var state = LoaderState<Int>(ResourceLimits())
      let variants = try [first, second].map { try Self.variant(0, $0.change) }
      var ids: [LoadQueue.LoadID] = [0, 0]
      for event in order {
        let index = event.isUppercase ? 1 : 0
        switch event.lowercased() {
        case "s":
          state.wait(for: variants[index], of: PictureServer.request(0), UInt64(index))
          for case .transfer(let id, _, _, _) in state.advance(at: .zero) { ids[index] = id }
        case "t":
          state.finishTransfer(ids[index], ResourceContent(bytes: [1], isStorable: true))
          _ = state.advance(at: .zero)
        default:
          let resource = DecodedResource(index, cost: 1)
          let waiters = state.finishDecode(ids[index], variants[index], keeping: resource, at: .zero)
          #expect(waiters == [UInt64(index)])
          _ = state.advance(at: .zero)
        }
      }
      // A cache may have answered a load that doesn't ask the server, if both were on the way.
      let overlaps = order.hasPrefix("sS")
      let newest = overlaps && first.asksServer && !second.asksServer ? 0 : 1
      #expect(state.placeholder(for: variants[0]) == newest, "\(first), \(second), \(order)")
    }
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
