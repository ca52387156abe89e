import Interception
import Testing

@testable import CurlTransport

@Suite("The text of a file with alternative services") struct StoredAlternativesTests {
  private static let now = WallTime(secondsSince1970: 1_790_000_000)
  private static let later: Int64 = 1_790_000_500
  private static let digest = "0123456789abcdef0123456789abcdef"

  private func key(_ host: String, _ port: Int = 443, partition: String = "-") -> StoredAlternatives.Key {
    .init(host: host, port: port, partition: partition)
  }

  /// A text with lines between the title and the end.
  private static func text(_ lines: String..., count: Int? = nil) -> String {
    "switchyard alternatives 1\n" + lines.map { $0 + "\n" }.joined() + "end \(count ?? lines.count)\n"
  }

  private func read(_ text: String, at now: WallTime = now) -> StoredAlternatives? {
    StoredAlternatives(Array(text.utf8), at: now)
  }

  @Test("What was written is read again, sorted by hosts, ports and partitions")
  func roundTrip() {
    var contents = StoredAlternatives()
    contents.set(.init(port: 443, expiry: Self.later), for: key("b.test"))
    contents.set(.init(port: 8443, expiry: Self.later + 1), for: key("[::1]", 8443, partition: Self.digest))
    contents.set(.init(port: 1, expiry: Self.later), for: key("b.test", 442))
    let text = Self.text(
      "[::1] 8443 \(Self.digest) 8443 \(Self.later + 1)", "b.test 442 - 1 \(Self.later)",
      "b.test 443 - 443 \(Self.later)")
    #expect(String(decoding: contents.encoded, as: UTF8.self) == text)
    #expect(read(text) == contents)
    #expect(read(Self.text()) == StoredAlternatives())
  }

