import ResponseCaching
import Testing
import ToolCommands

@Suite struct AdvicePlotTests {
  private static func recording(_ requests: [(key: UInt64, size: Int)]) -> CacheRecording {
    CacheRecording(
      entries: requests.enumerated().map { index, request in
        CacheRecording.Entry(key: request.key, time: .seconds(index), size: request.size)
      })
  }

  @Test("The smallest limit that is nearly as good as the largest one is advised")
  func advised() {
    // Each of 100 responses of 10 KiB is requested three times.
    let recording = Self.recording((0..<300).map { (UInt64($0 % 100), 10 << 10) })
    let limits = AdvicePlot.limits(for: recording)
    #expect(limits == limits.sorted())
    #expect(limits.last == 1 << 20)
    let plot = AdvicePlot(CacheAdvice(recording, bytes: limits, policies: [.s3FIFO, .optimal]))
    #expect(plot.recommended == 1 << 20)
    let lines = plot.lines(Ink(isOn: false), width: 60)
    #expect(lines[0].hasPrefix("300 requests"))
    #expect(lines[1] == "A limit of 1.0 MiB suits it: 66.7 % hits.")
    #expect(lines.count == 5 + limits.count)
    #expect(lines.last?.contains("█") == true)
    #expect(lines.allSatisfy { $0.count <= 100 })
  }

  @Test("For a run that could reuse nothing no limit is advised", arguments: [0, 5])
  func nothing(count: Int) {
    let recording = Self.recording((0..<count).map { (UInt64($0), 100) })
    let advice = CacheAdvice(recording, bytes: AdvicePlot.limits(for: recording))
    #expect(AdvicePlot(advice).recommended == nil)
    #expect(AdvicePlot(advice).lines(Ink(isOn: false)).last?.contains("would not help") == true)
  }

  @Test("False sizes of an archive don't overflow")
  func hugeSizes() {
    let recording = Self.recording((0..<5_000).map { (UInt64($0), 1 << 40) })
    #expect(AdvicePlot.limits(for: recording).last == 1 << 50)
  }
}
