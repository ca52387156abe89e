import Measuring
import Testing

@Suite struct ResultLineTests {
  @Test("The last line with pairs is used")
  func lastLine() throws {
    let line = try #require(ResultLine(in: "hello\nanswered=3 seconds=0.5\nanswered=4 seconds=0.25\nbye\n"))
    #expect(line.number("answered") == 4)
    #expect(line.number("seconds") == 0.25)
  }

  @Test("Without a pair there is no result", arguments: ["", "hello", "\n\n"])
  func withoutPair(output: String) {
    #expect(ResultLine(in: output) == nil)
  }

  @Test(
    "A value that is not a finite number is nil",
    arguments: ["seconds=soon", "seconds=nan", "seconds=inf", "seconds=", "other=1"])
  func notANumber(output: String) {
    #expect(ResultLine(in: output)?.number("seconds") == nil)
  }
}

@Suite struct InstructionReadingTests {
  @Test("perf's count is the first field of its line")
  func perf() {
    #expect(InstructionReading.perfStat("74800,,instructions:u,1000,100.00,,\n") == 74_800)
  }

  @Test(
    "Without a count there is no result",
    arguments: [
      "<not supported>,,instructions:u,0,100.00,,", "<not counted>,,instructions:u,0,0.00,,", "",
    ])
  func withoutCount(output: String) {
    #expect(InstructionReading.perfStat(output) == nil)
  }

  @Test("callgrind's count follows the colon")
  func callgrind() {
    let output = "==12== Events    : Ir\n==12== Collected : 123456\n==12== \n"
    #expect(InstructionReading.callgrind(output) == 123_456)
    #expect(InstructionReading.callgrind("==12== refused\n") == nil)
  }
}
