/// Keeps account of the steps of one call, so that each one's own time is known: its total less its children's.
///
/// Children that run at the same time count once, by the time during which at least one of them ran.
struct FrameLedger {
  private struct Frame {
    let step: PipelineEvent.Step
    let parent: Int?
    let start: Duration
    var childrenRunning = 0
    var childStart = Duration.zero
    var childTime = Duration.zero
  }

  private var frames: [Frame] = []
  private var cacheWasReported = false

  mutating func enter(_ step: PipelineEvent.Step, parent: Int?, at now: Duration) -> Int {
    if let parent, frames.indices.contains(parent) {
      if frames[parent].childrenRunning == 0 { frames[parent].childStart = now }
      frames[parent].childrenRunning += 1
    }
    frames.append(Frame(step: step, parent: parent, start: now))
    return frames.count - 1
  }

  mutating func leave(_ frame: Int, at now: Duration) -> (own: Duration, total: Duration) {
    if let parent = frames[frame].parent, frames.indices.contains(parent) {
      frames[parent].childrenRunning -= 1
      if frames[parent].childrenRunning == 0 { frames[parent].childTime += now - frames[parent].childStart }
    }
    var childTime = frames[frame].childTime
    // A child that is still running, because nobody waited for it, counts up to now.
    if frames[frame].childrenRunning > 0 { childTime += now - frames[frame].childStart }
    let total = now - frames[frame].start
    return (max(.zero, total - childTime), total)
  }

  func step(of frame: Int) -> PipelineEvent.Step { frames[frame].step }

  /// Whether a cache status is seen for the first time in this call.
  mutating func isNews(_ status: CacheStatus?) -> Bool {
    guard status != nil, !cacheWasReported else { return false }
    cacheWasReported = true
    return true
  }
}
