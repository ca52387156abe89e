import Testing

@testable import RequestTelemetry

@Suite struct SeriesTableTests {
  private typealias Table = SeriesTable<String, Int>

  private func enter(_ key: String, _ table: inout Table, isLimited: Bool = true) -> String {
    switch table.enter(key, isLimited: isLimited) {
    case .known(let metric): "\(metric)"
    case .create: "create"
    case .full: "full"
    }
  }

  @Test("A metric has its place from the look on, so that threads that create at once keep the limit")
  func limit() {
    var table = Table(limit: 2)
    let looks = ["a", "b", "c"].map { enter($0, &table) }
    #expect(looks == ["create", "create", "full"])
    // Another thread looks before the metric is stored.
    let again = enter("a", &table)
    #expect(again == "create" && table.count == 2)
    table.store(1, of: "a")
    let (known, other) = (enter("a", &table), enter("other", &table, isLimited: false))
    #expect(known == "1" && other == "create" && table.count == 3)
  }
}
