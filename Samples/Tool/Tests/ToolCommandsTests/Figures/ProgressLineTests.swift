import Testing
import ToolCommands

@Suite struct ProgressLineTests {
  private let plain = Ink(isOn: false)

  @Test("A line has a bar, the share, the bytes, the rate and the time that is left")
  func whole() {
    let line = ProgressLine(bytes: 3 << 20, total: 4 << 20, resumedFrom: 1 << 20, elapsed: .seconds(2))
    #expect(
      line.text(plain, width: 90)
        == "████████████████████████████▌·········  75 %  3.0 MiB of 4.0 MiB, 1.0 MiB/s, 1.00 s left")
  }

  @Test("No line is wider than the terminal", arguments: [1, 10, 20, 40, 60, 79, 200])
  func widths(width: Int) {
    let line = ProgressLine(bytes: 123_456_789, total: 987_654_321, elapsed: .seconds(9))
    #expect(line.text(plain, width: width).count <= width)
    #expect(ProgressLine(bytes: 5, total: nil, elapsed: .seconds(9)).text(plain, width: width).count <= width)
  }

  @Test("100 % means that nothing is missing")
  func almost() {
    #expect(
      ProgressLine(bytes: 9_999, total: 10_000, elapsed: .zero).text(plain, width: 60).contains(" 99 %"))
    #expect(
      ProgressLine(bytes: 10_000, total: 10_000, elapsed: .zero).text(plain, width: 60).contains("100 %"))
  }

  @Test("Without progress in this run there is neither a rate nor a time")
  func noProgress() {
    let line = ProgressLine(bytes: 10, total: 20, resumedFrom: 10, elapsed: .seconds(3))
    #expect(line.rate == nil)
    #expect(line.remaining == nil)
  }
}
