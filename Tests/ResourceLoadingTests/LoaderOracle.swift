import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResourceLoading

/// A history of loads over a loader's state, with a plain model of what must follow from each event.
struct LoaderHistory {
  private typealias Span = (start: Int, end: Int, asksServer: Bool)
  private typealias Running<Value> = (id: LoadQueue.LoadID, value: Value, epoch: Int)

  private let limits: ResourceLimits
  private var state: LoaderState<String>
  private var random: SeededRandom
  private var now = Duration.zero
  private var tick = 0
  /// Grows when all loads are ended.
  private var epoch = 0

  // The model.
  private var waiters: [LoadQueue.WaiterID: ResourceVariant] = [:]
  private var prefetched: Set<ResourceVariant> = []
  /// The transfers of this epoch, and whether they were cancelled.
  private var transfers: [ResourceKey: Bool] = [:]
  private var transferred: Set<ResourceKey> = []
  private var decoding: Set<ResourceVariant> = []
  /// When a load was last asked for.
  private var stamps: [ResourceKey: Int] = [:]
  private var expectedCancels: Set<ResourceKey> = []
  /// The values that may be kept, when they expire, and when they were transferred.
  private var values: [ResourceVariant: (value: String, expiry: Duration, span: Span)] = [:]
  /// When the content of each load was transferred, and when the running ones have started.
  private var spans: [ResourceKey: Span] = [:]
  private var starts: [LoadQueue.LoadID: Int] = [:]
  private var moment = 0

  // What runs, also of earlier epochs.
  private var runningTransfers: [Running<ResourceKey>] = []
  private var runningDecodes: [Running<ResourceVariant>] = []
  private var lastWaiter: LoadQueue.WaiterID = 0
  private var lastValue = 0

  /// Creates a history from a seed.
  init(seed: UInt64) throws {
    random = SeededRandom(seed: seed)
    limits = ResourceLimits(
      decodedBytes: 12_000, lifetime: .seconds(30), transfers: .random(in: 1...4, using: &random),
      decodes: .random(in: 1...3, using: &random))
    state = LoaderState(limits)
    for number in 0..<10 {
      var request = PictureServer.request(number)
      // Some ask the server beside loads that a cache may answer.
      for key in [try ResourceKey(request), try Self.reloading(&request)] {
        requests[key] = request
        keys.append(key)
      }
    }
    for key in keys {
      for side in [nil, 10, 20] {
        all.append(ResourceVariant(key: key, size: side.map { PixelSize(width: $0, height: $0) }))
      }
    }
  }

  private static func reloading(_ request: inout Request) throws -> ResourceKey {
    request.context.cacheRule.mode = .reload
    return try ResourceKey(request)
  }

  private var all: [ResourceVariant] = []
  private var keys: [ResourceKey] = []
  private var requests: [ResourceKey: Request] = [:]

  /// Performs random events, and checks after each of them.
  mutating func run(_ count: Int) {
    for _ in 0..<count {
      now += .seconds(Int.random(in: 0...2, using: &random))
      step()
      advance()
    }
  }

  /// Ends everything, and checks that nothing is left.
  mutating func drain() {
    for variant in all { state.cancelPrefetch(variant) }
    prefetched = []
    for key in keys { cancelIfUnwanted(key) }
    advance()
    while let transfer = runningTransfers.first { endTransfer(transfer, succeeds: true) }
    while let decode = runningDecodes.first {
      endDecode(decode)
      while let transfer = runningTransfers.first { endTransfer(transfer, succeeds: true) }
    }
    #expect(state.queue.isIdle && state.queue.waitingCount == 0 && waiters.isEmpty)
  }

