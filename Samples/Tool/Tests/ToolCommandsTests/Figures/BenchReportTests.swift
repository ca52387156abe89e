import Testing
import ToolCommands

@Suite struct BenchReportTests {
  @Test("A report has rate, statuses, errors, percentiles and a histogram")
  func report() {
    var report = BenchReport()
    var part = BenchReport()
    part.times = (1...10).map { .milliseconds($0) }
    part.statuses = [200: 9, 503: 1]
    part.bytes = 10_240
    report.add(part)
    var failed = BenchReport()
    failed.errors = ["connect": 1, "timeout_idle": 2]
    report.add(failed)
    report.duration = .seconds(2)
    report.planned = 13
    let lines = report.lines(Ink(isOn: false))
    #expect(lines[0] == "13 requests in 2.00 s: 5.00 responses/s, 5.0 KiB/s")
    #expect(lines[1] == "statuses: 200 × 9, 503 × 1")
    #expect(lines[2] == "errors: timeout_idle × 2, connect × 1")
    #expect(
      lines[3] == "times: min 1.00 ms, mean 5.50 ms, p50 5.00 ms, p90 9.00 ms, p99 10.0 ms, max 10.0 ms")
    #expect(lines.count == 15)
  }

  @Test("An interrupted run says how many requests are missing, and one without time has no rate")
  func interrupted() {
    var report = BenchReport()
    report.planned = 5
    #expect(report.rate == 0)
    #expect(
      report.lines(Ink(isOn: false)) == [
        "0 requests in 0.00 µs: 0.00 responses/s", "interrupted: 5 requests were not made",
      ])
  }
}
