import Testing

@testable import RequestLogging

@Suite struct ArchiveStoreTests {
  @Test("The oldest entries are removed first, by number and by size")
  func bounds() {
    var store = ArchiveStore(capacity: 3, byteLimit: 10)
    for byte in 1...4 as ClosedRange<UInt8> { store.add([byte]) }
    #expect(store.entries == [[2], [3], [4]])
    store.add(Array(repeating: 5, count: 9))
    #expect(store.entries == [[4], Array(repeating: 5, count: 9)])
    store.add(Array(repeating: 6, count: 11))
    #expect(store.entries.count == 2)
    #expect(store.omittedCount == 4)
  }
}
