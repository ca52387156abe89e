import Interception
import SwitchyardTesting
import Testing

@testable import DNSBypass

@Suite struct AddressListTests {
  @Test("The text form has a line for each host, comments, and the time of issue")
  func text() throws {
    let text =
      "# main\nissued 17\r\n\napi.example 203.0.114.7  [2001:db9::7]:8443\ncdn.example\t203.0.114.8\n"
    let list = try AddressList(text: Array(text.utf8))
    #expect(
      list
        == AddressList(
          hosts: ["api.example": ["203.0.114.7", "[2001:db9::7]:8443"], "cdn.example": ["203.0.114.8"]],
          issued: WallTime(secondsSince1970: 17)))
    #expect(try AddressList(text: []) == AddressList(hosts: [:]))
    // A mark that combines with a separator changes the word, and not the line.
    let marked = "#\u{301} comment\na \u{301}1.1.1.1\n"
    #expect(try AddressList(text: Array(marked.utf8)) == AddressList(hosts: ["a": ["\u{301}1.1.1.1"]]))
  }

  @Test(
    "A line that can't be parsed is named",
    arguments: [
      ("api.example", 1), ("\na.example 1.1.1.1\na.example 2.2.2.2", 3), ("issued", 1), ("issued x", 1),
      ("issued 1\nissued 2", 2), ("issued -1", 1),
    ])
  func malformed(_ text: String, _ line: Int) {
    #expect(throws: AddressListError(.malformed(line: line))) { try AddressList(text: Array(text.utf8)) }
  }

  @Test(
    "Any list that is fetched at any time is read as it was stored",
    arguments: [0, 1, 4 << 20], [Int64.min, -1, 0, 1_000_000, .max])
  func recordLimits(count: Int, seconds: Int64) throws {
    let record = AddressListRecord(
      refreshed: WallTime(secondsSince1970: seconds), signed: [UInt8](repeating: 0x0A, count: count))
    let bytes = try #require(record.encoded())
    #expect(AddressListRecord.decode(bytes) == record)
    // What is read at most.
    #expect(bytes.count <= 4 << 20 | 256)
  }

  @Test("A stored list is read as it was written; with any byte changed or missing it is damaged")
  func record() throws {
    let record = AddressListRecord(
      refreshed: WallTime(secondsSince1970: 99), signed: Array("api.example 203.0.114.7\n\n".utf8))
    let bytes = try #require(record.encoded())
    #expect(AddressListRecord.decode(bytes) == record)
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1
      #expect(AddressListRecord.decode(changed) == nil)
      #expect(AddressListRecord.decode(Array(bytes.prefix(index))) == nil)
    }
    #expect(AddressListRecord.decode(bytes + [0]) == nil)
    var random = SeededRandom(seed: 3)
    for _ in 0..<1_000 {
      let noise = (0..<60).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(AddressListRecord.decode(noise) == nil)
    }
  }
}
