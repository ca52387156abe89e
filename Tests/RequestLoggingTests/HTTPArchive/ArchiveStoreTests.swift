import Testing

@testable import RequestLogging

@Suite struct ArchiveStoreTests {
  @Test("The oldest entries are removed first, by number and by size")
  func bounds() {
    var store = ArchiveStore(capacity: 3, byteLimit: 10)
    func add(_ json: [UInt8]) { store.add(ArchiveStore.Entry(json: json, partition: "")) }
    for byte in 1...4 as ClosedRange<UInt8> { add([byte]) }
    #expect(store.entries.map(\.json) == [[2], [3], [4]])
    add(Array(repeating: 5, count: 9))
    #expect(store.entries.map(\.json) == [[4], Array(repeating: 5, count: 9)])
    add(Array(repeating: 6, count: 11))
    #expect(store.entries.count == 2)
    #expect(store.omittedCount == 4)
  }
}
