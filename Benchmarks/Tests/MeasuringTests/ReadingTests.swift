import Measuring
import Testing

@Suite struct ResultLineTests {
  @Test func `the last line with pairs counts`() throws {
    let line = try #require(ResultLine(in: "hello\nanswered=3 seconds=0.5\nanswered=4 seconds=0.25\nbye\n"))
    #expect(line.number("answered") == 4)
    #expect(line.number("seconds") == 0.25)
  }

  @Test(arguments: ["", "hello", "\n\n"]) func `without a pair there is no result`(output: String) {
    #expect(ResultLine(in: output) == nil)
  }

  @Test(arguments: ["seconds=soon", "seconds=nan", "seconds=inf", "seconds=", "other=1"])
  func `what is no number is not taken for one`(output: String) {
    #expect(ResultLine(in: output)?.number("seconds") == nil)
  }
}

@Suite struct InstructionReadingTests {
  @Test func `perf's count is the first field of its line`() {
    #expect(InstructionReading.perfStat("74800,,instructions:u,1000,100.00,,\n") == 74_800)
  }

  @Test(arguments: [
    "<not supported>,,instructions:u,0,100.00,,", "<not counted>,,instructions:u,0,0.00,,", "",
  ])
  func `a machine that does not count gives nothing`(output: String) {
    #expect(InstructionReading.perfStat(output) == nil)
  }

  @Test func `callgrind's count stands after its colon`() {
    let output = "==12== Events    : Ir\n==12== Collected : 123456\n==12== \n"
    #expect(InstructionReading.callgrind(output) == 123_456)
    #expect(InstructionReading.callgrind("==12== refused\n") == nil)
  }
}
