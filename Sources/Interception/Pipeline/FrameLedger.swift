/// Records the steps of one call and computes each step's own time: its total time minus that of its
/// children.
///
/// Children that run concurrently are counted once: their time is that during which at least one of them ran.
struct FrameLedger {
  /// The identity of a frame in its ledger.
  struct FrameID: Sendable {
    fileprivate let index: Int
  }

  private struct Frame {
    let step: PipelineEvent.Step
    let parent: FrameID?
    let start: Duration
    var childrenRunning = 0
    var childStart = Duration.zero
    var childTime = Duration.zero
  }

  private var frames: [Frame] = []
  private var cacheWasReported = false

  mutating func enter(_ step: PipelineEvent.Step, parent: FrameID?, at now: Duration) -> FrameID {
    if let parent = parent?.index {
      if frames[parent].childrenRunning == 0 { frames[parent].childStart = now }
      frames[parent].childrenRunning += 1
    }
    frames.append(Frame(step: step, parent: parent, start: now))
    return FrameID(index: frames.count - 1)
  }

  mutating func leave(_ id: FrameID, at now: Duration) -> (own: Duration, total: Duration) {
    let frame = id.index
    if let parent = frames[frame].parent?.index {
      frames[parent].childrenRunning -= 1
      if frames[parent].childrenRunning == 0 { frames[parent].childTime += now - frames[parent].childStart }
    }
    var childTime = frames[frame].childTime
    // A child still running, because its parent did not wait for it, is counted until now.
    if frames[frame].childrenRunning > 0 { childTime += now - frames[frame].childStart }
    let total = now - frames[frame].start
    return (max(.zero, total - childTime), total)
  }

  func step(of id: FrameID) -> PipelineEvent.Step { frames[id.index].step }

  /// Returns whether this is the first cache status reported in this call.
  mutating func isNews(_ status: Exchange.CacheStatus?) -> Bool {
    guard status != nil, !cacheWasReported else { return false }
    cacheWasReported = true
    return true
  }
}
