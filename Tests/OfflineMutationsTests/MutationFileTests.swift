#if SQLite
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import OfflineMutations

@Suite("The file of a mutation queue", .timeLimit(.minutes(5)))
struct MutationFileTests {
  @Test("The largest and oddest mutations that are accepted are read again after a restart, in their lines")
  func extremes() async throws {
    let fixture = try QueueFixture()
    let resources = [
      String(repeating: "r", count: 256), "e\u{301}", "\u{E9}", "\n\t\"%", " ", "\u{10FFFF}",
    ]
    var queue = try fixture.open(limits: MutationLimits(count: resources.count, bodyBytes: 1 << 20))
    for (index, resource) in resources.enumerated() {
      var request = fixture.request(
        "/" + String(repeating: "p", count: 20_000), body: String(repeating: "\u{0}", count: 1 << 20),
        account: "an\u{0}n\(index)")
      request.head.headerFields.append(
        HTTPField(name: .contentDisposition, value: [UInt8](repeating: 0xE9, count: 60_000)))
      request.context.api = APIIdentity(service: "", name: "\u{0}")
      let key = String(repeating: " ", count: 250) + "k\(index)"
      try await queue.enqueue(request, resource: resource, idempotencyKey: key)
    }
    let before = try await queue.pending()
    #expect(before.map(\.resource) == resources)
    await queue.close()
    queue = try fixture.open()
    #expect(queue.damagedFile == nil)
    let after = try await queue.pending()
    #expect(after == before)
    #expect(zip(after, before).allSatisfy { $0.isSameRequest(as: $1) && $0.partition == $1.partition })
    await queue.close()
  }

  @Test(
    "Of a damaged file the mutations of all accounts are kept whose pages are intact, in their order",
    arguments: [2, 3, 5])
  func salvage(step: Int) async throws {
    let fixture = try QueueFixture()
    var queue = try fixture.open()
    for number in 0..<60 {
      let body = String(repeating: "\(number) ", count: 500)
      let account = number % 2 == 0 ? "ann" : "ben"
      try await queue.enqueue(
        fixture.request("/\(number)", body: body, account: account), resource: "\(number)")
    }
    let before = try await queue.pending()
    await queue.close()
    var bytes = try Data(contentsOf: URL(filePath: fixture.path))
    // The first pages have the schema and the roots of the tables.
    let pages = bytes.count / 4_096
    let damaged = Set(stride(from: 4 + step, to: pages, by: step))
    // A mutation is in the pages that have a part of its body.
    let untouched = (0..<60).filter { [bytes] number in
      let part = Data(String(repeating: "\(number) ", count: 4).utf8)
      let places = (0..<pages).filter { bytes[$0 * 4_096..<($0 + 1) * 4_096].range(of: part) != nil }
      return !places.isEmpty && damaged.isDisjoint(with: places)
    }
    try #require(untouched.count > 10 && untouched.count < 60)
    for page in damaged {
      bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(repeating: 0xA5, count: 4_096))
    }
    try bytes.write(to: URL(filePath: fixture.path))
    queue = try fixture.open()
    #expect(queue.damagedFile != nil)
    let after = try await queue.pending()
    #expect(Set(untouched.map(String.init)).isSubset(of: after.map(\.resource)))
    #expect(after.count < before.count)
    #expect(after == before.filter(Set(after).contains))
    #expect(Set(after.map(\.partition)) == ["ann", "ben"])
    let next = try await queue.enqueue(fixture.request("/next", account: "ann"), resource: "next")
    #expect(try await queue.pending().last == next)
    await queue.close()
    #expect(try fixture.open().damagedFile == nil)
  }

  @Test("At most three damaged files are kept, the newest ones")
  func damagedFiles() async throws {
    let fixture = try QueueFixture()
    var copies: [String] = []
    for _ in 0..<5 {
      try Data(repeating: 7, count: 9_000).write(to: URL(filePath: fixture.path))
      let queue = try fixture.open()
      copies.append(try #require(queue.damagedFile))
      await queue.close()
      fixture.clock.advance(by: .seconds(1))
    }
    #expect(copies.map { FileManager.default.fileExists(atPath: $0) } == [false, false, true, true, true])
  }
}
#endif