  @Test(
    "A damaged text, or one of another version, is read as none",
    arguments: [
      "", "\n", "switchyard alternatives 1\n", "switchyard alternatives 1\nend 0",
      "switchyard alternatives 1\nend 0\n\n", "switchyard alternatives 1\nend 0\nend 0\n",
      "switchyard alternatives 2\nend 0\n", "switchyard cookies 1\nend 0\n", "end 0\n",
      text("a.test 443 - 443 \(later)", count: 2), text("a.test 443 - 443 \(later)", count: 0),
      text("a.test 443 - 443"), text("a.test 443 - 443 \(later) "), text("a.test  443 - 443 \(later)"),
      text("a.test 443 - 443 +\(later)"), text("a.test 443 - 443 0\(later)"), text("a.test 443 - 443 1e9"),
      text("a.test 443 - 443 99999999999999999999"), text("a.test 0 - 443 \(later)"),
      text("a.test 443 - 65536 \(later)"), text("a.test 443  443 \(later)"),
      text("a.test 443 anna 443 \(later)"), text("a.test 443 \(digest.uppercased()) 443 \(later)"),
      text("A.test 443 - 443 \(later)"), text("a..test 443 - 443 \(later)"),
      text("a.test/ 443 - 443 \(later)"), text("ä.test 443 - 443 \(later)"), text("\u{0} 443 - 443 \(later)"),
      text("b.test 443 - 443 \(later)", "a.test 443 - 443 \(later)"),
      text("a.test 443 - 443 \(later)", "a.test 443 - 443 \(later)"),
      text("a.test 443 - 443 \(later)\r"), text(String(repeating: "a", count: 300) + " 443 - 443 \(later)"),
      text("a.test 443 - 443 \(later)", "end 1"),
    ])
  func damage(text: String) { #expect(read(text) == nil) }

  @Test("Every beginning of a text is damaged")
  func beginnings() {
    let text = Array(Self.text("a.test 443 - 443 \(Self.later)", "b.test 443 - 443 \(Self.later)").utf8)
    for length in 0..<text.count {
      #expect(StoredAlternatives(Array(text[..<length]), at: Self.now) == nil)
    }
    #expect(StoredAlternatives(text, at: Self.now)?.services.count == 2)
  }

  @Test("A text with more advertisements or bytes than are written is damaged")
  func size() {
    var lines = (1000...1999).map { "h\($0).test 443 - 443 \(Self.later)\n" }
    func text() -> String { "switchyard alternatives 1\n\(lines.joined())end \(lines.count)\n" }
    #expect(read(text())?.services.count == AlternativeServices.capacity)
    lines.append("h2000.test 443 - 443 \(Self.later)\n")
    #expect(read(text()) == nil)
    let long = [UInt8](repeating: 0x0A, count: StoredAlternatives.maximumSize + 1)
    #expect(StoredAlternatives(long, at: Self.now) == nil)
  }

  @Test(
    "What has expired is left out, and what a clock that was set back would keep for more than 30 days",
    arguments: [
      (0, true), (499, true), (500, false), (501, false), (500 - 30 * 86_400, true),
      (499 - 30 * 86_400, false),
    ]
      as [(Int64, Bool)])
  func expiry(offset: Int64, isKept: Bool) throws {
    let now = WallTime(secondsSince1970: Self.now.seconds + offset)
    let contents = try #require(read(Self.text("a.test 443 - 443 \(Self.later)"), at: now))
    #expect(contents.isEmpty != isKept)
  }

  @Test("Partitions are stored as digests, and those that mean nothing in another process are not stored")
  func partitions() throws {
    let origin = WebOrigin(scheme: .https, host: "a.test", port: 443)
    #expect(StoredAlternatives.key(origin, partition: "") == key("a.test"))
    let anna = try #require(StoredAlternatives.key(origin, partition: "anna"))
    let bert = try #require(StoredAlternatives.key(origin, partition: "bert"))
    #expect(anna != bert && anna.partition.utf8.count == 32 && !anna.partition.contains("anna"))
    #expect(anna == StoredAlternatives.key(origin, partition: "anna"))
    var contents = StoredAlternatives()
    contents.set(.init(port: 443, expiry: Self.later), for: anna)
    #expect(StoredAlternatives(contents.encoded, at: Self.now) == contents)
    let several = ["anna", "bert"].joined(separator: RequestContext.partitionSeparator)
    for partition in [several, "\u{0}login 1-2", "\u{0}holder 0123"] {
      #expect(StoredAlternatives.key(origin, partition: partition) == nil)
    }
    let plain = WebOrigin(scheme: .http, host: "a.test", port: 443)
    let long = WebOrigin(scheme: .https, host: String(repeating: "a.", count: 130) + "test", port: 443)
    #expect(StoredAlternatives.key(plain, partition: "") == nil)
    #expect(StoredAlternatives.key(long, partition: "") == nil)
  }

  @Test("At most a thousand advertisements are kept, and those that expire first are evicted")
  func capacity() {
    var contents = StoredAlternatives()
    for number in 0..<1500 {
      contents.set(.init(port: 443, expiry: Self.later + Int64(number)), for: key("h\(number).test"))
    }
    #expect(contents.services.count == 1000)
    #expect(contents.services[key("h499.test")] == nil && contents.services[key("h500.test")] != nil)
    #expect(contents.encoded.count <= StoredAlternatives.maximumSize)
    #expect(StoredAlternatives(contents.encoded, at: Self.now) == contents)
  }

  @Test("A longest line of each part fits the maximum size")
  func longestLine() {
    let host = String(repeating: "a", count: 63) + "." + String(repeating: "b", count: 187)
    let line = "\(host) 65535 \(Self.digest) 65535 \(Int64.max)\n"
    #expect(line.utf8.count * 1000 + 64 <= StoredAlternatives.maximumSize)
  }

  @Test("Only a change of a service changes the contents")
  func changes() {
    var contents = StoredAlternatives()
    let key = key("a.test")
    let services: [StoredAlternatives.Service?] = [
      nil, .init(port: 1, expiry: 5), .init(port: 1, expiry: 5), .init(port: 1, expiry: 6), nil,
    ]
    let hasChanged = services.map { contents.set($0, for: key) }
    #expect(hasChanged == [false, true, false, true, true])
    #expect(contents.isEmpty)
  }
}
