import Measuring
import Testing

@Suite("The document with the results")
struct ResultsDocumentTests {
  private static let (rate, size) = (
    Figure("h1.64.vs-c", .requestsPerSecond, bar: .ratioAtLeast(0.9)),
    Figure("memory.1024.h1", .mebibytes, bar: .atMost(96))
  )
  private static let hit = Outcome(rate, .measured(ours: 2, peer: 1))
  private static let miss = Outcome(
    rate, .measured(ours: 1, peer: 2), spread: 0.4...0.613, instructions: InstructionPair(ours: 3, peer: 2))

  private func table(_ outcomes: Outcome...) -> MarkdownTable {
    MarkdownTable(caption: "Measured today.", outcomes.map { MarkdownTable.Row($0) })
  }

  @Test("An outcome is a row of the table")
  func rows() {
    let table = table(
      Self.hit, Self.miss, Outcome(Self.rate, .skipped("no JDK")), Outcome(Self.size, .failed("a | b\nc")))
    #expect(
      "\(table)" == """
        Measured today.

        | figure | ours | peer | ratio | bar | spread | instructions | |
        |---|---:|---:|---:|---:|---:|---:|---|
        | `h1.64.vs-c` | 2/s | 1/s | 2.00 | 0.90 | - | - | PASS |
        | `h1.64.vs-c` | 1/s | 2/s | 0.50 | 0.90 | 0.40…0.61 | 3/2=1.50 | MISS |
        | `h1.64.vs-c` | - | - | - | 0.90 | - | - | skipped: no JDK |
        | `memory.1024.h1` | - | - | - | 96.0MiB | - | - | MISS: a / b/c |

        """)
    #expect(table.rows.map(\.isMissed) == [false, true, false, true])
  }

  @Test(
    "The line of an outcome gives the same row as the outcome",
    arguments: [
      hit, miss, Outcome(Figure("h1.1", .requestsPerSecond), .skipped("no JDK")),
      Outcome(size, .failed("it ended with 1")),
      Outcome(Figure("chain.none", .microseconds), .measured(ours: 1, peer: nil)),
      Outcome(size, .measured(ours: 97, peer: nil)),
    ])
  func line(outcome: Outcome) {
    #expect(MarkdownTable.Row(line: "\(outcome)") == MarkdownTable.Row(outcome))
  }

  @Test(
    "Another line gives no row",
    arguments: ["", "bench", "bench name", "bench: building", "name ours=1 peer=2"])
  func otherLine(line: String) {
    #expect(MarkdownTable.Row(line: line) == nil)
  }

  @Test("The document is the table and the causes, and is written again unchanged")
  func document() {
    let previous = """
      # Results

      * `h1.64.vs-c`: This is no cause; it is above them.

      ## Causes

      * `memory.1024.h1`: Each request has a buffer.
      Words.
      * `h1.64.vs-c`: The peer allocates nothing: its `main` is C.

      """
    let table = table(Self.miss, Outcome(Self.size, .measured(ours: 97, peer: nil)))
    let document = ResultsDocument(table, carryingOver: previous)
    #expect(
      "\(document)" == """
        # Results

        \(table)
        ## Causes

        One line for each figure that misses its bar. `Scripts/bench --markdown` replaces all of this file but these lines.

        * `h1.64.vs-c`: The peer allocates nothing: its `main` is C.
        * `memory.1024.h1`: Each request has a buffer.

        """)
    #expect("\(ResultsDocument(table, carryingOver: "\(document)"))" == "\(document)")
    #expect(document.figuresWithoutCause.isEmpty)
    #expect(document.figuresWithoutMiss.isEmpty)
  }

  @Test("What is written about growth is carried over, up to the next heading")
  func growth() {
    let previous = """
      # Results

      ## Growth

      ![Times](Growth/time.svg)

      * `h1.64.vs-c`: This is no cause; it is above them.

      ## Causes

      * `h1.64.vs-c`: It was slow.

      """
    let table = table(Self.miss)
    let document = ResultsDocument(table, carryingOver: previous)
    #expect(
      "\(document)" == """
        # Results

        \(table)
        ## Growth

        ![Times](Growth/time.svg)

        * `h1.64.vs-c`: This is no cause; it is above them.

        ## Causes

        One line for each figure that misses its bar. `Scripts/bench --markdown` replaces all of this file but these lines and "Growth".

        * `h1.64.vs-c`: It was slow.

        """)
    #expect("\(ResultsDocument(table, carryingOver: "\(document)"))" == "\(document)")
    #expect(document.causes.map(\.figure) == ["h1.64.vs-c"])
  }

  @Test("A miss without a cause is reported")
  func withoutCause() {
    let document = ResultsDocument(
      table(Self.miss, Outcome(Self.size, .failed("it ended"))), carryingOver: nil)
    #expect(document.figuresWithoutCause == ["h1.64.vs-c", "memory.1024.h1"])
  }

  @Test("A cause without a miss is kept and reported")
  func withoutMiss() {
    let previous = "## Causes\n* `gone`: It went.\n* `h1.64.vs-c`: It was slow.\n"
    let document = ResultsDocument(table(Self.hit), carryingOver: previous)
    #expect(document.figuresWithoutMiss == ["h1.64.vs-c", "gone"])
    #expect("\(document)".hasSuffix("\n* `h1.64.vs-c`: It was slow.\n* `gone`: It went.\n"))
  }
}
