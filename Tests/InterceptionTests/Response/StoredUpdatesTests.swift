import Interception
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct StoredUpdatesTests {
  struct Failure: Error, Equatable {}

  /// What is stored and what the server has, and the values that are read; nil in them is the server's error.
  struct Row: Sendable {
    let stored: String?
    let asks: Bool
    let server: Result<String?, Failure>
    let values: [String?]
  }

  static let rows = [
    Row(stored: "old", asks: true, server: .success("new"), values: ["old", "new"]),
    Row(stored: "old", asks: true, server: .success(nil), values: ["old"]),
    Row(stored: "old", asks: false, server: .success("new"), values: ["old"]),
    Row(stored: nil, asks: true, server: .success("new"), values: ["new"]),
    Row(stored: nil, asks: true, server: .success(nil), values: []),
    Row(stored: nil, asks: false, server: .success("new"), values: []),
    Row(stored: "old", asks: true, server: .failure(Failure()), values: ["old", nil]),
    Row(stored: nil, asks: true, server: .failure(Failure()), values: [nil]),
  ]

  static func updates(_ row: Row, asked: WaitableValue<Int>) -> StoredUpdates<String, Failure> {
    StoredUpdates { () async throws(Failure) in
      let next: StoredUpdates<String, Failure>.Next = { () async throws(Failure) in
        asked.update { $0 += 1 }
        return try row.server.get()
      }
      return (row.stored, row.asks ? next : nil)
    }
  }

  @Test("The stored value is followed by the server's or its error, and then nothing", arguments: rows)
  func values(_ row: Row) async throws {
    let asked = WaitableValue(0)
    let updates = Self.updates(row, asked: asked)
    for _ in 1...2 {
      var iterator = updates.makeAsyncIterator()
      var values: [String?] = []
      do throws(Failure) {
        while let value = try await iterator.next() { values.append(value) }
      } catch {
        values.append(nil)
      }
      #expect(values == row.values)
      #expect(try await iterator.next() == nil, "The sequence has ended.")
    }
    #expect(asked.value == (row.asks ? 2 : 0), "Each iteration starts again.")
  }

  @Test("The server is not asked before the second value is read")
  func laziness() async throws {
    let asked = WaitableValue(0)
    for try await value in Self.updates(Self.rows[0], asked: asked) {
      #expect(value == "old")
      break
    }
    #expect(asked.value == 0)
  }

  @Test("An error of the first load ends the sequence, and the server is not asked")
  func failing() async throws {
    let updates = StoredUpdates<String, Failure> { () async throws(Failure) in throw Failure() }
    var iterator = updates.makeAsyncIterator()
    await #expect(throws: Failure()) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }
}
