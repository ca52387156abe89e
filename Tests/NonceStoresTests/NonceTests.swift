import NonceStores
import Testing

@Suite struct NonceTests {
  @Test("Nonces generated in blocks by many tasks are all different")
  func uniqueNonces() async {
    let draw = Nonce.drawing()
    let nonces = await withTaskGroup(of: [Nonce].self) { group in
      for _ in 0..<8 { group.addTask { (0..<500).map { _ in draw() } } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(nonces.count == 4_000)
    #expect(Set(nonces).count == nonces.count)
  }
}
