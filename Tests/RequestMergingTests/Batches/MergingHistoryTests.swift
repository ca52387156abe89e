import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import RequestMerging

/// Random histories of the policy `whileInFlight`, compared with a model, and what the policies cost.
@Suite("Merging histories", .timeLimit(.minutes(5))) struct MergingHistoryTests {
  /// A table, and what has become of each of its requests.
  struct History {
    typealias Table = BatchTable<Int, Int>

    /// A request that was made.
    struct Arrival {
      let id: String
      let account: Int
      let size: Int
      let place: Table.Place
      var isSent = false
      var hasLeft = false
      var resumptions = 0
    }

    let rule: MergeRule
    var table = Table()
    var arrivals: [Arrival] = []
    /// The batches in flight, in the order in which they were sent, with their accounts.
    var inFlight: [(contents: Table.Contents, account: Int)] = []
    /// The batch of an account that was sent last, while it is in flight.
    var latest: [Int: UInt64] = [:]

    init(_ rule: MergeRule) { self.rule = rule }

    mutating func arrive(_ id: String, of account: Int) throws {
      let request = MergingFixture.request(id) { $0.context.partition = "account \(account)" }
      let candidate = try #require(
        MergeCandidate(request, by: rule, at: 0, origin: RequestOrigin(request.head)))
      let send: Table.Send = { (_) async throws(NetworkError) in Response(status: .ok) }
      let waits = latest[account] != nil
      let place: Table.Place
      var sent: Table.Contents?
      switch table.enter(candidate, except: [], by: rule, send: send) {
      case .started(let started, let contents):
        #expect(!waits && contents != nil, "Only a request that finds none in flight is sent at once.")
        place = started
        sent = contents
      case .candidate(let queue, let first):
        #expect(waits && candidate.isCompatible(with: first))
        switch table.join(candidate, queue, by: rule, send: send) {
        case .joined(let joined): place = joined
        case .filled(let joined, let contents, let window):
          #expect(window == nil)
          place = joined
          sent = contents
        case .noRoom, .tooLate:
          Issue.record("A request can join the queue of a batch in flight.")
          return
        }
      case .alone:
        Issue.record("Two accounts have two queues.")
        return
      }
      let size = request.head.path?.utf8.count ?? 0
      arrivals.append(Arrival(id: id, account: account, size: size, place: place))
      let early = table.suspend(place, arrivals.count - 1)
      #expect(early == nil)
      if let sent { launch(sent) }
    }

    mutating func end(_ index: Int) {
      let (contents, account) = inFlight.remove(at: index)
      if latest[account] == contents.batch { latest[account] = nil }
      let outcomes = contents.entries.map { _ in Table.Outcome.success(Response(status: .ok)) }
      let (resumptions, next) = table.finish(contents, outcomes)
      for (number, _) in resumptions { arrivals[number].resumptions += 1 }
      if let next { launch(next) }
    }

    mutating func leave(_ number: Int) {
      let arrival = arrivals[number]
      guard arrival.resumptions == 0 else { return }
      let departure = table.leave(arrival.place) { wasSent in
        #expect(wasSent == arrival.isSent)
        return .failure(NetworkError(.cancelled(.task), ""))
      }
      #expect(departure.resumption?.continuation == number)
      arrivals[number].resumptions += 1
      arrivals[number].hasLeft = true
      // A batch that all have left counts as ended.
      let batch = arrival.place.batch
      let others = arrivals.contains { $0.place.batch == batch && !$0.hasLeft }
      if !others, latest[arrival.account] == batch { latest[arrival.account] = nil }
      if let next = departure.next { launch(next) }
    }

    /// Checks a batch that is sent.
    private mutating func launch(_ contents: Table.Contents) {
      let members = arrivals.indices.filter {
        arrivals[$0].place.batch == contents.batch && !arrivals[$0].hasLeft
      }
      #expect(contents.entries.map(\.waiter) == members.map { arrivals[$0].place.waiter })
      #expect((1...rule.maximumCount).contains(members.count))
      #expect(members.map { arrivals[$0].size }.reduce(0, +) <= rule.maximumBytes)
      #expect(Set(members.map { arrivals[$0].id }).count == members.count)
      let accounts = Set(members.map { arrivals[$0].account })
      #expect(accounts.count == 1)
      for member in members {
        #expect(!arrivals[member].isSent, "A request is sent once.")
        arrivals[member].isSent = true
      }
      guard let account = accounts.first else { return }
      inFlight.append((contents, account))
      latest[account] = contents.batch
    }

    /// Checks that only requests behind a batch in flight wait, and fewer than fill one.
    func check() {
      for account in 0..<2 {
        let waiting = arrivals.filter { $0.account == account && !$0.isSent && !$0.hasLeft }
        #expect(waiting.isEmpty || latest[account] != nil, "A request waits for nothing.")
        #expect(waiting.count < rule.maximumCount)
      }
    }
  }

  @Test("In random histories each request is sent once, within the limits, and none waits for nothing")
  func random() throws {
    for seed: UInt64 in 0..<100 {
      var random = SeededRandom(seed: seed)
      var rule = MergingFixture.rule
      rule.policy = .whileInFlight
      rule.maximumCount = 4
      rule.maximumBytes = 38
      var history = History(rule)
      for _ in 0..<200 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<6:
          let account = Int.random(in: 0..<2, using: &random)
          try history.arrive("\(Int.random(in: 0..<15, using: &random))", of: account)
        case 6..<8:
          guard !history.inFlight.isEmpty else { continue }
          history.end(Int.random(in: history.inFlight.indices, using: &random))
        default:
          guard !history.arrivals.isEmpty else { continue }
          history.leave(Int.random(in: history.arrivals.indices, using: &random))
        }
        history.check()
      }
      while !history.inFlight.isEmpty { history.end(0) }
      #expect(history.arrivals.allSatisfy { $0.resumptions == 1 }, "seed \(seed)")
      #expect(history.table.isEmpty, "seed \(seed)")
    }
  }

  /// What 200 requests cost: how many transfers are made, and how long the requests wait in total.
  struct Cost: Equatable {
    var transfers: Int
    var wait: Int
    var longestWait: Int
  }

  /// The figures of the article "What costs what"; times are in milliseconds.
  static let figures: [(Int, Cost, Cost, Cost)] = [
    (
      1, Cost(transfers: 200, wait: 117_956, longestWait: 1_162),
      Cost(transfers: 20, wait: 9_100, longestWait: 50), Cost(transfers: 11, wait: 10_280, longestWait: 79)
    ),
    (
      5, Cost(transfers: 200, wait: 40_340, longestWait: 370),
      Cost(transfers: 100, wait: 9_500, longestWait: 50), Cost(transfers: 26, wait: 12_460, longestWait: 80)
    ),
    (
      20, Cost(transfers: 200, wait: 8_000, longestWait: 40),
      Cost(transfers: 200, wait: 10_000, longestWait: 50), Cost(transfers: 101, wait: 13_960, longestWait: 80)
    ),
    (
      50, Cost(transfers: 200, wait: 8_000, longestWait: 40),
      Cost(transfers: 200, wait: 10_000, longestWait: 50), Cost(transfers: 200, wait: 8_000, longestWait: 40)
    ),
  ]

  /// Sends 200 requests at a regular interval, in virtual time, over six connections of which each takes 40
  /// ms for a request or a batch.
  ///
  /// - Parameter policy: The policy; nil for an interceptor that merges nothing.
  static func cost(of policy: MergeRule.Policy?, every gap: Int) throws -> Cost {
    // At one moment transfers end first, then windows, and then requests arrive.
    enum Event: Int { case end, window, arrival }
    var events: [(time: Int, event: Event, order: Int, number: Int)] = []
    var order = 0
    func insert(_ event: Event, _ number: Int, at time: Int) {
      order += 1
      let index =
        events.firstIndex { ($0.time, $0.event.rawValue, $0.order) > (time, event.rawValue, order) }
        ?? events.endIndex
      events.insert((time, event, order, number), at: index)
    }
    for number in 0..<200 { insert(.arrival, number, at: number * gap) }

    var table = BatchTable<Int, Int>()
    var rule = MergingFixture.rule
    if let policy { rule.policy = policy }
    let send: BatchTable<Int, Int>.Send = { (_) async throws(NetworkError) in Response(status: .ok) }
    var cost = Cost(transfers: 0, wait: 0, longestWait: 0)
    var transfers: [BatchTable<Int, Int>.Contents] = []
    var queued: [Int] = []
    var running = 0
    func launch(_ contents: BatchTable<Int, Int>.Contents, at time: Int) {
      transfers.append(contents)
      begin(transfers.count - 1, at: time)
    }
    func begin(_ transfer: Int, at time: Int) {
      guard running < 6 else { return queued.append(transfer) }
      running += 1
      insert(.end, transfer, at: time + 40)
    }
    while !events.isEmpty {
      let (time, event, _, number) = events.removeFirst()
      switch event {
      case .arrival:
        let request = MergingFixture.request("\(number)") {
          // Without a policy each request has a queue of its own.
          if policy == nil { $0.context.partition = "\(number)" }
        }
        let candidate = try #require(
          MergeCandidate(request, by: rule, at: 0, origin: RequestOrigin(request.head)))
        let place: BatchTable<Int, Int>.Place
        switch table.enter(candidate, except: [], by: rule, send: send) {
        case .started(let started, let contents):
          place = started
          if let contents {
            launch(contents, at: time)
          } else if policy == nil {
            if let contents = table.endWindow(of: place.batch) { launch(contents, at: time) }
          } else {
            insert(.window, Int(place.batch), at: time + 10)
          }
        case .candidate(let queue, _):
          switch table.join(candidate, queue, by: rule, send: send) {
          case .joined(let joined): place = joined
          case .filled(let joined, let contents, _):
            place = joined
            launch(contents, at: time)
          case .noRoom, .tooLate: throw TestFailure()
          }
        case .alone: throw TestFailure()
        }
        _ = table.suspend(place, number)
      case .window:
        if let contents = table.endWindow(of: UInt64(number)) { launch(contents, at: time) }
      case .end:
        running -= 1
        if !queued.isEmpty { begin(queued.removeFirst(), at: time) }
        let contents = transfers[number]
        let outcomes = contents.entries.map { _ in BatchTable<Int, Int>.Outcome.success(Response(status: .ok))
        }
        let (resumptions, next) = table.finish(contents, outcomes)
        for (arrival, _) in resumptions {
          cost.wait += time - arrival * gap
          cost.longestWait = max(cost.longestWait, time - arrival * gap)
        }
        if let next { launch(next, at: time) }
      }
    }
    #expect(table.isEmpty)
    cost.transfers = transfers.count
    return cost
  }

  struct TestFailure: Error {}

  @Test("Transfers and waiting by arrival rate are those that the article states", arguments: Self.figures)
  func costs(gap: Int, alone: Cost, window: Cost, inFlight: Cost) throws {
    #expect(try Self.cost(of: nil, every: gap) == alone)
    #expect(try Self.cost(of: .window(.milliseconds(10)), every: gap) == window)
    #expect(try Self.cost(of: .whileInFlight, every: gap) == inFlight)
  }
}