  private mutating func step() {
    guard let variant = all.randomElement(using: &random) else { return }
    tick += 1
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<30: ask(variant)
    case 30..<45: if let waiter = waiters.keys.sorted().randomElement(using: &random) { leave(waiter) }
    case 45..<55:
      let isKept = variant.kept.flatMap { values[$0] }.map { now < $0.expiry } ?? false
      // A value that may have been evicted is one that the model can't tell.
      guard !isKept, let request = requests[variant.key] else { return }
      state.prefetch(variant, of: request, at: now)
      prefetched.insert(variant)
    case 55..<60:
      state.cancelPrefetch(variant)
      prefetched.remove(variant)
      cancelIfUnwanted(variant.key)
    case 60..<78:
      if let transfer = runningTransfers.randomElement(using: &random) {
        endTransfer(transfer, succeeds: Int.random(in: 0..<4, using: &random) > 0)
      }
    case 78..<97:
      if let decode = runningDecodes.randomElement(using: &random) { endDecode(decode) }
    case 97..<98:
      state.removeValues()
      values = [:]
    case 98..<99: endAll()
    default: now += .seconds(20)
    }
  }

  // MARK: Events

  private mutating func ask(_ variant: ResourceVariant) {
    if let value = state.value(of: variant, at: now) {
      let known = variant.kept.flatMap { values[$0] }
      #expect(
        variant.key.acceptsDecoded && known?.value == value,
        "A value that was not the last one, or was removed")
      #expect(known.map { now < $0.expiry } == true, "A value that has expired")
      return
    }
    guard let request = requests[variant.key] else { return }
    lastWaiter += 1
    state.wait(for: variant, of: request, lastWaiter)
    waiters[lastWaiter] = variant
    stamps[variant.key] = tick
  }

  private mutating func leave(_ waiter: LoadQueue.WaiterID) {
    state.leave(waiter)
    guard let variant = waiters.removeValue(forKey: waiter) else { return }
    cancelIfUnwanted(variant.key)
  }

  private mutating func endTransfer(_ transfer: Running<ResourceKey>, succeeds: Bool) {
    runningTransfers.removeAll { $0.id == transfer.id }
    let key = transfer.value
    let isCurrent = transfer.epoch == epoch
    let wasCancelled = isCurrent ? transfers.removeValue(forKey: key) : nil
    moment += 1
    if isCurrent, succeeds {
      spans[key] = (starts[transfer.id, default: 0], moment, !key.acceptsDecoded)
    }
    if succeeds {
      state.finishTransfer(
        transfer.id, ResourceContent(bytes: Array(key.debugDescription.utf8), isStorable: true))
      if isCurrent, isWanted(key) { transferred.insert(key) }
    } else {
      let failed = Set(state.failTransfer(transfer.id))
      let waiting = Set(waiters.filter { $0.value.key == key }.keys)
      if isCurrent, wasCancelled == false {
        #expect(failed == waiting, "A failure concerns all that wait")
        for waiter in waiting { waiters[waiter] = nil }
        prefetched = prefetched.filter { $0.key != key }
      } else {
        #expect(failed.isEmpty, "A cancellation concerns no caller")
        if isCurrent { stamps[key] = tick }
      }
    }
    advance()
  }

  private mutating func endDecode(_ decode: Running<ResourceVariant>) {
    let variant = decode.value
    runningDecodes.removeAll { $0.id == decode.id && $0.value == variant }
    lastValue += 1
    let resource = Bool.random(using: &random) ? DecodedResource("\(lastValue)", cost: 500) : nil
    let before = state.placeholder(for: variant)
    let ended = Set(state.finishDecode(decode.id, variant, keeping: resource, at: now))
    if decode.epoch == epoch {
      #expect(ended == Set(waiters.filter { $0.value == variant }.keys), "All that wait for it get it")
      for waiter in ended { waiters[waiter] = nil }
      decoding.remove(variant)
      prefetched.remove(variant)
      if let resource, let kept = variant.kept, let span = spans[variant.key] {
        // A newer value stays, unless it was evicted, which the model can't tell by itself.
        let isNewerKept =
          values[kept].map { $0.value == before && Self.isNewer($0.span, than: span) } ?? false
        if !isNewerKept { values[kept] = (resource.value, now + limits.lifetime, span) }
        #expect(state.placeholder(for: variant) == values[kept]?.value, "The newer value stays")
      }
      if !isWanted(variant.key) { transferred.remove(variant.key) }
    } else {
      #expect(ended.isEmpty, "Nothing is left of earlier loads")
    }
    advance()
  }

  /// What the server was asked for is newer than what a cache may have answered meanwhile.
  private static func isNewer(_ span: Span, than other: Span) -> Bool {
    switch (span.asksServer, other.asksServer) {
    case (true, false): span.end > other.start
    case (false, true): span.start > other.end
    default: span.start > other.start
    }
  }

  private mutating func endAll() {
    #expect(Set(state.removeAll()) == Set(waiters.keys))
    expectedCancels = Set(transfers.filter { !$0.value }.keys)
    (waiters, prefetched, transfers, transferred) = ([:], [], [:], [])
    (decoding, values, stamps) = ([], [:], [:])
    epoch += 1
  }

  private mutating func cancelIfUnwanted(_ key: ResourceKey) {
    guard !isWanted(key) else { return }
    transferred.remove(key)
    if transfers[key] == false {
      transfers[key] = true
      expectedCancels.insert(key)
    }
  }

  private func isWanted(_ key: ResourceKey) -> Bool {
    isVisible(key) || prefetched.contains { $0.key == key } || decoding.contains { $0.key == key }
  }

  private func isVisible(_ key: ResourceKey) -> Bool { waiters.values.contains { $0.key == key } }

  // MARK: What follows

  private var waitingVisible: [ResourceKey] {
    Set(waiters.values.map(\.key)).filter { transfers[$0] == nil && !transferred.contains($0) }
  }

  private mutating func advance() {
    for action in state.advance(at: now) {
      switch action {
      case .cancel(let id):
        let key = runningTransfers.first { $0.id == id }?.value
        #expect(key.map { expectedCancels.remove($0) != nil } == true, "Only what is not wanted is cancelled")
      case .transfer(let id, let key, let request, let isVisible):
        #expect(requests[key]?.isCopy(of: request) == true, "The request of another resource")
        checkTransfer(id, key, isVisible)
      case .decode(let id, let variant, let content, _): checkDecode(id, variant, content)
      }
    }
    #expect(expectedCancels.isEmpty, "What is not wanted is cancelled at once")
    #expect(state.tier.cost <= limits.decodedBytes && state.tier.highestCost <= limits.decodedBytes)
    #expect(state.queue.waitingCount == waiters.count)
    checkProgress()
  }

  private mutating func checkTransfer(_ id: LoadQueue.LoadID, _ key: ResourceKey, _ isVisible: Bool) {
    #expect(transfers[key] == nil && !transferred.contains(key), "One transfer for each resource")
    #expect(isVisible == self.isVisible(key) && isWanted(key))
    let waiting = waitingVisible
    if isVisible {
      let last = waiting.max { stamps[$0, default: 0] < stamps[$1, default: 0] }
      #expect(last.map { stamps[$0] } == stamps[key], "The last asked visible load starts first")
    } else {
      #expect(waiting.isEmpty, "Nothing visible waits for a prefetch")
    }
    transfers[key] = false
    moment += 1
    starts[id] = moment
    runningTransfers.append((id, key, epoch))
    #expect(runningTransfers.count <= limits.transfers)
  }

  private mutating func checkDecode(
    _ id: LoadQueue.LoadID, _ variant: ResourceVariant, _ content: ResourceContent
  ) {
    #expect(transferred.contains(variant.key) && !decoding.contains(variant), "One decode for each size")
    #expect(waiters.values.contains(variant) || prefetched.contains(variant), "It is not asked for")
    #expect(content.bytes == Array(variant.key.debugDescription.utf8), "The bytes of another resource")
    decoding.insert(variant)
    runningDecodes.append((id, variant, epoch))
    #expect(runningDecodes.count <= limits.decodes)
  }

  /// Checks that what is visible waits only while all places are taken.
  private func checkProgress() {
    let past = Set(runningDecodes.filter { $0.epoch != epoch }.map(\.id)).count
    let unfinished = runningTransfers.count + transferred.count + past
    #expect(unfinished <= limits.transfers + limits.decodes)
    if !waitingVisible.isEmpty {
      #expect(runningTransfers.count == limits.transfers || unfinished == limits.transfers + limits.decodes)
    }
    let ready = waiters.values.contains { transferred.contains($0.key) && !decoding.contains($0) }
    if ready { #expect(runningDecodes.count == limits.decodes, "A visible resource waits to be decoded") }
  }
}

// A failed expectation names the resource, because a whole request takes pages.

extension ResourceKey: CustomDebugStringConvertible {
  var debugDescription: String { acceptsDecoded ? path : "\(path) from the server" }
}

extension ResourceVariant: CustomDebugStringConvertible {
  var debugDescription: String {
    size.map { "\(key.debugDescription) \($0.width)x\($0.height)" } ?? key.debugDescription
  }
}

extension ResourceContent: CustomDebugStringConvertible {
  var debugDescription: String { "\(bytes.count) bytes" }
}
