/// The requests of each origin, running and waiting, and which of them starts next.
///
/// Each change takes time logarithmic in the number of lanes: a crawler has thousands of origins at once.
struct LaneTable {
  /// An origin; its requests whose connections must carry no other request have a lane of their own.
  struct Key: Hashable {
    let origin: WebOrigin
    let needsOwnConnection: Bool
  }

  struct Lane {
    let key: Key
    var running = 0
    /// Whether its connections carry several requests each; nil until an origin that may have such ones has
    /// responded.
    var isMultiplexed: Bool?
    var line = WaitingLine()
    var streams = StreamAllowance()
    // Whether the table lists the lane as idle; it may have become busy since.
    fileprivate var isListed = false

    fileprivate var isIdle: Bool { running == 0 && line.isEmpty }

    /// Whether the origin's own limits permit one more request.
    fileprivate func hasRoom(_ limits: CurlDispatcher.Limits) -> Bool {
      let maximum =
        switch isMultiplexed {
        case true?: limits.streamsPerOrigin
        case false?: limits.perOrigin
        // All of them wait for the first connection, and must fit on it if it is multiplexed.
        case nil: min(limits.perOrigin, limits.streamsPerOrigin)
        }
      guard running < maximum else { return false }
      return isMultiplexed != true || streams.hasRoom(beside: running)
    }
  }

  // Beyond it, new lanes replace idle ones, so that a crawler does not make the table grow without bound.
  private static let maximumLanes = 1024

  private let limits: CurlDispatcher.Limits
  private var lanes: [Lane] = []
  private var laneOf: [Key: Int] = [:]
  /// The lanes with a waiting request and room for it, by the rank of that request.
  private var ready = IndexedHeap<Int, WaitingLine.Rank>()
  // Those that became idle first come first; each lane is listed at most once.
  private var idle: [Int] = []
  private var firstIdle = 0

  init(limits: CurlDispatcher.Limits) { self.limits = limits }

  var count: Int { lanes.count }
  var indices: Range<Int> { lanes.indices }
  /// The lane whose next request starts next, if the limit of all requests permits it.
  var next: Int? { ready.first?.key }

  subscript(lane: Int) -> Lane { lanes[lane] }

  func lane(ifKnown key: Key) -> Int? { laneOf[key] }

  func hasRoom(_ lane: Int) -> Bool { lanes[lane].hasRoom(limits) }

  /// Returns the lane of a key, which replaces an idle one if there are many.
  mutating func lane(of key: Key) -> Int {
    if let known = laneOf[key] { return known }
    let isUnknown = key.origin.mayMultiplex && !key.needsOwnConnection
    let new = Lane(key: key, isMultiplexed: isUnknown ? nil : false)
    var lane = lanes.count
    if lane >= Self.maximumLanes, let idle = takeIdle() {
      lane = idle
      laneOf[lanes[lane].key] = nil
      lanes[lane] = new
    } else {
      lanes.append(new)
    }
    laneOf[key] = lane
    listIfIdle(lane)
    return lane
  }

  /// Changes a lane, and what the table knows of it.
  mutating func change<Result>(_ lane: Int, _ change: (inout Lane) -> Result) -> Result {
    let result = change(&lanes[lane])
    if let next = lanes[lane].line.next, lanes[lane].hasRoom(limits) {
      ready.insert(lane, rank: next.rank)
    } else if !ready.isEmpty {
      ready.remove(lane)
    }
    listIfIdle(lane)
    return result
  }

  private mutating func listIfIdle(_ lane: Int) {
    guard lanes[lane].isIdle, !lanes[lane].isListed else { return }
    lanes[lane].isListed = true
    idle.append(lane)
  }

  private mutating func takeIdle() -> Int? {
    while firstIdle < idle.count {
      let lane = idle[firstIdle]
      firstIdle += 1
      lanes[lane].isListed = false
      if firstIdle > 512, firstIdle > idle.count / 2 {
        idle.removeFirst(firstIdle)
        firstIdle = 0
      }
      if lanes[lane].isIdle { return lane }
    }
    return nil
  }
}
